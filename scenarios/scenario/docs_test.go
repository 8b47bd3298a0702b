package scenario_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"achilles/agents"
	"achilles/battery/ctest"
	"achilles/battery/opiaagets"
	"achilles/scenarios/scenario"
	"achilles/sim/expr"
)

func docs(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/reference/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDocumentedScenarios checks every TOML block of the documentation, after completing blocks that are only part of a
// scenario.
func TestDocumentedScenarios(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(docs(t), -1)
	if len(blocks) < 5 {
		t.Fatalf("%d blocks", len(blocks))
	}
	for _, b := range blocks {
		text := b[1]
		if !strings.HasPrefix(text, "name = ") {
			text = "name = \"part\"\n" + text
		}
		if !strings.Contains(text, "[[agent]]") && !strings.Contains(text, "[bib]") && !strings.Contains(text, "[[population]]") && !strings.Contains(text, "\nsubjects = ") {
			text += "[[agent]]\nname = \"a\"\nrule = [{ p = 1 }]\n"
		}
		for _, err := range scenario.Check(t.Context(), "docs", text) {
			t.Errorf("%v in\n%s", err, text)
		}
	}
}

// TestDocumentedNames checks that the documentation names every feature, factor, function, distribution, and word for
// a subject's family or has_op.
func TestDocumentedNames(t *testing.T) {
	text := docs(t)
	need := func(kind, name string) {
		if !strings.Contains(text, name) {
			t.Errorf("%s %s is not documented", kind, name)
		}
	}
	b := opiaagets.Corrected()
	for _, name := range b.ColumnNames() {
		need("feature", "`"+name+"`")
	}
	series := ctest.Of(ctest.Published())
	for _, name := range series.ColumnNames() {
		need("feature", "`"+name+"`")
	}
	for _, f := range opiaagets.Factors() {
		need("factor", f.Name)
	}
	for _, f := range expr.Functions() {
		need("function", f.Name)
	}
	for _, d := range agents.Distributions() {
		need("distribution", "`"+d.Usage+"`")
	}
	for _, w := range append(agents.Families(), agents.HasOPWords()...) {
		need("word", "`"+w+"`")
	}
}

// TestDocumentedErrors checks that the two error messages in the documentation are those that the faults give.
func TestDocumentedErrors(t *testing.T) {
	text := docs(t)
	for from, to := range map[string]string{`"lava == 1"`: `"lavva == 1"`, "held_out = 0.25": "held_out = 1"} {
		errs := scenario.Check(t.Context(), "mine.toml", strings.Replace(small, from, to, 1))
		if len(errs) != 1 || !strings.Contains(text, errs[0].Error()) {
			t.Errorf("errors %v are not in the documentation", errs)
		}
	}
}
