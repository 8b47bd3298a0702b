package smc_test

import (
	"math"
	"testing"

	"achilles/infer/smc"
	"achilles/sim/rng"
)

// TestMovesKeepTheTarget checks each kind of move. Points are drawn exactly from a target and moved once; they must
// still be distributed like the target, although the guide is far from it. The target has two peaks of different widths
// in one coordinate, tempered to the power ½; the other coordinate is uniform. There are 20 bins of 1000 expected
// points. Chi-square with 19 degrees of freedom exceeds 73 with probability 3e-8.
func TestMovesKeepTheTarget(t *testing.T) {
	const bins, n, power = 20, 20_000, 0.5
	shape := func(u []float64) float64 {
		a := (u[0] - 0.15) / 0.05
		b := (u[0] - 0.7) / 0.1
		return 2 * math.Log(math.Exp(-a*a/2)+2*math.Exp(-b*b/2)+0.05)
	}
	edges := quantiles(func(u float64) float64 { return math.Exp(power * shape([]float64{u})) }, bins)
	for _, c := range []struct {
		name string
		move func(w *smc.Walker)
	}{
		{"slice of one coordinate", func(w *smc.Walker) { w.Slice(0) }},
		{"slice of the other", func(w *smc.Walker) { w.Slice(1) }},
		{"step", func(w *smc.Walker) { w.Step() }},
		{"jump", func(w *smc.Walker) { w.Jump() }},
		{"leap", func(w *smc.Walker) { w.Leap() }},
	} {
		rng := rng.Stream(1, "moves", c.name)
		others := make([][]float64, 30)
		for i := range others {
			others[i] = odds(rng.Float64(), rng.Float64()*rng.Float64())
		}
		w := smc.NewWalker(density{2, shape}, power, others[0], others, rng)
		var count [2][bins]float64
		moved := 0
		for range n {
			bin := rng.IntN(bins)
			from := []float64{inBin(edges, bin, shape, power, &rng), rng.Float64()}
			w.Put(odds(from...))
			c.move(w)
			to := quantile(w.At())
			if math.Abs(to[0]-from[0]) > 1e-12 || math.Abs(to[1]-from[1]) > 1e-12 {
				moved++
			}
			at := 0
			for to[0] > edges[at+1] {
				at++
			}
			count[0][at]++
			count[1][int(to[1]*bins)]++
		}
		if moved < n/20 {
			t.Errorf("%s: only %d of %d points moved: the test proves nothing", c.name, moved, n)
		}
		for k := range count {
			chi := 0.0
			for _, x := range count[k] {
				chi += (x - n/bins) * (x - n/bins) / (n / bins)
			}
			if chi > 73 {
				t.Errorf("%s: coordinate %d has chi-square %.0f after the move; counts %.0f", c.name, k, chi, count[k])
			}
		}
	}
}

// quantiles returns the edges of bins of equal mass under an unnormalised density on the unit interval.
func quantiles(f func(float64) float64, bins int) []float64 {
	const grid = 200_000
	cumulative := make([]float64, grid+1)
	for i := range grid {
		cumulative[i+1] = cumulative[i] + f((float64(i)+0.5)/grid)
	}
	edges := []float64{0}
	for i, c := range cumulative {
		if c >= cumulative[grid]*float64(len(edges))/float64(bins) {
			edges = append(edges, float64(i)/grid)
		}
	}
	for len(edges) <= bins {
		edges = append(edges, 1)
	}
	edges[bins] = 1
	return edges
}

// inBin draws a point of a bin by rejection, in proportion to the density.
func inBin(edges []float64, bin int, shape func([]float64) float64, power float64, rng *rng.Rand) float64 {
	low, high := edges[bin], edges[bin+1]
	top := math.Inf(-1)
	for i := range 101 {
		top = math.Max(top, shape([]float64{low + (high-low)*float64(i)/100}))
	}
	for {
		x := low + (high-low)*rng.Float64()
		if rng.Float64() < math.Exp(power*(shape([]float64{x})-top))*0.99 {
			return x
		}
	}
}
