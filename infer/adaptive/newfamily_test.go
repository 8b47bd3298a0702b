package adaptive

import (
	"math"
	"strconv"
	"testing"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// TestFamilyWidth computes a width by hand: two families of two errors, of which the largest counts. The mean square between families is
// (1.5² + 1²)/2 = 1.625, the part within ½ · (0.5 + 2)/2 = 0.625, hence 2.25²/(1.625²/2 + 0.625²/2) degrees of freedom.
func TestFamilyWidth(t *testing.T) {
	const level = 0.9
	df := 2.25 * 2.25 / (1.625*1.625/2 + 0.625*0.625/2)
	want := 2 * num.StudentTQuantile(0.95, df) / num.NormalQuantile(0.95)
	if got := familyWidth([][]float64{{1, 2}, nil, {-2, 0}}, level); math.Abs(got-want) > 1e-12 {
		t.Errorf("width %g, want %g", got, want)
	}
	if got := familyWidth([][]float64{nil, {}}, level); got != 0 {
		t.Errorf("without errors: %g", got)
	}
	if got := familyWidth([][]float64{{0}, {0, 0}}, level); got != 0 {
		t.Errorf("of errors 0: %g", got)
	}
}

// TestFamilyWidthCovers checks that intervals of 90 % hold 85 to 95 % of errors of new families, of 3 to 20 of four subjects whose errors
// are normal, with 0, half and nine tenths of the variance between families: within four standard errors of 2000 tables each.
func TestFamilyWidthCovers(t *testing.T) {
	const level, tables = 0.9, 2000
	for _, families := range []int{3, 6, 20} {
		for _, between := range []float64{0, 0.5, 0.9} {
			r := rng.Stream(511, "new family", strconv.Itoa(families), strconv.FormatFloat(between, 'g', -1, 64))
			family := func() []float64 {
				mean, out := float64(math.Sqrt(between)*r.Norm()), make([]float64, 4)
				for i := range out {
					out[i] = mean + float64(math.Sqrt(1-between)*r.Norm())
				}
				return out
			}
			held := 0.0
			for range tables {
				errors := make([][]float64, families)
				for f := range errors {
					errors[f] = family()
				}
				if math.Abs(family()[0]) <= familyWidth(errors, level) {
					held++
				}
			}
			t.Logf("%d families, %g between: %.3f", families, between, held/tables)
			if se := math.Sqrt(level * (1 - level) / tables); held/tables < 0.85-4*se || held/tables > 0.95+4*se {
				t.Errorf("%d families, %g between: %.3f", families, between, held/tables)
			}
		}
	}
}

// TestWithout checks that nothing of a fold that is left out is in the means of the others: they set what items are chosen.
func TestWithout(t *testing.T) {
	m := &matrix{x: [][]float64{{1, 0}, {0, 0}, {0, 1}}, mean: []float64{0.9, 0.9}, known: make([][]bool, 3)}
	in, out := m.without([]int{1, 0, 0}, 1)
	if len(in.x) != 2 || len(out.x) != 1 || in.mean[0] != 0 || in.mean[1] != 0.5 || out.x[0][0] != 1 {
		t.Errorf("others %v with means %v, left out %v", in.x, in.mean, out.x)
	}
}
