package adaptive_test

import (
	"math"
	"testing"

	"achilles/infer/adaptive"
	"achilles/sim/num"
)

// TestCurves holds characteristic curves and information against the logistic function: of items with known demands, and of fitted ones against
// their mean over the draws.
func TestCurves(t *testing.T) {
	const n = 5
	curves, err := adaptive.Curves(adaptive.Model{Design: bind(t, single, candidates(n)), Prior: 1}, candidates(n))
	if err != nil {
		t.Fatal(err)
	}
	if len(curves) != 25 || curves[0].At != 0 || curves[24].At != 10 {
		t.Fatalf("%d values", len(curves))
	}
	for _, c := range curves {
		for i := range n {
			p := num.Logistic(c.At - 2.5*float64(i))
			if math.Abs(c.Expected[i]-p) > 1e-9 || math.Abs(c.Information[i]-p*(1-p)) > 1e-3*p*(1-p)+1e-9 {
				t.Errorf("item %d at %v: %v and %v, want %v and %v", i, c.At, c.Expected[i], c.Information[i], p, p*(1-p))
			}
		}
	}
	items, f := fitted(t, n)
	if curves, err = adaptive.Curves(adaptive.Model{Fitted: f, Prior: 1}, items); err != nil {
		t.Fatal(err)
	}
	for _, c := range curves {
		for i := range n {
			p, information := 0.0, 0.0
			for _, theta := range f.Draws {
				x := num.Logistic(c.At - theta[f.Joint.First(1)+i])
				p, information = p+x/float64(len(f.Draws)), information+x*(1-x)/float64(len(f.Draws))
			}
			if math.Abs(c.Expected[i]-p) > 0.02 || math.Abs(c.Information[i]-information) > 0.01 {
				t.Errorf("fitted item %d at %.2f: %.3f and %.3f, want %.3f and %.3f", i, c.At, c.Expected[i], c.Information[i], p, information)
			}
		}
	}
}
