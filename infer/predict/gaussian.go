package predict

import (
	"math"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// factorise overwrites the lower triangle of the positive definite n × n matrix a by its Cholesky factor.
func factorise(a []float64, n int) {
	for j := range n {
		rowJ := a[j*n : j*n+j+1]
		s := rowJ[j]
		for _, v := range rowJ[:j] {
			s -= float64(v * v)
		}
		if !(s > 0) {
			panic("predict: matrix is not positive definite")
		}
		root := math.Sqrt(s)
		rowJ[j] = root
		for i := j + 1; i < n; i++ {
			rowI := a[i*n : i*n+j+1]
			s := rowI[j]
			for k, v := range rowJ[:j] {
				s -= float64(rowI[k] * v)
			}
			rowI[j] = s / root
		}
	}
}

// forward solves L y = b in place, and backward Lᵀ x = y, for the factor L of factorise.
func forward(l, b []float64, n int) {
	for i := range n {
		s := b[i]
		for k, v := range l[i*n : i*n+i] {
			s -= float64(v * b[k])
		}
		b[i] = s / l[i*n+i]
	}
}

func backward(l, b []float64, n int) {
	for i := n - 1; i >= 0; i-- {
		b[i] /= l[i*n+i]
		for k, v := range l[i*n : i*n+i] {
			b[k] -= float64(v * b[i])
		}
	}
}

// drawGaussian overwrites b by a draw of the normal distribution with precision matrix a and mean a⁻¹b; a is lost.
func drawGaussian(a, b []float64, n int, r *rng.Rand) {
	factorise(a, n)
	forward(a, b, n)
	for i := range n {
		b[i] += r.Norm()
	}
	backward(a, b, n)
}

// drawPositive draws from the normal distribution of that mean and variance 1, given that the result is positive
// (Robert 1995: plain rejection, or from an exponential in the far tail).
func drawPositive(mean float64, r *rng.Rand) float64 {
	if mean > -0.4 { // where plain rejection accepts a third
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

// drawVariance draws from the inverse gamma distribution of that shape ≥ 1 and scale (Marsaglia and Tsang 2000).
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
