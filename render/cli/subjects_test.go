package cli_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestTableOfSubjects imports counts of successes with their numbers of trials and a table of subjects, infers a layout that uses
// both, and exports them.
func TestTableOfSubjects(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	items, responses, subjects := "item,size\n", "who,item,ok,of\n", "who,family,checkpoint\n"
	for i := range 4 {
		items += fmt.Sprintf("i%d,%d\n", i, i)
	}
	for s := range 6 {
		subjects += fmt.Sprintf("s%d,%s,%d\n", s, []string{"crow", "jay"}[s%2], 100*(s/2))
		for i := range 4 {
			responses += fmt.Sprintf("s%d,i%d,%d,%d\n", s, i, min(s+2, 7-i), 7+i)
		}
	}
	for name, text := range map[string]string{"items.csv": items, "responses.csv": responses, "subjects.csv": subjects, "mapping.toml": `name = "counts"
[items]
id = "item"
[[feature]]
name = "size"
[subjects]
id = "who"
[[covariate]]
name = "family"
[[covariate]]
name = "checkpoint"
[responses]
form = "long"
subject = "who"
item = "item"
value = "ok"
trials = "of"
measure = "right"
family = "count"
[split]
held_out = 0
`, "layout.toml": `name = "counts"
[capability]
ability = { prior = "walk(step)", per = "checkpoint", within = "family" }
[item]
difficulty = { prior = "normal(0, 1)" }
[shared]
step = { prior = "halfnormal(1)" }
[response.right]
family = "binomial"
p = "logistic(ability - difficulty)"
`} {
		write(t, in(name), []byte(text))
	}
	must(t, "import", "--items", in("items.csv"), "--responses", in("responses.csv"), "--subjects", in("subjects.csv"), "--mapping", in("mapping.toml"), "--out", in("r"))
	must(t, "infer", in("r"), "--layout", in("layout.toml"), "--warmup", "50", "--draws", "100")
	for _, unit := range []string{"\nability,checkpoint,crow 0,", "\nability,checkpoint,jay 200,", "\ndifficulty,item,i3,", "\nstep,shared,,"} {
		if text := string(read(t, in("r/inferred/parameters.csv"))); !strings.Contains(text, unit) {
			t.Errorf("parameters.csv lacks %q", unit)
		}
	}
	must(t, "export", in("r"), "--out", in("csv"))
	if got := string(read(t, in("csv/subjects.csv"))); got != strings.Replace(subjects, "who", "subject", 1) {
		t.Errorf("exported subjects:\n%s", got)
	}
	if got := string(read(t, in("csv/responses.csv"))); !strings.Contains(got, "unscored,trials\n") || !strings.Contains(got, "s5,i0,0,test,0,0,0,right,7,fit,,7\n") {
		t.Errorf("exported responses:\n%s", got)
	}
	if code, _, stderr := achilles(t, "infer", in("r"), "--layout", in("layout.toml"), "--shard", "0/2", "--force"); code == 0 || !strings.Contains(stderr, "layout.toml:3: key capability.ability.prior: ability belongs to each checkpoint within family") {
		t.Errorf("a shard: %d %s", code, stderr)
	}
}
