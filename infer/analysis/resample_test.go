package analysis_test

import (
	"math"
	"strings"
	"testing"

	"achilles/infer/analysis"
	"achilles/infer/layout"
)

// TestResample: of subjects who respond as a layout says, a battery of easier items raises success and leaves capability, which intervals from
// the resample hold about as often as they should, while those of success do not. Half of the subjects leaves both; their ability by item
// response theory and their standing, which are relative to the population, move towards its middle: by hand, the weaker half's mean standing
// is 0 instead of less.
func TestResample(t *testing.T) {
	c := quick()
	c.Resample = true
	d := simulated(16, 150)
	l, err := layout.Parse("size.toml", `name = "size"
[metafeature]
size = { column = "size", range = [0, 1] }
[capability]
ability = { prior = "uniform(0, 1)" }
[response.success]
p = "logistic(8*(ability - size))"
`)
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.LayoutPredictor(d, l)
	if err != nil {
		t.Fatal(err)
	}
	c.Predictors = append(c.Predictors, p)
	rows := run(t, d, c).Document().Tables.Resampled
	at := map[string]analysis.ResampledRow{}
	for _, r := range rows {
		at[strings.Fields(r.Resample)[0]+" "+r.Measure] = r
	}
	if len(rows) != 16 {
		t.Errorf("%d rows, want four measures of four resamples", len(rows))
	}
	for _, way := range []string{"easier", "harder"} {
		success, ability := at[way+" success rate"], at[way+" size: ability"]
		sign := map[string]float64{"easier": 1, "harder": -1}[way]
		if sign*success.Shift < 0.3 || success.Covered > 0.5 {
			t.Errorf("%s: success shifts by %v SDs, covered %v", way, success.Shift, success.Covered)
		}
		if math.Abs(ability.Shift) > 0.1 || ability.Covered < 0.8 || success.Subjects != 16 || ability.Subjects != 16 {
			t.Errorf("%s: ability shifts by %v SDs, covered %v, of %d", way, ability.Shift, ability.Covered, ability.Subjects)
		}
	}
	for _, half := range []string{"weaker", "stronger"} {
		for _, m := range []string{"success rate", "size: ability"} {
			if r := at[half+" "+m]; r.RMS != 0 || r.Covered != 1 || r.Subjects != 8 {
				t.Errorf("%s: %+v", half, r)
			}
		}
		standing, irt := at[half+" standing in population"], at[half+" IRT ability"]
		if math.Abs(standing.Mean) > 1e-12 || math.Abs(standing.All+standing.Shift) > 1e-9 || math.Abs(standing.Shift) < 0.5 {
			t.Errorf("%s: standing %+v", half, standing)
		}
		if irt.Shift*standing.Shift < 0 || math.Abs(irt.Shift) < 0.5 {
			t.Errorf("%s: ability by item response theory shifts by %v", half, irt.Shift)
		}
	}
	c.Resample = false
	if rows := run(t, d, c).Document().Tables.Resampled; rows != nil {
		t.Error("a table that nobody asked for")
	}
}
