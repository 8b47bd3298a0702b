package episodes_test

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"achilles/render/cli/clitest"
)

// TestMotion compares generated episodes with the benchmark's own, by achilles scenarios motion: the middle half of every
// measure of one must meet that of the other, and no generated trial may be far out of the range of the published ones.
func TestMotion(t *testing.T) {
	data := clitest.Data(t, "bib")
	dir := t.TempDir()
	real, ours := filepath.Join(dir, "real"), filepath.Join(dir, "ours")
	must(t, "import", "bib", data, "--out", real)
	must(t, "generate", "bib", "--set", "episodes=12", "--set", `bib.tasks=["preference", "single_object"]`, "--out", ours)
	t.Setenv("COLUMNS", "200")
	out := must(t, "scenarios", "motion", real, ours)
	rows := regexp.MustCompile(`(?m)^(\S.*?)  +(real|ours) \((\d+) trials\) +(.*)$`).FindAllStringSubmatch(out, -1)
	if len(rows) != 28 {
		t.Fatalf("%d rows in\n%s", len(rows), out)
	}
	for i := 0; i < len(rows); i += 2 {
		name := rows[i][1]
		if name != rows[i+1][1] || rows[i][2] != "real" || rows[i][3] != "29" || rows[i+1][2] != "ours" {
			t.Errorf("rows %q", rows[i:i+2])
		}
		x, y := quantiles(t, rows[i][4]), quantiles(t, rows[i+1][4])
		if x[1] > y[3] || y[1] > x[3] {
			t.Errorf("%s: the middle half of the published trials is %v to %v, that of ours %v to %v", name, x[1], x[3], y[1], y[3])
		}
		if name == "minimum distance to a wall" && x[0] != y[0] || strings.HasPrefix(name, "still") && x[0] != y[4] ||
			strings.HasPrefix(name, "excess") && y[4] > x[4] {
			t.Errorf("%s: published %v, ours %v", name, x, y)
		}
	}
}

// quantiles returns the five quantiles in the cells of a row, behind the number of values.
func quantiles(t *testing.T, cells string) (q [5]float64) {
	t.Helper()
	for i, word := range strings.Fields(strings.ReplaceAll(cells, "−", "-"))[1:6] {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			t.Fatalf("cells %q: %v", cells, err)
		}
		q[i] = x
	}
	return q
}

// TestMotionPicture checks that motion draws the distributions of two directories, and refuses a file that is no picture
// before it measures anything.
func TestMotionPicture(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, motion := range map[string]string{"ours": "measured", "straight": "ideal"} {
		must(t, "generate", "bib", "--set", "episodes=4", "--set", "motion="+motion, "--set", `bib.tasks=["single_object"]`, "--out", name)
	}
	out := must(t, "scenarios", "motion", "ours", "straight", "--out", "motion.svg")
	svg := string(read(t, "motion.svg"))
	for _, want := range []string{"straight", "minimum distance to a wall", "proportion at most"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	if !strings.HasSuffix(out, "figure in motion.svg\n") || strings.Contains(svg, "distance between objects") { // single_object has one
		t.Errorf("%s", out)
	}
	if code, out, errs := achilles(t, "scenarios", "motion", "nowhere", "--out", "motion.txt"); code != 2 || out != "" || !strings.Contains(errs, ".png or .svg") {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
}
