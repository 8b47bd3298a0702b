package mml

import "testing"

// TestSpreadError compares the standard error of the spread by conjugate gradients with that of the whole inverse, of ordered categories and with missing
// and repeated responses, too.
func TestSpreadError(t *testing.T) {
	gaps, _ := drawn(2, Rasch, 60, 30, 2)
	for n := range gaps.Responses {
		gaps.Responses[n][n%30], gaps.Responses[n][n*7%30] = -1, -1
	}
	ordered, _ := drawn(4, Partial, 80, 10, 4)
	again := retaken(5, Rasch, 40, 12, 2, 3, 0.3)
	again.Alike = 0.3
	for _, c := range []struct {
		name string
		d    *Data
		m    Model
	}{{"LSAT6", lsat6(), Rasch}, {"missing", gaps, Rasch}, {"ordered", ordered, Partial}, {"repeated", again, Rasch}} {
		f := estimated(t, c.d, Settings{Model: c.m})
		near(t, c.name, f.e.spreadError(), f.SpreadSE, 1e-5)
	}
	if f := estimated(t, gaps, Settings{Model: TwoPL}); f.Spread != 0 || f.SpreadSE != 0 {
		t.Errorf("items with slopes of their own have spread %g ± %g", f.Spread, f.SpreadSE)
	}
}
