package mml

import (
	"math"

	"achilles/sim/num"
)

// A grid has the nodes of an integral over abilities.
type grid struct {
	theta [][]float64 // by node, its abilities
	logw  []float64   // log weights
	each  int         // nodes in each direction
}

// even returns evenly spaced nodes from −reach to reach in each direction. The sum over them errs by exp(−2π²σ²/h²) where the integrand is a normal density
// of standard deviation σ and they are h apart: 3e−9 for h = σ.
func even(abilities, each int, reach float64) *grid {
	h := 2 * reach / float64(each-1)
	line := make([]float64, each)
	logs := make([]float64, each)
	for q := range line {
		line[q], logs[q] = -reach+float64(h*float64(q)), num.Log(h)
	}
	return product(abilities, line, logs)
}

// product returns the grid of all combinations of the nodes of a line.
func product(abilities int, line, logs []float64) *grid {
	g := &grid{theta: [][]float64{nil}, logw: []float64{0}, each: len(line)}
	for range abilities {
		var theta [][]float64
		var logw []float64
		for q, t := range g.theta {
			for k, x := range line {
				theta = append(theta, append(append([]float64{}, t...), x))
				logw = append(logw, g.logw[q]+logs[k])
			}
		}
		g.theta, g.logw = theta, logw
	}
	return g
}

// hermite returns the nodes and log weights by which a sum is the mean over a standard normal density, exact for polynomials of a degree below
// 2n (Golub and Welsch 1969).
func hermite(n int) (line, logs []float64) {
	a := num.Rows(n, n)
	for i := 1; i < n; i++ {
		a[i][i-1] = math.Sqrt(float64(i))
		a[i-1][i] = a[i][i-1]
	}
	values, vectors := num.Eigen(a)
	for k, x := range values {
		line = append(line, x)
		logs = append(logs, num.Log(float64(vectors[k][0]*vectors[k][0])))
	}
	return line, logs
}

// around returns a standard grid moved to a mean and stretched by a factor of a covariance. Its weights are for integrals of functions
// that are not divided by the density of the standard grid.
func (g *grid) around(mean []float64, l num.Lower) *grid {
	out := &grid{each: g.each}
	whole := float64(len(mean)) * num.LogSqrt2Pi
	for m := range mean {
		whole += num.Log(l.Row(m)[m])
	}
	for q, t := range g.theta {
		x := make([]float64, len(mean))
		l.Mul(t, x)
		square := 0.0
		for m := range x {
			x[m] += mean[m]
			square += float64(t[m] * t[m])
		}
		out.theta = append(out.theta, x)
		out.logw = append(out.logw, g.logw[q]+whole+square/2)
	}
	return out
}
