package layout_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"achilles/infer/prior"
	"achilles/sim/expr"
)

// TestManual checks that the manual has every function with its description, every prior, every family and every shipped
// layout, and that its example is the layout aaio with four parameters.
func TestManual(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", "layouts.md"))
	if err != nil {
		t.Fatal(err)
	}
	doc := string(text)
	var want []string
	for _, f := range expr.Functions() {
		want = append(want, "| `"+f.Usage+"` | "+f.Doc)
	}
	for _, n := range prior.Names() {
		f, _ := prior.Named(n)
		want = append(want, "`"+n+"("+strings.Join(f.Args(), ", ")+")`")
	}
	for _, f := range strings.Fields("bernoulli binomial normal beta zero_one_inflated_beta choice") {
		want = append(want, "`"+f+"`")
	}
	files, err := filepath.Glob(filepath.Join("..", "..", "scenarios", "layouts", "*.toml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".toml")
		shipped(t, name)
		want = append(want, "`"+name+"`")
	}
	for _, w := range want {
		if !strings.Contains(doc, w) {
			t.Errorf("docs/reference/layouts.md does not mention %s", w)
		}
	}
	_, example, _ := strings.Cut(doc, "```toml\n")
	example, _, _ = strings.Cut(example, "```")
	if l := parse(t, example); l.Name != "aaio" || len(l.Parameters) != 4 {
		t.Errorf("the example is %s with %d parameters", l.Name, len(l.Parameters))
	}
}
