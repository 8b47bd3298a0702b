package cli

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"achilles/infer/layout"
)

// TestLayoutIsParsedOnce infers by a layout of which only what was parsed is left: there is no file of its name, and its text
// is none of a layout. So whatever reads or parses it a second time fails.
func TestLayoutIsParsedOnce(t *testing.T) {
	execute := func(layouts map[string]*layout.Layout, args ...string) error {
		a := &app{stdout: io.Discard, stderr: io.Discard, status: new(status), layouts: layouts}
		root := a.root()
		root.SetArgs(args)
		return root.ExecuteContext(context.Background())
	}
	for _, c := range []struct{ scenario, set, layout string }{
		{"quickstart", "battery.sample=20", "constant"},
		{"2pl", "battery.items=5", "2pl"},
	} {
		dir := filepath.Join(t.TempDir(), c.scenario)
		known := map[string]*layout.Layout{}
		if err := execute(known, "generate", c.scenario, "--set", c.set, "--out", dir); err != nil {
			t.Fatal(err)
		}
		l, err := (&app{layouts: known}).layout(c.layout)
		if err != nil {
			t.Fatal(err)
		}
		l.Text = "not a layout"
		known = map[string]*layout.Layout{"./gone.toml": l}
		if err := execute(known, "infer", dir, "--layout", "./gone.toml", "--draws", "100", "--warmup", "50"); err != nil {
			t.Errorf("%s: %v", c.scenario, err)
		}
		if known["./gone.toml"] != l {
			t.Errorf("%s: the layout was read again", c.scenario)
		}
	}
}
