package layout_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	update = flag.Bool("update", false, "rewrite the golden files")
)

func TestShow(t *testing.T) {
	for _, name := range []string{"aaio", "op"} {
		l := shipped(t, name)
		golden(t, name+".txt", l.Show())
		golden(t, name+".dot", l.DOT())
	}
	l := parse(t, kitchen("max(a, 0.5*mean(success))", decl{"capability", "a", `{ prior = "beta(1, 2)" }`}))
	golden(t, "smooth.txt", l.Show())
	golden(t, "smooth.dot", l.DOT())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -run TestShow -update rewrites it):\n%s", file, got)
	}
}

// TestPlates checks plates by hand: performances are over all that they depend on, and what is there once is on none.
func TestPlates(t *testing.T) {
	l := parse(t, `name = "plates"
[metafeature]
d = { column = "d", range = [0, 1] }
[covariate]
age = { column = "age", range = [0, 90] }
[capability]
skill = { prior = "normal(slope*age, 1)" }
school = { prior = "normal(0, 1)", per = "school" }
[item]
b = { prior = "normal(mu, 1)" }
[shared]
mu = { prior = "normal(0, 1)" }
slope = { prior = "normal(0, 1)" }
[performance]
own = "skill + school"
hard = "b + d"
twice = "2*mu"
margin = "own - hard + twice"
[response.success]
p = "logistic(margin)"
`)
	text := l.Show()
	for _, want := range []string{"each item              d, b, hard\n", "each subject           age, skill, own\n", "each school            school\n", "each subject and item  margin, success\n"} {
		if !strings.Contains(text, "  "+want) {
			t.Errorf("no line %q in:\n%s", want, text)
		}
	}
}
