package predict

import (
	"math"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// factorise replaces a symmetric positive definite matrix by its Cholesky factor. It panics if the matrix is not
// positive definite.
func factorise(a num.Lower) {
	if !a.Cholesky() {
		panic("predict: matrix is not positive definite")
	}
}

// drawGaussian overwrites b by a draw from the normal distribution with precision matrix a and mean a⁻¹b. It overwrites
// a too.
func drawGaussian(a num.Lower, b []float64, r *rng.Rand) {
	factorise(a)
	a.Solve(b)
	for i := range b {
		b[i] += r.Norm()
	}
	a.SolveTransposed(b)
}

// drawPositive draws from the normal distribution of this mean and variance 1, given that the result is positive
// (Robert 1995). It uses plain rejection, or rejection from an exponential distribution in the tail.
func drawPositive(mean float64, r *rng.Rand) float64 {
	if mean > -0.4 { // plain rejection accepts more than a third of the draws
		for {
			if z := mean + r.Norm(); z > 0 {
				return z
			}
		}
	}
	low := -mean
	a := (low + math.Sqrt(float64(low*low)+4)) / 2
	for {
		x := r.Exp() / a
		d := low + x - a
		if num.Log(r.Float64()) <= -float64(d*d)/2 {
			return x
		}
	}
}

// drawVariance draws from the inverse gamma distribution with this shape, which is at least 1, and scale (Marsaglia and
// Tsang 2000).
func drawVariance(shape, scale float64, r *rng.Rand) float64 {
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.Norm()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = float64(float64(v*v) * v)
		if num.Log(r.Float64()) < float64(x*x)/2+d-float64(d*v)+float64(d*num.Log(v)) {
			return scale / float64(d*v)
		}
	}
}
