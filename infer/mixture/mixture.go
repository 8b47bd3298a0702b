// Package mixture fits mixtures of normal distributions to posterior draws, with one distribution for each mode, and
// draws from the mixtures. Bridge sampling compares a posterior with such a mixture. A Markov chain uses draws from such
// a mixture as proposals to jump between modes.
package mixture

import (
	"math"
	"slices"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Mixture is a mixture of multivariate normal distributions, or of t distributions with four degrees of freedom. It is
// not safe for concurrent use.
type Mixture struct {
	parts []part
	wide  bool      // whether the parts are t distributions
	z     []float64 // scratch
}

// A part is one distribution of the mixture.
type part struct {
	weight float64
	mean   []float64
	factor num.Lower // Cholesky factor of the covariance, or of the scale matrix of a t distribution
	norm   float64   // log of the weight and of the density's constant
}

const (
	rounds     = 10   // number of rounds of expectation and maximisation
	leastShare = 2    // smallest number of points for each coordinate; a part with fewer points is dropped
	nugget     = 1e-9 // is added to variances, as a fraction of them
	freedom    = 4    // degrees of freedom of the t distributions
	tailScale  = 0.8  // ratio of a t distribution's scale matrix to the points' covariance; with 0.5 it would have this covariance
)

// Fit fits normal distributions to points [point][coordinate] by expectation and maximisation (Dempster, Laird and Rubin
// 1977). Each part starts with the points that are nearest to its centre, in standard deviations of all points. Without
// centres there is one part. Fit returns false if no part has at least two points for every coordinate, or if the points
// do not vary in every direction.
func Fit(points, centres [][]float64) (*Mixture, bool) {
	if len(points) == 0 || !varies(points) {
		return nil, false
	}
	return fit(points, nearest(points, centres))
}

// FitGroups is Fit, but each part starts with the points of one group.
func FitGroups(groups [][][]float64) (*Mixture, bool) {
	points := slices.Concat(groups...)
	if len(points) == 0 || !varies(points) {
		return nil, false
	}
	shares, at := make([][]float64, len(groups)), 0
	for k, g := range groups {
		shares[k] = make([]float64, len(points))
		for i := range g {
			shares[k][at+i] = 1
		}
		at += len(g)
	}
	return fit(points, shares)
}

// fit is Fit from shares [part][point].
func fit(points, shares [][]float64) (*Mixture, bool) {
	m := &Mixture{z: make([]float64, len(points[0]))}
	for range rounds {
		m.fitParts(points, shares)
		switch {
		case len(m.parts) == 0:
			return nil, false
		case len(shares) == 1:
			return m, true
		}
		shares = m.responsibilities(points)
	}
	return m, true
}

// fitParts fits a part to each element of shares [part][point], and drops parts with too few points.
func (m *Mixture) fitParts(points, shares [][]float64) {
	m.parts = nil
	weights := 0.0
	for _, share := range shares {
		if p, ok := fitPart(points, share); ok {
			m.parts = append(m.parts, p)
			weights += p.weight
		}
	}
	for i := range m.parts {
		m.parts[i].weight /= weights
		m.parts[i].norm -= num.Log(weights)
	}
}

// varies reports whether every coordinate has more than one value. The variance cannot show this, because rounding can
// make the variance of a constant positive.
func varies(points [][]float64) bool {
	for i, x := range points[0] {
		constant := true
		for _, p := range points {
			constant = constant && p[i] == x
		}
		if constant {
			return false
		}
	}
	return true
}

// nearest returns shares [centre][point]: 1 for the centre that is nearest to the point, and 0 for the other centres.
func nearest(points, centres [][]float64) [][]float64 {
	shares := num.Rows(max(1, len(centres)), len(points))
	whole := slices.Repeat([]float64{1}, len(points))
	_, variance := moments(points, whole)
	for i, z := range points {
		best, least := 0, math.Inf(1)
		for k, c := range centres {
			d := 0.0
			for j, x := range z {
				d += float64((x-c[j])*(x-c[j])) / variance.Row(j)[j]
			}
			if d < least {
				best, least = k, d
			}
		}
		shares[best][i] = 1
	}
	return shares
}

// moments returns the mean and the covariance of points with weights share.
func moments(points [][]float64, share []float64) (mean []float64, covariance num.Lower) {
	dim := len(points[0])
	total := 0.0
	mean, covariance = make([]float64, dim), num.NewLower(dim)
	for i, z := range points {
		total += share[i]
		num.AddTo(mean, share[i], z)
	}
	for j := range mean {
		mean[j] /= total
	}
	for i, z := range points {
		if share[i] == 0 {
			continue
		}
		for j, x := range z {
			d := float64(share[i]*(x-mean[j])) / total
			for l, row := 0, covariance.Row(j); l <= j; l++ {
				row[l] += float64(d * (z[l] - mean[l]))
			}
		}
	}
	return mean, covariance
}

// fitPart returns the normal distribution with the mean and covariance of points with weights share. ok is false if there
// are too few points or their covariance is singular.
func fitPart(points [][]float64, share []float64) (p part, ok bool) {
	dim := len(points[0])
	total := num.Sum(share)
	if !(total >= float64(leastShare*dim)) {
		return p, false
	}
	p.mean, p.factor = moments(points, share)
	p.weight = total / float64(len(points))
	for j := range dim {
		p.factor.Row(j)[j] *= 1 + nugget
	}
	if !p.factor.Cholesky() {
		return p, false
	}
	p.norm = num.Log(p.weight) - float64(float64(dim)*num.LogSqrt2Pi)
	for j := range dim {
		p.norm -= num.Log(p.factor.Row(j)[j])
	}
	return p, true
}

// responsibilities returns [part][point], the probability that each point comes from each part.
func (m *Mixture) responsibilities(points [][]float64) [][]float64 {
	out := num.Rows(len(m.parts), len(points))
	logs := make([]float64, len(m.parts))
	for i, z := range points {
		for k := range m.parts {
			logs[k] = m.logPart(&m.parts[k], z)
		}
		for k, share := range num.Softmax(logs) {
			out[k][i] = share
		}
	}
	return out
}

// Shares returns, for each part, the probability that a point comes from it, averaged over the points.
func (m *Mixture) Shares(points [][]float64) []float64 {
	out := make([]float64, len(m.parts))
	for k, each := range m.responsibilities(points) {
		for _, p := range each {
			out[k] += p / float64(len(points))
		}
	}
	return out
}

// Widen turns the normal distributions into t distributions, which proposals of a Markov chain need. If the tails of a
// proposal are not wider than those of the target, a chain gets stuck in a tail (Robert and Casella 2004, section 7.4).
// Widen must be called at most once.
func (m *Mixture) Widen() {
	dim := float64(len(m.z))
	m.wide = true
	top, _ := math.Lgamma((freedom + dim) / 2)
	low, _ := math.Lgamma(freedom / 2.)
	for i := range m.parts {
		p := &m.parts[i]
		for j, x := range p.factor {
			p.factor[j] = math.Sqrt(tailScale) * x
		}
		p.norm += float64(dim*(num.LogSqrt2Pi-float64(0.5*num.Log(tailScale*freedom*math.Pi)))) + top - low
	}
}

// Copy returns the same mixture for another goroutine.
func (m *Mixture) Copy() *Mixture {
	return &Mixture{parts: m.parts, wide: m.wide, z: make([]float64, len(m.z))}
}

// Draw draws from the mixture and writes the draw to z.
func (m *Mixture) Draw(z []float64, rng *rng.Rand) {
	at, i := rng.Float64(), 0
	for ; i < len(m.parts)-1 && at >= m.parts[i].weight; i++ {
		at -= m.parts[i].weight
	}
	p, scale := &m.parts[i], 1.0
	if m.wide { // a χ² variable with four degrees of freedom is twice the sum of two exponential ones
		scale = math.Sqrt(freedom / (2 * (rng.Exp() + rng.Exp())))
	}
	for j := range m.z {
		m.z[j] = scale * rng.Norm()
	}
	p.factor.Mul(m.z, z)
	num.AddTo(z, 1, p.mean)
}

// LogDensity returns the log density at z.
func (m *Mixture) LogDensity(z []float64) float64 {
	sum := math.Inf(-1)
	for k := range m.parts {
		sum = num.LogAddExp(sum, m.logPart(&m.parts[k], z))
	}
	return sum
}

// logPart returns the log of a part's density times its weight.
func (m *Mixture) logPart(p *part, z []float64) float64 {
	for j, x := range z {
		m.z[j] = x - p.mean[j]
	}
	p.factor.Solve(m.z)
	square := 0.0
	for _, x := range m.z {
		square += float64(x * x)
	}
	if m.wide {
		return p.norm - float64(0.5*float64(freedom+len(z))*num.Log1p(square/freedom))
	}
	return p.norm - float64(0.5*square)
}
