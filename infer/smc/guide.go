package smc

import (
	"math"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// A guide is a set of points distributed roughly like the target, from which walkers make proposals. It does not change
// while they do, so that every move leaves the target exactly invariant.
type guide struct {
	points [][]float64
	flat   []float64 // the coordinates of all points, point after point
	scale  []float64 // 1/standard deviation of each coordinate
}

func newGuide(points []point) *guide {
	dim := len(points[0].z)
	g := &guide{points: make([][]float64, len(points)), scale: make([]float64, dim)}
	g.flat = make([]float64, len(points)*dim)
	for i, p := range points {
		g.points[i] = g.flat[i*dim : (i+1)*dim]
		copy(g.points[i], p.z)
	}
	n := float64(len(points))
	for k := range dim {
		mean, square := 0.0, 0.0
		for _, z := range g.points {
			mean += z[k] / n
		}
		for _, z := range g.points {
			square += float64((z[k]-mean)*(z[k]-mean)) / n
		}
		g.scale[k] = 1
		if square > 0 {
			g.scale[k] = 1 / math.Sqrt(square)
		}
	}
	return g
}

// pair returns two different points of the guide, at random.
func (g *guide) pair(rng *rng.Rand) (a, b []float64) {
	i := rng.IntN(len(g.points))
	j := rng.IntN(len(g.points) - 1)
	if j >= i {
		j++
	}
	return g.points[i], g.points[j]
}

// density returns the log of the guide's kernel density at z, without its constant. It writes to kernel the kernel of
// every point, relative to the largest. The kernel is normal; its standard deviation in each coordinate is that of all
// points. In nine coordinates the nearest of a few hundred points are about two standard deviations away and have most
// of the weight.
func (g *guide) density(z, kernel []float64) float64 {
	nearest := math.Inf(1)
	flat, scale := g.flat, g.scale[:len(z)]
	for i := range kernel {
		d, p := 0.0, flat[:len(z)]
		flat = flat[len(z):]
		for k, x := range z {
			r := float64((x - p[k]) * scale[k])
			d += float64(r * r)
		}
		kernel[i] = d
		nearest = min(nearest, d)
	}
	sum := 0.0
	for i, d := range kernel {
		kernel[i] = num.Exp(0.5 * (nearest - d))
		sum += kernel[i]
	}
	return num.Log(sum) - 0.5*nearest
}
