package evallog_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"achilles/battery/tables"
	"achilles/battery/tables/tablestest"
)

// every returns a line of Every Eval Ever.
func every(model, when, evaluation, result, sample, hash, score string) string {
	return fmt.Sprintf(`{"schema_version":"0.3.0","evaluation_id":"lab/%s/%s","model_id":"org/%s","evaluation_name":%q,"evaluation_result_id":%q,"sample_id":%q,"sample_hash":%q,`+
		`"interaction_type":"single_turn","input":{"raw":"?","reference":["yes"]},"answer_attribution":[],"evaluation":{"score":%s,"is_correct":true},"metadata":{"depth":"3.5"}}`,
		model, when, model, evaluation, result, sample, hash, score)
}

func TestEvery(t *testing.T) {
	lines := strings.Join([]string{
		every("a", "1760000000", "bench", "bench.acc", "q0", "h0", "1.0"), every("a", "1760000000", "bench", "bench.f1", "q0", "h0", "0.25"),
		every("b", "1760000000", "bench", "bench.acc", "q0", "h0", "0"), every("b", "1760000000", "bench", "bench.f1", "q0", "h0", "0.5"),
	}, "\n")
	_, err := imported(tables.Wishes{}, file("x_samples.jsonl", lines))
	wantFault(t, err, "x_samples.jsonl", "--metric: bench.acc, bench.f1")
	for _, metric := range []string{"acc", "bench.acc"} {
		r, err := imported(tables.Wishes{Metric: metric}, file("x_samples.jsonl", lines))
		wantLines(t, r, err, "org/a lab/q0 0 1", "org/b lab/q0 0 0")
		if !slices.Equal(r.features, []string{"lab/q0"}) { // a depth that is the same for every item tells nothing, and the other metric is an outcome
			t.Errorf("features %q", r.features)
		}
	}
	r, err := imported(tables.Wishes{Metric: "f1"}, file("x_samples.jsonl", lines), file("x.json", `{"schema_version":"0.3.0","evaluation_id":"lab/a/1","evaluation_results":[{"a":1}]}`))
	wantLines(t, r, err, "org/a lab/q0 0 0.25", "org/b lab/q0 0 0.5")
	wantNote(t, r, "1 file with results in aggregate, which have no samples, left out: x.json")
}

// TestEveryDoubles checks evaluations that have a sample again: a total beside its parts, parts that number samples anew, and repeated runs.
func TestEveryDoubles(t *testing.T) {
	total := []string{every("a", "1", "all", "acc", "q0", "h0", "1"), every("a", "1", "all.law", "acc", "q0", "h0", "1"), every("a", "1", "all", "acc", "q1", "h1", "0"), every("a", "1", "all.art", "acc", "q1", "h1", "0")}
	_, err := imported(tables.Wishes{}, file("x.jsonl", strings.Join(total, "\n")))
	wantFault(t, err, `several values of "evaluation"`, "--filter: all, all.law, all.art")
	r, err := imported(tables.Wishes{Filter: "all"}, file("x.jsonl", strings.Join(total, "\n")))
	wantLines(t, r, err, "org/a lab/q0 0 1", "org/a lab/q1 0 0")

	parts := []string{every("a", "1", "law", "acc", "0", "h0", "1"), every("a", "1", "art", "acc", "0", "h1", "0")}
	r, err = imported(tables.Wishes{}, file("x.jsonl", strings.Join(parts, "\n")))
	wantLines(t, r, err, "org/a lab/law/0 0 1", "org/a lab/art/0 0 0")

	twice := []string{every("a", "1760000000", "b", "acc", "q", "h", "1"), every("a", "1770000000", "b", "acc", "q", "h", "0")}
	_, err = imported(tables.Wishes{}, file("x.jsonl", strings.Join(twice, "\n")))
	wantFault(t, err, "two runs have the same samples", "--repetition run")
	r, err = imported(tables.Wishes{Repetition: "run"}, file("x.jsonl", strings.Join(twice, "\n")))
	wantLines(t, r, err, "org/a lab/q 0 1", "org/a lab/q 1 0")

	_, err = imported(tables.Wishes{}, file("x.jsonl", twice[0]+"\n"+twice[0]))
	wantFault(t, err, "x.jsonl: line 2: q has a second score by acc")
	_, err = imported(tables.Wishes{}, file("x.jsonl", twice[0]+"\n"+strings.Replace(twice[0], "sample_id", "sample", 1)))
	wantFault(t, err, "x.jsonl: line 2: no sample_id")
}

// harness returns a line of lm-evaluation-harness. filter is "" for versions before 2025.
func harness(doc int, filter, scores string) string {
	if filter != "" {
		filter = fmt.Sprintf(`"filter":%q,`, filter)
	}
	return fmt.Sprintf(`{"doc_id":%d,"doc":{"level":%d,"answer":%d,"choices":["x"]},"target":"1","arguments":{},"resps":[["1"]],"filtered_resps":["1"],%s"doc_hash":"h%d",%s}`, doc, doc+1, doc, filter, doc, scores)
}

func TestHarness(t *testing.T) {
	results := file("out/org__small/results_2026-11-01T10-00-00.000000.json", `{"results":{},"model_name":"org/small__v2","config":{"model_args":"pretrained=org/small__v2"}}`)
	name := "out/org__small/samples_gsm_2026-11-01T10-00-00.000000.jsonl"
	two := strings.Join([]string{
		harness(0, "strict-match", `"metrics":["acc","len"],"acc":0.0,"len":NaN`), harness(1, "strict-match", `"metrics":["acc","len"],"acc":1.0,"len":7`),
		harness(0, "flexible", `"metrics":["acc","len"],"acc":1.0,"len":3`), harness(1, "flexible", `"metrics":["acc","len"],"acc":1.0,"len":2`),
	}, "\n")
	_, err := imported(tables.Wishes{}, file(name, two), results)
	wantFault(t, err, "--metric: acc, len")
	_, err = imported(tables.Wishes{Metric: "acc"}, file(name, two), results)
	wantFault(t, err, "--filter: strict-match, flexible")
	r, err := imported(tables.Wishes{Metric: "acc", Filter: "strict-match"}, file(name, two), results)
	wantLines(t, r, err, "org/small__v2 gsm/0 0 0", "org/small__v2 gsm/1 0 1")
	if want := []string{"gsm/0 level=1", "gsm/1 level=2"}; !slices.Equal(r.features, want) {
		t.Errorf("features %q, want %q", r.features, want)
	}
	wantNote(t, r, "1 doc key with an answer or a running number, left out: answer")
	r, err = imported(tables.Wishes{Metric: "len", Filter: "strict-match", Family: "count"}, file(name, two))
	wantLines(t, r, err, "org/small gsm/1 0 7") // the folder's name, without results
}

// TestHarnessOld checks samples without a filter's name, and what only a whole task has.
func TestHarnessOld(t *testing.T) {
	name := "m/samples_t_2024-01-01T10-00-00.jsonl"
	old := strings.Join([]string{harness(0, "", `"acc":0,"f1":[1,0]`), harness(1, "", `"acc":1,"f1":[1,1]`), harness(0, "", `"acc":1,"f1":[0,0]`), harness(1, "", `"acc":1,"f1":[0,0]`)}, "\n")
	_, err := imported(tables.Wishes{}, file(name, old))
	wantFault(t, err, "--filter: 1, 2")
	r, err := imported(tables.Wishes{Filter: "1"}, file(name, old))
	wantLines(t, r, err, "m t/0 0 0", "m t/1 0 1")
	wantNote(t, r, "4 values of f1, which is a list or an object and not a score of one document, left out")
	wantNote(t, r, "2 documents repeated without a filter's name")

	// The same task at two times.
	one := harness(0, "none", `"acc":0`)
	_, err = imported(tables.Wishes{}, file(name, one), file("m/samples_t_2024-01-02T10-00-00.jsonl", one))
	wantFault(t, err, "two runs have the same samples")
	// Another document of the same number.
	r, err = imported(tables.Wishes{}, file(name, one), file("n/samples_t_2024-01-02T10-00-00.jsonl", strings.Replace(one, `"h0"`, `"h9"`, 1)))
	wantLines(t, r, err, "m t/0 0 0", "n t/0 0 0")
	wantNote(t, r, "1 sample whose question differs from that of another log under the same name")
	_, err = imported(tables.Wishes{}, file("m/results_2024-01-01T10-00-00.json", `{"results":{}}`))
	wantFault(t, err, "results without samples")
}

// TestHarnessFilters checks that tasks with one filter stay where a filter of another task was chosen.
func TestHarnessFilters(t *testing.T) {
	two := harness(0, "strict", `"acc":0`) + "\n" + harness(0, "flexible", `"acc":1`)
	for filter, want := range map[string]string{"strict": "m gsm/0 0 0", "flexible": "m gsm/0 0 1"} {
		r, err := imported(tables.Wishes{Filter: filter}, file("m/samples_gsm_2024-01-01T10-00-00.jsonl", two), file("m/samples_arc_2024-01-01T10-00-00.jsonl", harness(0, "none", `"acc":1,"note":"x"`)))
		wantLines(t, r, err, want, "m arc/0 0 1")
		wantNote(t, r, "1 value of note, which is a text and not a score, left out: 0")
	}
}

func helmInstance(id, extra, stats string) string {
	return fmt.Sprintf(`{"instance_id":%q,%s"train_trial_index":0,"stats":[%s]}`, id, extra, stats)
}

func helmStat(name string, mean string) string {
	return fmt.Sprintf(`{"name":{"name":%q,"split":"test"},"count":1,"sum":1,"mean":%s}`, name, mean)
}

func TestHelm(t *testing.T) {
	dir := "runs/mmlu:subject=law,model=org_small/"
	spec := file(dir+"run_spec.json", `{"name":"mmlu:subject=law,model=org_small","adapter_spec":{"model":"org/small","model_deployment":"hf/small"}}`)
	stats := "[" + strings.Join([]string{
		helmInstance("id0", "", helmStat("num_prompt_tokens", "10")+","+helmStat("exact_match", "0")+","+helmStat("f1", "0.5")),
		helmInstance("id1", "", helmStat("exact_match", "1.0")+","+helmStat("f1", "1")),
		helmInstance("id0", `"perturbation":{"name":"typos"},`, helmStat("exact_match", "1.0")+","+helmStat("f1", "1")),
		helmInstance("id2", "", `{"name":{"name":"exact_match"},"count":0,"sum":0,"mean":null},`+helmStat("f1", "0")),
	}, ",") + "]"
	_, err := imported(tables.Wishes{}, file(dir+"per_instance_stats.json", stats), spec)
	wantFault(t, err, "--metric: exact_match, f1")
	r, err := imported(tables.Wishes{Metric: "exact_match"}, file(dir+"per_instance_stats.json", stats), spec, file(dir+"stats.json", "[]"))
	wantLines(t, r, err, "org/small mmlu:subject=law/id0 0 0", "org/small mmlu:subject=law/id1 0 1", "org/small mmlu:subject=law/id0/typos 0 1")
	wantNote(t, r, "1 statistic of bookkeeping left out")
	wantNote(t, r, "1 value of exact_match without a mean (no value): id2")
	wantNote(t, r, "1 item without a response: mmlu:subject=law/id2")
	r, err = imported(tables.Wishes{Metric: "f1"}, file(dir+"per_instance_stats.json", stats)) // the folder's name, without the specification
	wantLines(t, r, err, "org/small mmlu:subject=law/id0 0 0.5", "org/small mmlu:subject=law/id1 0 1", "org/small mmlu:subject=law/id0/typos 0 1", "org/small mmlu:subject=law/id2 0 0")
	_, err = imported(tables.Wishes{}, file("per_instance_stats.json", stats))
	wantFault(t, err, "the model's name is unknown", "give the folder of the run")
	_, err = imported(tables.Wishes{}, spec)
	wantFault(t, err, "per_instance_stats.json, which has the scores, is missing")
}

// TestLighteval reads a table that pyarrow wrote, whose scores are 0, 1, 0, 1 (acc) and 1, 1, 1, 1 (acc_norm).
func TestLighteval(t *testing.T) {
	b := sample(t, "details_struct.parquet")
	b.Name = "out/details/org/small/2026-11-01T10-00-00.000000/details_demo|0_2026-11-01T10-00-00.000000.parquet"
	_, err := imported(tables.Wishes{}, b)
	wantFault(t, err, "--metric: acc, acc_norm")
	r, err := imported(tables.Wishes{Metric: "acc"}, b)
	wantLines(t, r, err, "org/small demo|0/0 0 0", "org/small demo|0/1 0 1", "org/small demo|0/2 0 0", "org/small demo|0/3 0 1")
	r, err = imported(tables.Wishes{Metric: "acc_norm"}, b, file("out/results/org/small/results_2026-11-01T10-00-00.000000.json", `{"config_general":{"model_name":"org/named"},"results":{}}`))
	wantLines(t, r, err, "org/named demo|0/0 0 1", "org/named demo|0/1 0 1", "org/named demo|0/2 0 1", "org/named demo|0/3 0 1")
}

// TestLightevalText reads scores that were cast to the text of a Python dictionary, with a task's own columns.
func TestLightevalText(t *testing.T) {
	type specifics struct {
		Depth int64 `parquet:"depth"`
	}
	type row struct {
		Example   string    `parquet:"example"`
		Metrics   string    `parquet:"metrics"`
		Specifics specifics `parquet:"specifics"`
	}
	var out bytes.Buffer
	if err := parquet.Write(&out, []row{{"a", "{'acc': 1.0, \"ok\": True}", specifics{1}}, {"b", "{'acc': nan, 'ok': False}", specifics{2}}, {"c", "{'acc': 0.5, 'ok': None}", specifics{2}}}); err != nil {
		t.Fatal(err)
	}
	f := tablestest.File("details/m/2024-05-05T05-05-05/details_t_2024-05-05T05-05-05.parquet", out.Bytes())
	r, err := imported(tables.Wishes{Metric: "acc"}, f)
	wantLines(t, r, err, "m t/0 0 1", "m t/2 0 0.5")
	wantNote(t, r, "1 score by acc that is NaN (no value)")
	r, err = imported(tables.Wishes{Metric: "ok"}, f)
	wantLines(t, r, err, "m t/0 0 1", "m t/1 0 0")
	if want := []string{"t/0 depth=1", "t/1 depth=2"}; !slices.Equal(r.features, want) {
		t.Errorf("features %q, want %q", r.features, want)
	}
}
