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

// A kernel has the kernels of all points of a guide at one place. Each is normal; its standard deviation in each coordinate is that of
// all points. In nine coordinates the nearest of a few hundred points are about two standard deviations away and have most of the
// weight.
type kernel struct {
	each   []float64 // [guide point] relative to the largest
	logSum float64   // log of the guide's density, without its constant
}

// at computes the kernel at z.
func (g *guide) at(z []float64, to *kernel) {
	nearest := math.Inf(1)
	flat, scale := g.flat, g.scale[:len(z)]
	for i := range to.each {
		d, p := 0.0, flat[:len(z)]
		flat = flat[len(z):]
		for k, x := range z {
			r := float64((x - p[k]) * scale[k])
			d += float64(r * r)
		}
		to.each[i] = d
		nearest = min(nearest, d)
	}
	for i, d := range to.each {
		to.each[i] = 0.5 * (nearest - d)
	}
	num.ExpEach(to.each)
	to.logSum = num.Log(num.Sum(to.each)) - 0.5*nearest
}
