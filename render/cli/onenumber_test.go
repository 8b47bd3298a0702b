package cli_test

import (
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"achilles/render/canvas"
	"achilles/render/replay"
	"achilles/render/viewer"
)

// drawnTexts returns all texts that a viewer of a results directory draws after keys, each on a line.
func drawnTexts(t *testing.T, dir string, keys ...string) string {
	t.Helper()
	v := viewer.Open(viewer.Options{Title: "results"}, func() (*replay.Archive, error) { return replay.Open(os.DirFS(dir)) })
	defer v.Close()
	v.Settle()
	for _, k := range keys {
		v.Update(canvas.Input{Keys: []string{k}, Width: 1280, Height: 720, X: -1, Y: -1})
		v.Settle()
	}
	var b strings.Builder
	for _, op := range v.Draw(1280, 720).Ops {
		if x, ok := op.(canvas.Text); ok {
			b.WriteString(x.Text + "\n")
		}
	}
	return b.String()
}

// TestOneNumber checks that what the scores, the table of the result, the report, the viewer's overview and its profiles call by one name is one
// number, and that before scoring none of them has it.
func TestOneNumber(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	actedRun(t, dir)
	page := func() string { return html.UnescapeString(string(read(t, filepath.Join(dir, "report", "index.html")))) }
	summary := must(t, "show", dir, "summary")
	for _, measure := range []string{"Capability RMSE", "Held-out Brier score"} {
		row := regexp.MustCompile(measure + ` +(0\.\d{3})`).FindStringSubmatch(summary)
		if row == nil {
			t.Fatalf("the table of the result has no %s:\n%s", measure, summary)
		}
		said := strings.ToLower(measure + " " + row[1])
		plain := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page(), " ")), " ")
		if !strings.Contains(strings.ToLower(plain), said) {
			t.Errorf("the report does not say %q", said)
		}
		if got := strings.ReplaceAll(drawnTexts(t, dir), "\n", " "); !strings.Contains(strings.ToLower(got), said) {
			t.Errorf("the viewer's overview does not say %q:\n%s", said, got)
		}
	}

	of := map[string]float64{} // by subject
	for key := range 24 {
		keys := []string{"1"}
		for range key {
			keys = append(keys, "down")
		}
		text := drawnTexts(t, dir, append(keys, "2")...)
		if m := regexp.MustCompile(`Capability RMSE (0\.\d{3}), of this subject`).FindStringSubmatch(text); m != nil {
			x, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			of[regexp.MustCompile(`(\S+), (by the layout|averaged over)`).FindStringSubmatch(text)[1]] = x
		}
	}
	sum := 0.0
	for _, x := range of {
		sum += x * x
	}
	whole, err := strconv.ParseFloat(regexp.MustCompile(`Capability RMSE +(0\.\d{3})`).FindStringSubmatch(summary)[1], 64)
	if err != nil || len(of) != 2 || math.Abs(math.Sqrt(sum/2)-whole) > 0.001 {
		t.Errorf("the result's capability RMSE is %g, the panels of the subjects have %v", whole, of)
	}

	must(t, "infer", dir, "--layout", "embodied", "--draws", "100", "--warmup", "50", "--force")
	must(t, "report", dir)
	for where, text := range map[string]string{"the report": page(), "the viewer": drawnTexts(t, dir, "2")} {
		if strings.Contains(strings.ToLower(text), "capability rmse") {
			t.Errorf("before scoring %s has a capability RMSE", where)
		}
	}
}
