package cli_test

import (
	"encoding/csv"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// sloped returns responses to items of which every other hardly depends on ability, and the rest do steeply.
func sloped(seed uint64, subjects, items int) string {
	r, able := rng.Stream(seed, "slopes"), 0.0
	return planted(seed, subjects, items, func(_, i int, _ byte) byte {
		if i == 0 {
			able = r.Norm()
		}
		return map[bool]byte{true: '1', false: '0'}[r.Float64() < num.Logistic([]float64{0.4, 3}[i%2]*(able-0.2*float64(i-items/2)))]
	})
}

// chained returns responses of which each is likely to be as the one before.
func chained(seed uint64, subjects, items int) string {
	r, able, before := rng.Stream(seed, "chain"), 0.0, 0.0
	return planted(seed, subjects, items, func(_, i int, _ byte) byte {
		if i == 0 {
			able, before = r.Norm(), 0
		}
		if r.Float64() < num.Logistic(able+before) {
			before = 1.5
			return '1'
		}
		before = -1.5
		return '0'
	})
}

// TestMisfitRemedies checks that what the warnings misfit and several-abilities of irt tell one to do makes it go, or at least reliability fall: slopes where items differ
// in slope, and one of each pair of items where responses depend on the one before. Of that chain the reliability is .72 and not .9.
func TestMisfitRemedies(t *testing.T) {
	dir := t.TempDir()
	analyse := func(name, text string, args ...string) (warning string, reliability float64) {
		path, out := filepath.Join(dir, name+".csv"), filepath.Join(dir, name)
		write(t, path, []byte(text))
		must(t, append([]string{"irt", path, "--out", out, "--force"}, args...)...)
		for _, x := range cellsOf(t, out, "model", "reliability", 1) {
			var err error
			if reliability, err = strconv.ParseFloat(x, 64); err != nil {
				t.Fatal(err)
			}
		}
		warnings, err := csv.NewReader(strings.NewReader(string(read(t, filepath.Join(out, "warnings.csv"))))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range warnings {
			if w[0] == "misfit" || w[0] == "several-abilities" {
				warning += w[1]
			}
		}
		return warning, reliability
	}
	if w, _ := analyse("slopes", sloped(555, 150, 14), "--model", "2pl"); w != "" {
		t.Errorf("slopes: %s", w)
	}
	w, before := analyse("chain", chained(556, 150, 24))
	_, leave, ok := strings.Cut(w, "that goes together: --leave-out ")
	if !ok {
		t.Fatalf("chain: %q", w)
	}
	if _, after := analyse("chain", chained(556, 150, 24), "--leave-out", strings.TrimSuffix(leave, ".")); before < 0.85 || after > before-0.05 {
		t.Errorf("chain: reliability %.3f, without %s %.3f", before, leave, after)
	}
}
