package layout_test

import (
	"flag"
	"os"
	"path/filepath"
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
