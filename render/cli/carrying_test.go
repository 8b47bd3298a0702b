package cli_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestPriorFrom measures animals in short mazes first, and in long ones with what is known of them: what is known of the capabilities grows. It
// tries what is refused.
func TestPriorFrom(t *testing.T) {
	t.Chdir(t.TempDir())
	examples := filepath.Join(repository(t), "docs", "examples")
	mapping := string(read(t, filepath.Join(examples, "maze.toml")))
	for name, where := range map[string]string{"short": "path_cells > 0 && path_cells < 12", "long": "path_cells >= 12"} {
		write(t, name+".toml", []byte(strings.Replace(mapping, "path_cells > 0", where, 1)))
		must(t, "import", "--items", filepath.Join(examples, "maze-items.csv"), "--responses", filepath.Join(examples, "maze-responses.csv"), "--mapping", name+".toml", "--out", name)
	}
	layout := filepath.Join(examples, "maze-layout.toml")
	must(t, "infer", "short", "--layout", layout, "--draws", "250", "--warmup", "200", "--no-predict")
	if err := os.CopyFS("both", os.DirFS("long")); err != nil {
		t.Fatal(err)
	}
	spread := func(dir string, args ...string) float64 {
		out := must(t, append([]string{"infer", dir, "--layout", layout, "--draws", "250", "--warmup", "200", "--no-predict"}, args...)...)
		if carried := strings.Contains(out, "Posteriors carried over as priors"); carried != (args != nil) {
			t.Errorf("%q printed %s", args, out)
		}
		sum := 0.0
		for line := range strings.Lines(must(t, "show", dir, "inferred/profiles", "--where", `parameter == "climbing"`, "--format", "csv")) {
			if cells := strings.Split(line, ","); cells[0] != "subject" {
				x, err := strconv.ParseFloat(cells[4], 64)
				if err != nil {
					t.Fatal(err)
				}
				sum += x
			}
		}
		return sum / 10
	}
	if alone, both := spread("long"), spread("both", "--prior-from", "short"); !(both < 0.8*alone) {
		t.Errorf("mean SD of climbing %.3g by long mazes alone, %.3g with what short ones said", alone, both)
	}
	if !strings.Contains(string(read(t, "both/inferred/manifest.json")), `"prior_from"`) {
		t.Error("the manifest does not say where priors come from")
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--layout", layout, "--prior-from", "long"}, 1, "its result was inferred from the same responses, which would count twice"},
		{[]string{"--layout", "rasch", "--prior-from", "short"}, 1, "layout rasch measures all subjects together"},
		{[]string{"--layout", "constant", "--prior-from", "short"}, 1, "the result has no parameter of layout constant"},
		{[]string{"--layout", layout, "--prior-from", "none"}, 1, "none"},
	} {
		if code, _, said := achilles(t, append([]string{"infer", "long", "--force"}, c.args...)...); code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("%q: exit %d, %s", c.args, code, said)
		}
	}
}
