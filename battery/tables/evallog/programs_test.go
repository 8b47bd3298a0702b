package evallog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"achilles/battery/tables"
)

// TestPrograms reads what programs write that evaluate agents, code and answers, one small file of each as its program writes it.
func TestPrograms(t *testing.T) {
	tau := `[{"task_id":0,"reward":1.0,"info":{"user_cost":0.01},"traj":[{"role":"user","content":"hi"}],"trial":0},{"task_id":0,"reward":0.0,"info":{},"traj":[],"trial":1}]`
	plus := `{"date":"2024","hash":"x","eval":{"HumanEval/0":[{"task_id":"HumanEval/0","solution":"x","base_status":"pass","plus_status":"fail"},{"base_status":"timeout","plus_status":null}]},"pass_at_k":{"base":{"pass@1":0.5}}}`
	run := `{"spec":{"completion_fns":["gpt-x"],"eval_name":"math.dev.v0","base_eval":"math","split":"dev"}}` + "\n" +
		`{"run_id":"r","event_id":0,"sample_id":"math.dev.0","type":"sampling","data":{"prompt":"?","sampled":["4"]}}` + "\n" +
		`{"run_id":"r","event_id":1,"sample_id":"math.dev.0","type":"match","data":{"correct":true,"expected":"4","sampled":"4"}}` + "\n" +
		`{"run_id":"r","event_id":2,"sample_id":"math.dev.1","type":"match","data":{"correct":false,"expected":"5","sampled":"4"}}` + "\n" +
		`{"final_report":{"accuracy":0.5},"run_id":"r"}`
	terminal := `{"id":"run","results":[{"trial_name":"a.1","task_id":"a","instruction":"x","is_resolved":true},{"task_id":"a","is_resolved":false},{"task_id":"b","is_resolved":null,"failure_mode":"unknown_agent_error"}],"accuracy":0.5}`
	judged := `{"question_id":81,"model":"m","judge":["gpt-4","single-v1"],"judgment":"[[7]]","score":7,"turn":1}` + "\n" +
		`{"question_id":81,"model":"m","judge":["gpt-4","single-v1-multi-turn"],"judgment":"?","score":-1,"turn":2}` + "\n" +
		`{"question_id":82,"model":"m","judge":["gpt-4","single-v1"],"judgment":"[[6.5]]","score":6.5,"turn":1}`
	code := `[{"question_title":"T","platform":"leetcode","question_id":"2808","difficulty":"easy","graded_list":[true,false],"pass@1":0.5},{"question_title":"U","question_id":"2809","difficulty":"hard","graded_list":[]}]`
	foo := `{"evalId":"e","results":{"version":3,"prompts":[],"results":[` +
		`{"provider":{"id":"openai:a","label":""},"prompt":{"raw":"q","label":"q"},"success":true,"score":1,"failureReason":0,"gradingResult":{"pass":true},"vars":{"level":2,"q":"?"},"testIdx":0},` +
		`{"provider":{"id":"openai:a","label":""},"prompt":{"raw":"q","label":"q"},"success":false,"score":0,"failureReason":1,"error":"Expected 4","gradingResult":{"pass":false},"vars":{"level":3,"q":"?"},"testIdx":1},` +
		`{"provider":{"id":"openai:b","label":"b"},"prompt":{"raw":"q","label":"q"},"success":false,"score":0,"failureReason":2,"error":"429","vars":{"level":2,"q":"?"},"testIdx":0},` +
		`{"provider":{"id":"openai:b","label":"b"},"prompt":{"raw":"q","label":"q"},"success":true,"score":1,"vars":{"level":3,"q":"?"},"testIdx":1}]}}`
	table := "\ufefflevel,[openai:a] Q: {{x}},[openai:b] Q: {{x}}\n1,[PASS] 2,\"[FAIL] 7\n---\nExpected, 2\"\n2,[ERROR] 429,[PASS] 4\n"
	alpaca := `[{"dataset":"helpful","instruction":"How?","output_1":"a","generator_1":"base","output_2":"b","generator_2":"m","annotator":"w","preference":1.25},{"dataset":"helpful","instruction":"Why?","output_1":"a","generator_1":"base","output_2":"b","generator_2":"m","annotator":"w","preference":0},{"dataset":"koala","instruction":"Who?","generator_1":"base","generator_2":"m","annotator":"w","preference":null}]`
	two := `{"timestamp":"t","info":{"num_trials":1,"agent_info":{"implementation":"llm_agent","llm":"gpt-x"},"environment_info":{"domain_name":"airline"}},"tasks":[],"simulations":[{"id":"s","task_id":"7","reward_info":{"reward":1.0,"db_check":{"reward":0.5}},"trial":0},{"id":"s","task_id":"8","reward_info":null,"trial":0}]}`
	swe := `{"total_instances":5,"submitted_instances":4,"resolved_instances":1,"completed_ids":["a__a-1","a__a-2"],"incomplete_ids":["b__b-5","a__a-1"],"empty_patch_ids":["b__b-4"],"submitted_ids":[],"resolved_ids":["a__a-1"],"unresolved_ids":["a__a-2"],"error_ids":["b__b-3"],"schema_version":2}`
	report := func(id string, resolved bool) string {
		return fmt.Sprintf(`{%q:{"patch_is_None":false,"patch_exists":true,"patch_successfully_applied":true,"resolved":%v,"tests_status":{"FAIL_TO_PASS":{"success":[],"failure":["t"]}}}}`, id, resolved)
	}
	compass := `{"accuracy":50.0,"details":{"type":"GEN","0":{"prompt":"Q","predictions":"A","references":"A","correct":true},"1":{"predictions":"B","references":["A"],"correct":[false,true]},"2":{"predictions":"?"}}}`
	pro := `[{"question_id":7,"question":"?","options":["a","b"],"answer":"A","answer_index":0,"category":"law","pred":"A"},{"question_id":8,"question":"?","options":["a","b"],"answer":"B","answer_index":1,"category":"law","pred":"A"},{"question_id":9,"answer":"B","answer_index":1,"category":"law","pred":null}]`
	for _, c := range []struct {
		name, metric string
		files        []*tables.File
		want         []string
		note         string
	}{
		{"τ-bench", "", []*tables.File{file("logs/gpt-airline.json", tau)}, []string{"gpt-airline 0 0 1", "gpt-airline 0 1 0"}, "without the model's name"},
		{"τ²-bench", "", []*tables.File{file("logs/x.json", two)}, []string{"gpt-x airline/7 0 1"}, "1 trial without a reward"},
		{"EvalPlus base", "base", []*tables.File{file("m_eval_results.json", plus)}, []string{"m HumanEval/0 0 1", "m HumanEval/0 1 0"}, ""},
		{"EvalPlus plus", "plus", []*tables.File{file("m.eval_results.json", plus)}, []string{"m HumanEval/0 0 0"}, ""},
		{"EvalPlus folders", "base", []*tables.File{file("r/a/eval_results.json", plus), file("r/b/eval_results.json", plus)}, []string{"a HumanEval/0 0 1", "a HumanEval/0 1 0", "b HumanEval/0 0 1", "b HumanEval/0 1 0"}, ""},
		{"OpenAI Evals", "", []*tables.File{file("2403.jsonl", run)}, []string{"gpt-x math/math.dev.0 0 1", "gpt-x math/math.dev.1 0 0"}, ""},
		{"Terminal-Bench", "", []*tables.File{file("run/results.json", terminal), file("run/run_metadata.json", `{"run_id":"r","dataset_name":"core","agent_name":"terminus","model_name":"m"}`), file("run/a/results.json", `{"id":"x","trial_name":"a.1","task_id":"a","is_resolved":true}`)},
			[]string{"terminus m core/a 0 1", "terminus m core/a 1 0"}, "1 file with single trials"},
		{"MT-Bench", "", []*tables.File{file("gpt-4_single.jsonl", judged)}, []string{"m turn 1/81 0 7", "m turn 1/82 0 6.5"}, "1 judgment of -1"},
		{"LiveCodeBench", "", []*tables.File{file("m/Scenario.codegeneration_10_0.2_eval_all.json", code)}, []string{"m 2808 0 1", "m 2808 1 0"}, "1 problem without a grade"},
		{"promptfoo", "", []*tables.File{file("output.json", foo)}, []string{"openai:a 1 0 1", "openai:a 2 0 0", "b 2 0 1"}, "1 result that is an error"},
		{"promptfoo scores", "score", []*tables.File{file("output.json", strings.Replace(foo, `"score":1,"failureReason"`, `"score":0.75,"failureReason"`, 1))}, []string{"openai:a 1 0 0.75", "openai:a 2 0 0", "b 2 0 1"}, ""},
		{"promptfoo table", "", []*tables.File{file("output.csv", table)}, []string{"openai:a 1 0 1", "openai:b 1 0 0", "openai:b 2 0 1"}, "1 result that is an error"},
		{"AlpacaEval", "", []*tables.File{file("m/annotations.json", alpaca)}, []string{"m helpful/1 0 0.25", "m helpful/2 0 0.5"}, "preferences over base"},
		{"τ-bench folders", "", []*tables.File{file("logs/a/r.json", tau), file("logs/b/r.json", tau)}, []string{"a 0 0 1", "a 0 1 0", "b 0 0 1", "b 0 1 0"}, ""},
		{"OpenAI Evals again", "", []*tables.File{file("2403.jsonl", run+"\n"+`{"sample_id":"math.dev.1","type":"match","data":{"correct":true}}`)}, []string{"gpt-x math/math.dev.0 0 1", "gpt-x math/math.dev.1 0 0", "gpt-x math/math.dev.1 1 1"}, ""},
		{"promptfoo before reasons", "", []*tables.File{file("output.json", strings.ReplaceAll(strings.ReplaceAll(foo, `"failureReason":2,`, ""), `"failureReason":1,`, ""))}, []string{"openai:a 1 0 1", "openai:a 2 0 0", "b 2 0 1"}, "1 result that is an error"},
		{"promptfoo of long texts", "", []*tables.File{file("output.json", strings.ReplaceAll(foo, `"vars":{"level":2,"q":"?"}`, `"vars":{"q":"`+strings.Repeat("x", 5000)+`"}`)), file("other.json", strings.ReplaceAll(strings.ReplaceAll(foo, `"vars":{"level":3,"q":"?"}`, `"vars":{"q":"`+strings.Repeat("x", 5000)+`"}`), "openai:", "other:"))},
			[]string{"openai:a 1 0 1", "openai:a 2 0 0", "b 2 0 1", "other:a 3 0 1", "other:a 4 0 0", "b 4 0 1"}, ""},
		{"SWE-bench", "", []*tables.File{file("claude-3.5.run1.json", swe), file("b.run1.json", swe)}, []string{"b a__a-1 0 1", "b a__a-2 0 0", "b b__b-3 0 0", "b b__b-4 0 0", "claude-3.5 a__a-1 0 1", "claude-3.5 a__a-2 0 0", "claude-3.5 b__b-3 0 0", "claude-3.5 b__b-4 0 0"}, "2 instances with an error (0"},
		{"SWE-bench, runs of one model", "", []*tables.File{file("m.run1.json", swe), file("m.run2.json", strings.ReplaceAll(swe, `"resolved_ids":["a__a-1"],"unresolved_ids":["a__a-2"]`, `"resolved_ids":[],"unresolved_ids":["a__a-1"]`))}, []string{"m.run1 a__a-1 0 1", "m.run1 a__a-2 0 0", "m.run1 b__b-3 0 0", "m.run1 b__b-4 0 0", "m.run2 a__a-1 0 0", "m.run2 b__b-3 0 0", "m.run2 b__b-4 0 0"}, "2 instances not submitted (no value)"},
		{"SWE-bench reports", "", []*tables.File{file("logs/run/m/a__a-1/report.json", report("a__a-1", true)), file("logs/run/m/a__a-2/report.json", report("a__a-2", false))}, []string{"m a__a-1 0 1", "m a__a-2 0 0"}, "2 reports of single instances"},
		{"SWE-bench, no patch", "", []*tables.File{file("logs/run/m/a__a-1/report.json", strings.Replace(report("a__a-1", false), `"patch_is_None":false`, `"patch_is_None":true`, 1)), file("logs/run/m/a__a-2/report.json", report("a__a-2", true))}, []string{"m a__a-1 0 0", "m a__a-2 0 1"}, "1 instance without a patch (0"},
		{"OpenCompass", "", []*tables.File{file("results/m/arc.json", compass), file("results/n/arc.json", compass)}, []string{"m arc/0 0 1", "m arc/1 0 0", "n arc/0 0 1", "n arc/1 0 0"}, "2 questions without a score"},
		{"MMLU-Pro", "", []*tables.File{file("m/law_result.json", pro)}, []string{"m law/7 0 1", "m law/8 0 0", "m law/9 0 0"}, "1 answer without a letter"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := imported(tables.Wishes{Metric: c.metric}, c.files...)
			wantLines(t, r, err, c.want...)
			if c.note != "" && err == nil {
				wantNote(t, r, c.note)
			}
		})
	}
	r, err := imported(tables.Wishes{}, file("output.json", foo))
	if err != nil || !slices.Contains(r.features, "1 level=2") || !slices.Contains(r.features, "2 level=3") {
		t.Errorf("features %v, %v", r, err)
	}
}

// TestOthersAreNoPrograms checks that files of other programs with a key of the same name are not taken for logs.
func TestOthersAreNoPrograms(t *testing.T) {
	for _, text := range []string{`{"apiVersion":"v1","spec":{"replicas":2}}`, `{"simulations":[{"seed":1}]}`, `{"eval":{"a":1}}`} {
		_, err := imported(tables.Wishes{}, file("a.json", text)) // a plain table, or none
		for _, program := range []string{"samples", "completion_fn", "task_id"} {
			if err != nil && strings.Contains(err.Error(), program) {
				t.Errorf("%s: taken for a log: %v", text, err)
			}
		}
	}
	one := `[{"instruction":"a","generator_1":"x","generator_2":"m","preference":1}]`
	_, err := imported(tables.Wishes{}, file("m/annotations.json", one), file("n/annotations.json", strings.ReplaceAll(strings.ReplaceAll(one, `"x"`, `"y"`), `"m"`, `"n"`)))
	wantFault(t, err, "annotation 1 compares with y, others with x")
}

// TestProgramFaults reads files that cannot be taken as they are.
func TestProgramFaults(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"a single trial", "a/results.json", `{"id":"x","trial_name":"a.1","task_id":"a","is_resolved":true}`, "name the run's folder"},
		{"pairs", "gpt-4_pair.jsonl", `{"question_id":81,"model":"a","judge":["gpt-4","pair-v2"],"g1_winner":"model_1"}`, "line 1: a judgment of a pair"},
		{"two baselines", "a.json", `[{"instruction":"a","generator_1":"x","generator_2":"m","preference":1},{"instruction":"b","generator_1":"y","generator_2":"m","preference":1}]`, "annotation 2 compares with y, others with x"},
		{"a preference", "a.json", `[{"instruction":"a","generator_1":"x","generator_2":"m","preference":3}]`, "annotation 1 has the preference 3"},
		{"a list that ends", "a.json", `[{"task_id":1,"reward":1,"info":{}},`, "a.json: byte"},
		{"several scores", "m_eval_results.json", `{"eval":{"A/1":[{"base_status":"pass","plus_status":"pass"}]}}`, "--metric: base, plus"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := imported(tables.Wishes{}, file(c.file, c.text))
			wantFault(t, err, c.want)
		})
	}
}
