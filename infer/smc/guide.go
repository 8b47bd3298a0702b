package smc

import "achilles/sim/seed"

// guide is a set of points distributed roughly like the target, on the logit scale. It stays as it is while walkers
// move by it, so that every move leaves the target exactly invariant.
type guide [][]float64

func newGuide(points []point) guide {
	g := make(guide, len(points))
	values := make([]float64, len(points)*len(points[0].u))
	for i, p := range points {
		g[i] = values[i*len(p.u) : (i+1)*len(p.u)]
		for k, u := range p.u {
			g[i][k] = logit(u)
		}
	}
	return g
}

// pair returns two different members.
func (g guide) pair(rng *seed.Rand) (a, b []float64) {
	i := rng.IntN(len(g))
	j := rng.IntN(len(g) - 1)
	if j >= i {
		j++
	}
	return g[i], g[j]
}
