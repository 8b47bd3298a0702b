package diag_test

import (
	"math"
	"testing"

	"achilles/infer/diag"
	"achilles/sim/rng"
)

// meanOf returns clusters of normal data with variance 1 and the posterior of their mean, which is normal about it with variance 1/n.
func meanOf(y []float64, draws int, ways ...[]int) *diag.Clusters {
	n, mean := float64(len(y)), 0.0
	for _, x := range y {
		mean += x / n
	}
	r := rng.Stream(1, "clusters")
	c := &diag.Clusters{Ways: ways, Fewest: make([]int, len(ways)), Bears: func(int) []int { return []int{0} }}
	for range draws {
		c.Draws = append(c.Draws, []float64{mean + r.Norm()/math.Sqrt(n)})
	}
	c.LogLik = func(draw int, out []float64) {
		for i, x := range y {
			out[i] = -(x - c.Draws[draw][0]) * (x - c.Draws[draw][0]) / 2
		}
	}
	return c
}

// TestWidenByHand checks the factor against the textbook: six clusters of two equal data, so that the variance of the mean is that of six. Without the posterior's
// own, 1/12, clusters add 6/5·Σ(2e)²/144 − 12/11·Σe²/144 with the twelve deviations e = ±1, and Student's t has 5 degrees of freedom.
func TestWidenByHand(t *testing.T) {
	y := []float64{1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1}
	of := []int{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}
	extra := (6./5*24 - 12./11*12) / 144
	want := math.Sqrt(1+extra*12) * 2.0150483733 / 1.6448536270
	c := meanOf(y, 100000, of)
	if got := c.Widen(len(y))[0]; math.Abs(got/want-1) > 0.02 {
		t.Errorf("factor %.4f, want %.4f", got, want)
	}
	// A second way that crosses the first, with nothing alike: sums of its two clusters are 0 and take nothing away.
	cross := []int{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}
	if got := meanOf(y, 100000, of, cross).Widen(len(y))[0]; math.Abs(got/want-1) > 0.02 {
		t.Errorf("factor %.4f beside a way without likeness, want %.4f", got, want)
	}
	// Items within passages: the passages alone count.
	passage := []int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}
	alone, both := meanOf(y, 100000, of).Widen(len(y))[0], meanOf(y, 100000, of, passage).Widen(len(y))[0]
	if both < alone*0.98 {
		t.Errorf("factor %.4f with passages whose items are unlike, %.4f without", both, alone)
	}
	// Fewer clusters than are wanted widen nothing.
	c.Fewest[0] = 7
	if got := c.Widen(len(y))[0]; got != 1 {
		t.Errorf("factor %v of too few clusters", got)
	}
}

// TestWidenOnlyWhatClustersBearOn checks that a value on which no two data of a cluster bear is left alone.
func TestWidenOnlyWhatClustersBearOn(t *testing.T) {
	y := []float64{1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1}
	of := []int{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}
	c := meanOf(y, 2000, of)
	r := rng.Stream(2, "clusters")
	for i := range c.Draws {
		c.Draws[i] = append(c.Draws[i], r.Norm(), r.Norm())
	}
	c.Bears = func(i int) []int { return []int{0, 1 + i%2} } // each of a pair has a value of its own
	got := c.Widen(len(y))
	if !(got[0] > 1.5) || got[1] != 1 || got[2] != 1 {
		t.Errorf("factors %v", got)
	}
}
