package evallog_test

import (
	"archive/zip"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"achilles/battery/tables"
)

const model = "openai/example-small"

// TestInspectSamples reads archives that Python wrote. The values are those that are written in the entries: C is 1, I 0, P one half, N
// (no answer) 0, and an error is no value.
func TestInspectSamples(t *testing.T) {
	for _, name := range []string{"inspect-deflate.eval", "inspect-zstd.eval"} {
		_, err := imported(tables.Wishes{}, sample(t, name))
		wantFault(t, err, name, "--scorer: includes, seconds")
		r, err := imported(tables.Wishes{Scorer: "includes"}, sample(t, name))
		wantLines(t, r, err, model+" demo/mazes/m1 1 1", model+" demo/mazes/m1 2 0", model+" demo/mazes/m2 1 0.5", model+" demo/mazes/m2 2 0", model+" demo/mazes/3 2 1")
		wantNote(t, r, "1 sample stopped by an error, without a score (no value): demo/mazes/3")
		wantNote(t, r, "1 value N (no answer) read as 0")
		wantNote(t, r, "1 metadata key whose value differs between samples of one item, left out: Working Memory")
		r, err = imported(tables.Wishes{Scorer: "seconds"}, sample(t, name))
		wantLines(t, r, err, model+" demo/mazes/m1 1 1.5", model+" demo/mazes/m1 2 2.5", model+" demo/mazes/m2 1 0.5", model+" demo/mazes/m2 2 9", model+" demo/mazes/3 2 3")
		_, err = imported(tables.Wishes{Scorer: "second"}, sample(t, name))
		wantFault(t, err, `no scorer "second": there are includes, seconds`)
	}
}

// TestInspectShapes checks that a log says the same however it is written: as JSON, with the samples first, in an archive with and without
// header and summaries, as it was in 2024, and in several frames.
func TestInspectShapes(t *testing.T) {
	h := header("t", "m", "t1", "2026-11-01T10:00:00+00:00")
	one, two := scored(`"a"`, 1, `"C"`), scored(`7`, 1, `0.25`)
	summaries := "[" + one + "," + two + "]"
	bare := `[{"id":"a","epoch":1,"scores":{"match":{"value":"C"}}},{"id":7,"epoch":1,"scores":{"match":{"value":0.25}}}]`
	stale := `[{"id":"a","epoch":1,"metadata":{},"scores":{"match":{"value":"I"}}}]`
	for name, f := range map[string]string{
		"a.json":           log("t", "m", "t1", "2026-11-01T10:00:00+00:00", one, two),
		"samples.json":     `{"samples":[` + one + "," + two + `],` + h[1:],
		"deflate.eval":     archive(zip.Deflate, "_journal/start.json", h, "samples/a_epoch_1.json", one, "samples/7_epoch_1.json", two, "header.json", h),
		"zstd.eval":        archive(zstd.ZipMethodWinZip, "_journal/start.json", h, "samples/a_epoch_1.json", one, "samples/7_epoch_1.json", two, "header.json", h),
		"cut.eval":         archive(zip.Deflate, "_journal/start.json", h, "samples/a_epoch_1.json", one, "samples/7_epoch_1.json", two),
		"fewer.eval":       archive(zip.Deflate, "_journal/start.json", h, "samples/a_epoch_1.json", one, "samples/7_epoch_1.json", two, "_journal/summaries/1.json", "["+one+"]"),
		"summaries.eval":   archive(zip.Deflate, "_journal/start.json", h, "samples/a_epoch_1.json", "not read", "samples/7_epoch_1.json", "not read", "summaries.json", summaries, "header.json", h),
		"bare.eval":        archive(zip.Deflate, "_journal/start.json", h, "samples/a_epoch_1.json", one, "samples/7_epoch_1.json", two, "summaries.json", bare, "header.json", h),
		"journal.eval":     archive(zip.Deflate, "_journal/start.json", h, "_journal/summaries/1.json", stale, "_journal/summaries/2.json", summaries),
		"october.eval":     archive(zip.Deflate, "start.json", h, "samples/a_epoch_1.json", one, "samples/7_epoch_1.json", two, "summary.json", bare, "results.json", h),
		"last.eval":        archive(zip.Deflate, "_journal/start.json", h, "samples/a_epoch_1.json", scored(`"a"`, 1, `"I"`), "samples/a_epoch_1.json", one, "samples/7_epoch_1.json", two),
		"frames.eval":      frames("summaries.json", summaries[:20], summaries[20:], " ", "\n"),
		"invalidated.eval": archive(zip.Deflate, "header.json", h[:len(h)-1]+`,"invalidated":true}`, "summaries.json", stale, "samples/a_epoch_1.json", one, "samples/7_epoch_1.json", two),
	} {
		t.Run(name, func(t *testing.T) {
			r, err := imported(tables.Wishes{}, file(name, f))
			wantLines(t, r, err, "m t/a 1 1", "m t/7 1 0.25")
			if want := []string{"t/7 depth=1", "t/a depth=3"}; !slices.Equal(r.features, want) {
				t.Errorf("features %q, want %q", r.features, want)
			}
		})
	}
}

// TestInspectValues checks what a score means.
func TestInspectValues(t *testing.T) {
	for value, want := range map[string]string{
		`"C"`: "1", `"I"`: "0", `"N"`: "0", `"P"`: "0.5", `1`: "1", `true`: "1", `false`: "0", `"yes"`: "1", `"No"`: "0", `"0.75"`: "0.75", `0.65`: "0.65",
		`NaN`: "", `null`: "", `[1,0]`: "", `Infinity`: "", `"GOOD"`: "",
	} {
		r, err := imported(tables.Wishes{}, file("a.json", log("t", "m", "t1", "", scored("1", 1, value), scored("2", 1, "0.5"), scored("3", 1, "0"))))
		lines := []string{"m t/2 1 0.5", "m t/3 1 0"}
		if want != "" {
			lines = append(lines, "m t/1 1 "+want)
		}
		wantLines(t, r, err, lines...)
		if want == "" {
			wantNote(t, r, "1 item without a response: t/1")
		}
	}
	both := `{"id":1,"epoch":1,"scores":{"judge":{"value":{"clear":1,"right":0}}}}`
	_, err := imported(tables.Wishes{}, file("a.json", log("t", "m", "t1", "", both)))
	wantFault(t, err, "choose one with --scorer: judge.clear, judge.right")
	r, err := imported(tables.Wishes{Scorer: "right"}, file("a.json", log("t", "m", "t1", "", both)))
	wantLines(t, r, err, "m t/1 1 0")
}

// TestInspectNoValue checks that what has no score is no 0, and that it is counted.
func TestInspectNoValue(t *testing.T) {
	r, err := imported(tables.Wishes{}, file("a.json", log("t", "m", "t1", "",
		scored("1", 1, "1"),
		`{"id":2,"epoch":1,"scores":{},"error":{"message":"x"}}`,
		`{"id":3,"epoch":1,"scores":null}`,
		`{"id":4,"epoch":1,"scores":{"match":{"value":1}},"limit":{"type":"message","limit":50}}`,
		`{"id":5,"epoch":1,"scores":{"match":{"value":1}},"invalidation":{"reason":"contaminated"}}`,
		`{"id":6,"epoch":1,"completed":false}`)))
	wantLines(t, r, err, "m t/1 1 1", "m t/4 1 1")
	for _, n := range []string{"1 sample stopped by an error", "1 sample without a score", "1 sample stopped by a limit, with a score all the same: t/4", "1 sample declared invalid (no value): t/5", "1 sample not finished", "4 items without a response: t/2, t/3, t/5, t/6"} {
		wantNote(t, r, n)
	}
	_, err = imported(tables.Wishes{}, file("a.json", header("t", "m", "t1", "")))
	wantFault(t, err, "a.json: no samples", "a header only")
	_, err = imported(tables.Wishes{}, file("a.json", log("t", "m", "t1", "", `{"id":3,"epoch":1,"scores":null}`)))
	wantFault(t, err, "a.json: no sample has a score")
}

// TestInspectRetries checks that the last attempt counts where logs say that one is a retry of the other, and that there is a question
// otherwise.
func TestInspectRetries(t *testing.T) {
	early, late := "2026-11-01T10:00:00+00:00", "2026-11-01T10:30:00+00:00"
	first := file("b.json", log("t", "m", "t1", early, scored("1", 1, "0"), scored("2", 1, "1"), scored("3", 1, "1")))
	again := file("a.json", log("t", "m", "t1", late, scored("1", 1, "1"), `{"id":2,"epoch":1,"error":{}}`))
	r, err := imported(tables.Wishes{}, first, again)
	wantLines(t, r, err, "m t/1 1 1", "m t/2 1 1", "m t/3 1 1")
	wantNote(t, r, "2 samples of a run that was tried again, of which the last counts")

	other := file("a.json", log("t", "m", "t2", late, scored("1", 1, "1")))
	_, err = imported(tables.Wishes{}, first, other)
	wantFault(t, err, "two runs have the same samples (1 of them)", "b.json and a.json", "--repetition run")
	r, err = imported(tables.Wishes{Repetition: "run"}, first, other)
	wantLines(t, r, err, "m t/1 0 0", "m t/1 1 1", "m t/2 0 1", "m t/3 0 1")

	// The same run in two files is one run, unless one of them was scored anew.
	r, err = imported(tables.Wishes{}, first, file("copy.json", log("t", "m", "t1", early, scored("1", 1, "0"))), file("logs.json", `{"b.json":{"version":2}}`))
	wantLines(t, r, err, "m t/1 1 0", "m t/2 1 1", "m t/3 1 1")
	wantNote(t, r, "1 sample that another file of the same run has, too: t/1")
	wantNote(t, r, "1 file that lists logs and has no samples, left out: logs.json")
	_, err = imported(tables.Wishes{}, first, file("b-scored.json", log("t", "m", "t1", early, scored("1", 1, "1"))))
	wantFault(t, err, "two runs have the same samples", "b.json and b-scored.json")

	// A run that another one completes is no repetition.
	broken := file("a.json", log("t", "m", "t3", early, `{"id":1,"epoch":1,"error":{}}`))
	r, err = imported(tables.Wishes{}, broken, first)
	wantLines(t, r, err, "m t/1 1 0", "m t/2 1 1", "m t/3 1 1")

	// An agent is not the model.
	agent := strings.Replace(log("t", "m", "t4", late, scored("1", 1, "1")), `"task":"t"`, `"task":"t","solver":"react","solver_args":{"attempts":3}`, 1)
	_, err = imported(tables.Wishes{}, first, file("a.json", agent))
	wantFault(t, err, "two runs have the same samples", "they differ in solver: --subject model,solver distinguishes them")
	r, err = imported(tables.Wishes{Subject: []string{"model", "solver"}}, file("c.json", strings.Replace(agent, "react", "basic", 1)), file("a.json", agent))
	wantLines(t, r, err, "m/react {attempts: 3} t/1 1 1", "m/basic {attempts: 3} t/1 1 1")

	_, err = imported(tables.Wishes{}, file("a.json", log("t", "m", "t1", early, scored("1", 1, "0"), scored("1", 1, "1"))))
	wantFault(t, err, "a.json has sample t/1 twice")
}

// TestInspectTasks checks that logs of several tasks, each with a scorer of its own, need no choice.
func TestInspectTasks(t *testing.T) {
	other := strings.ReplaceAll(log("u", "m", "t2", "", scored("1", 1, `"C"`)), `"match"`, `"choice"`)
	r, err := imported(tables.Wishes{}, file("a.json", log("t", "m", "t1", "", scored("1", 1, `"I"`))), file("b.json", other))
	wantLines(t, r, err, "m t/1 1 0", "m u/1 1 1")
	wantNote(t, r, "2 metrics together, each item has a score by one of them: match, choice")
}

// TestInspectMetadata checks which metadata are features: numbers, as numbers or as texts, and a few words; never what other programs
// would call a key.
func TestInspectMetadata(t *testing.T) {
	item := func(id int) string {
		return fmt.Sprintf(`{"id":%d,"epoch":1,"metadata":{"attempts":%d,"level":"%d","family":%q,"answer":%d,"prompt":%q,"deep":{"a":1,"steps":%d,"more":{"flag":%v,"list":[1]}},"tags":["x"]},"scores":{"match":{"value":1}}}`,
			id, id+2, id*10, []string{"maze", "tower"}[id%2], id, strings.Repeat("word ", 20+id), 2*id, id == 1)
	}
	r, err := imported(tables.Wishes{}, file("a.json", log("t", "m", "t1", "", item(1), item(2))))
	wantLines(t, r, err, "m t/1 1 1", "m t/2 1 1")
	if want := []string{"t/1 attempts=3 level=10 family=tower deep_steps=2 deep_more_flag=true", "t/2 attempts=4 level=20 family=maze deep_steps=4 deep_more_flag=false"}; !slices.Equal(r.features, want) {
		t.Errorf("features %q, want %q", r.features, want)
	}
	deepest := file("a.json", log("t", "m", "t1", "", `{"id":1,"epoch":1,"metadata":{"a":`+strings.Repeat(`{"a":`, 9)+"1"+strings.Repeat("}", 10)+`,"scores":{"match":{"value":1}}}`, scored("2", 1, "1")))
	deep, err := imported(tables.Wishes{}, deepest)
	wantLines(t, deep, err, "m t/1 1 1", "m t/2 1 1")
	wantNote(t, deep, "1 value of metadata more than 8 objects deep, left out: a.a.a.a.a.a.a.a.a")
	for _, n := range []string{"4 values of metadata that is a list, left out; the first: deep.more.list", "1 metadata key with an answer or a running number, left out: answer", "1 metadata key with texts that are not single words, left out: prompt"} {
		wantNote(t, r, n)
	}
}

// TestInspectFaults checks that a fault names the file, the entry and the place.
func TestInspectFaults(t *testing.T) {
	h := header("t", "m", "t1", "")
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"a.eval", "PK\x03\x04 and nothing", []string{"a.eval: not a readable zip archive"}},
		{"a.eval", archive(zip.Deflate, "samples/1.json", scored("1", 1, "1")), []string{"a.eval: neither header.json nor"}},
		{"a.eval", archive(zip.Deflate, "header.json", h, "samples/1_epoch_1.json", scored("1", 1, "1")[:30]), []string{"a.eval: samples/1_epoch_1.json: byte 30: unexpected EOF"}},
		{"a.eval", archive(zip.Deflate, "header.json", h, "samples/1_epoch_1.json", scored("1", 1, "1")+"}"), []string{"where the end should be"}},
		{"a.json", log("t", "m", "t1", "", scored("1", 1, "1"))[:150], []string{"a.json: byte 150: unexpected EOF"}},
		{"a.json", log("", "m", "t1", "", scored("1", 1, "1")), []string{"a.json: the evaluation has no task"}},
		{"a.json", log("t", "", "t1", "", scored("1", 1, "1")), []string{"a.json: the evaluation has no model"}},
		{"a.json", log("t", "m", "t1", "", scored("1", 1, "wrong")), []string{`not JSON: "wrong"`}},
		{"a.json", log("t", "m", "t1", "", `{"epoch":1}`), []string{"a sample has no id"}},
	} {
		_, err := imported(tables.Wishes{}, file(c.name, c.text))
		wantFault(t, err, c.want...)
	}
}
