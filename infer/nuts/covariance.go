package nuts

import (
	"math"

	"achilles/sim/num"
)

// A covariance accumulates the sample covariance of positions (Welford 1962).
type covariance struct {
	n           int
	mean, delta []float64
	full        bool
	sum         []float64 // Σ (x−mean)(x−mean)ᵀ: the lower triangle row by row if full, otherwise its diagonal
}

func newCovariance(dim int, full bool) *covariance {
	size := dim
	if full {
		size = dim * (dim + 1) / 2
	}
	return &covariance{mean: make([]float64, dim), delta: make([]float64, dim), full: full, sum: make([]float64, size)}
}

func (c *covariance) add(q []float64) {
	c.n++
	for i, x := range q {
		c.delta[i] = x - c.mean[i]
	}
	grow := float64(c.n-1) / float64(c.n) // (x−new mean) = (x−old mean)·(n−1)/n
	at := 0
	for i, d := range c.delta {
		c.mean[i] += d / float64(c.n)
		scaled := float64(grow * d)
		if !c.full {
			c.sum[i] += float64(scaled * d)
			continue
		}
		for j := range i + 1 {
			c.sum[at+j] += float64(scaled * c.delta[j])
		}
		at += i + 1
	}
}

func (c *covariance) reset() {
	c.n = 0
	clear(c.mean)
	clear(c.sum)
}

// drawsPerDimension is the smallest number of draws for each dimension that a full covariance needs. With fewer draws its
// smallest eigenvalue would be underestimated by a factor of (1−√(1/3))² or worse (Marchenko and Pastur 1967).
const drawsPerDimension = 3

// metric returns the metric with the covariance of the positions. It is dense if the covariance is full and there are enough
// positions, and otherwise diagonal. A dense covariance is shrunk towards 10⁻³ of its own diagonal with the weight of
// five draws (in Stan towards 10⁻³ of the identity), so that the units of the coordinates do not matter. metric returns
// false for fewer than two positions, or if the variance of a coordinate is 0 or not finite.
func (c *covariance) metric() (metric, bool) {
	dim := len(c.mean)
	if c.n < 2 {
		return nil, false
	}
	divisor := float64(c.n - 1)
	scale := make(diagonal, dim)
	at := 0
	for i := range dim {
		at++
		if c.full {
			at += i
		}
		v := c.sum[at-1] / divisor
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, false
		}
		scale[i] = math.Sqrt(v)
	}
	if !c.full || c.n < drawsPerDimension*dim {
		return scale, true
	}
	shrunk := num.NewLower(dim)
	n := float64(c.n)
	at = 0
	for i := range dim {
		for j := range i + 1 {
			shrunk[at+j] = c.sum[at+j] / divisor * n / (n + 5)
		}
		at += i + 1
		shrunk[at-1] += 1e-3 * float64(scale[i]*scale[i]) * 5 / (n + 5)
	}
	if shrunk.Cholesky() {
		return dense{shrunk}, true
	}
	return scale, true
}
