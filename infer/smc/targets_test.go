package smc_test

import (
	"math"

	"achilles/infer/smc"
)

// density is a likelihood given as a function of prior quantiles.
type density struct {
	dim int
	f   func(u []float64) float64
}

func (d density) Dim() int                          { return d.dim }
func (d density) LogLikelihood(z []float64) float64 { return d.f(quantile(z)) }

var _ smc.Target = density{}

// quantile converts log odds to the unit interval; odds is its inverse.
func quantile(z []float64) []float64 {
	u := make([]float64, len(z))
	for i, x := range z {
		u[i] = 1 / (1 + math.Exp(-x))
	}
	return u
}

func odds(u ...float64) []float64 {
	z := make([]float64, len(u))
	for i, x := range u {
		z[i] = math.Log(x / (1 - x))
	}
	return z
}

// hill returns a normal likelihood in every coordinate, with this centre and width, and of height 1.
func hill(centre, width float64, dim int) density {
	return density{dim, func(u []float64) float64 {
		l := 0.0
		for _, x := range u {
			z := (x - centre) / width
			l -= z * z / 2
		}
		return l
	}}
}

// hillMass returns the integral of one coordinate of hill over the unit interval.
func hillMass(centre, width float64) float64 {
	phi := func(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }
	return width * math.Sqrt(2*math.Pi) * (phi((1-centre)/width) - phi(-centre/width))
}

// binomial returns the likelihood of k successes in n trials with probability u, in every coordinate. It is normalised,
// so that the evidence of one coordinate is 1/(n + 1).
func binomial(n, k float64, dim int) density {
	ln, _ := math.Lgamma(n + 1)
	lk, _ := math.Lgamma(k + 1)
	lm, _ := math.Lgamma(n - k + 1)
	return density{dim, func(u []float64) float64 {
		l := 0.0
		for _, x := range u {
			l += ln - lk - lm + k*math.Log(x) + (n-k)*math.Log1p(-x)
		}
		return l
	}}
}

// twoPeaks returns two normalised normal peaks, of weight 0.3 at 0.2 and 0.7 at 0.8. Both have standard deviation 0.02
// in every coordinate and are thirty standard deviations apart. The evidence is 1.
func twoPeaks(dim int) density {
	return density{dim, func(u []float64) float64 {
		const width = 0.02
		a, b := math.Log(0.3), math.Log(0.7)
		for _, x := range u {
			a -= (x - 0.2) * (x - 0.2) / 2 / width / width
			b -= (x - 0.8) * (x - 0.8) / 2 / width / width
		}
		norm := -float64(dim) * math.Log(width*math.Sqrt(2*math.Pi))
		return norm + math.Max(a, b) + math.Log1p(math.Exp(-math.Abs(a-b)))
	}}
}

// ridge returns a thin normal ridge along the diagonal of two coordinates, on a slope: most mass is at the corner (1,
// 1).
func ridge() density {
	return density{2, func(u []float64) float64 {
		d := (u[0] - u[1]) / 0.01
		return -d*d/2 + 20*(u[0]+u[1])
	}}
}
