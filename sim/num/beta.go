package num

import "math"

// BetaTails returns the distribution function of Beta(a, b) at x, and its complement. y is 1−x, passed separately so
// that x close to 1 keeps its digits. The smaller tail keeps its relative accuracy. It is NaN unless a, b > 0.
func BetaTails(a, b, x, y float64) (p, q float64) {
	switch {
	case !(a > 0 && b > 0) || x != x || y != y:
		return math.NaN(), math.NaN()
	case x <= 0:
		return 0, 1
	case y <= 0:
		return 1, 0
	}
	scale := Exp(float64(a*Log(x)) + float64(b*Log(y)) - LogBeta(a, b))
	if x < (a+1)/(a+b+2) {
		p = float64(scale*betaFraction(a, b, x)) / a
		return p, 1 - p
	}
	q = float64(scale*betaFraction(b, a, y)) / b
	return 1 - q, q
}

// BetaCDF returns the distribution function of Beta(a, b) at x: 0 for x < 0, 1 for x > 1. It panics unless a, b > 0.
func BetaCDF(x, a, b float64) float64 {
	if !(a > 0) || !(b > 0) {
		panic("num: the parameters of a beta distribution must be positive")
	}
	p, _ := BetaTails(a, b, x, 1-x)
	return p
}

// BetaQuantile returns the x with BetaCDF(x, a, b) = p. It panics unless 0 ≤ p ≤ 1 and a, b > 0.
func BetaQuantile(p, a, b float64) float64 {
	switch {
	case !(p >= 0 && p <= 1) || !(a > 0) || !(b > 0):
		panic("num: a probability must lie in [0, 1] and the parameters of a beta distribution be positive")
	case p == 0 || p == 1:
		return p
	}
	return Logistic(LogitBetaQuantile(p, a, b))
}

// betaFraction returns the continued fraction of the incomplete beta function (DLMF 8.17.22) by Lentz's method.
func betaFraction(a, b, x float64) float64 {
	const tiny = 1e-300
	c, d := 1.0, 1/nonzero(1-float64((a+b)*x)/(a+1), tiny)
	h := d
	for m := 1.0; m < 100000; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / nonzero(1+float64(even*d), tiny)
		c = nonzero(1+even/c, tiny)
		h = float64(h * float64(d*c))
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / nonzero(1+float64(odd*d), tiny)
		c = nonzero(1+odd/c, tiny)
		step := float64(d * c)
		h = float64(h * step)
		if math.Abs(step-1) < 1e-16 {
			break
		}
	}
	return h
}
