package joint

import (
	"context"
	"math"
	"slices"
	"strconv"

	"achilles/sim/rng"
)

// beginAtPeaks replaces the points where chains begin by points around the maxima to which climbs from there lead, and the rough standard
// deviations by those around the highest maximum. Far from a maximum, where subjects have the wrong patterns, trajectories are long.
func (g *quadrature) beginAtPeaks(ctx context.Context, starts [][]float64, root uint64, path ...string) {
	t := g.newSummed()
	ones := scales(slices.Repeat([]float64{1}, t.Dim()))
	free := make([]int, t.Dim())
	for i := range free {
		free[i] = i
	}
	var peaks [][]float64
	highest, top := 0, math.Inf(-1)
	for i, theta := range starts {
		x := t.unconstrain(theta)
		for k, s := range g.scale {
			x[k] /= s
		}
		c := climber{ctx: ctx, target: t, free: free}
		if l, _ := c.climb(x, ones, roughly, climbSteps); l > top {
			highest, top = i, l
		}
		peaks = append(peaks, x)
	}
	deviations := t.deviations(peaks[highest])
	grad := make([]float64, t.Dim())
	for i, peak := range peaks {
		r := rng.Stream(root, append(slices.Clone(path), "peak", strconv.Itoa(i))...)
		x := slices.Clone(peak)
		for k, d := range deviations { // with twice the spread
			x[k] += float64(2*d*r.Norm()) / g.scale[k]
		}
		if l := t.LogDensity(x, grad); math.IsInf(l, 0) || math.IsNaN(l) {
			x = peak
		}
		kept := make([]float64, t.Dim())
		t.Constrain(x, kept)
		for k, at := range g.keep {
			starts[i][at] = kept[k]
		}
	}
	g.scale = deviations
}

// deviations returns rough standard deviations of the values q around x: those of the complete data, in which as many subjects have a
// pattern as are expected at x. No outcome depends on two units of a parameter, so that one step of all units gives every second derivative.
func (t *summed) deviations(x []float64) []float64 {
	const step = 1e-3
	grad := make([]float64, len(x))
	t.LogDensity(x, grad) // counts the subjects
	j := t.quadrature.at.Joint()
	slope := func(from, to int, by float64) []float64 {
		q := slices.Clone(t.q)
		for k := from; k < to; k++ {
			q[k] += by
		}
		t.target.LogDensity(q, t.grad)
		return slices.Clone(t.grad[from:to])
	}
	out := make([]float64, 0, len(x))
	for i := range j.Layout().Parameters {
		if slices.Contains(t.subject, i) {
			continue
		}
		from, to := j.First(i), j.First(i)+j.Units(i)
		up, down := slope(from, to, step), slope(from, to, -step)
		for u := range up {
			d := 1 / math.Sqrt((down[u]-up[u])/(2*step))
			if !(d > 0) || math.IsInf(d, 0) { // no maximum along this value
				d = t.scale[len(out)]
			}
			out = append(out, d)
		}
	}
	return out
}
