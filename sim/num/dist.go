// Package num has the distributions that intervals are made of, on the special functions of package special.
package num

import (
	"math"
)

// Beta is the distribution function of the beta distribution with parameters a, b > 0; 0 below 0, 1 above 1.
func Beta(x, a, b float64) float64 {
	if !(a > 0) || !(b > 0) {
		panic("dist: the parameters of a beta distribution must be positive")
	}
	p, _ := BetaTails(a, b, x, 1-x)
	return p
}

// BetaQuantile is the x with Beta(x, a, b) = p; it panics unless 0 ≤ p ≤ 1.
func BetaQuantile(p, a, b float64) float64 {
	switch {
	case !(p >= 0 && p <= 1) || !(a > 0) || !(b > 0):
		panic("dist: a probability must lie in [0, 1] and the parameters of a beta distribution be positive")
	case p == 0 || p == 1:
		return p
	}
	return Logistic(LogitBetaQuantile(p, a, b))
}

// StudentT is the distribution function of Student's t with df > 0 degrees of freedom.
func StudentT(t, df float64) float64 {
	tail := Beta(df/(df+float64(t*t)), df/2, 0.5) / 2
	if t > 0 {
		return 1 - tail
	}
	return tail
}

// StudentTQuantile is the t with StudentT(t, df) = p, 0 < p < 1.
func StudentTQuantile(p, df float64) float64 {
	if !(p > 0 && p < 1) {
		panic("dist: a probability of an unbounded distribution must lie in (0, 1)")
	}
	switch {
	case p == 0.5:
		return 0
	case p < 0.5:
		return -StudentTQuantile(1-p, df)
	}
	z := LogitBetaQuantile(2*(1-p), df/2, 0.5) // log of x/(1−x) for x = df/(df + t²)
	return math.Sqrt(df * Exp(-z))
}

// Wilson is the score interval of a proportion of successes in n independent trials at that level (Wilson 1927);
// [0, 1] without trials.
func Wilson(successes, n, level float64) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	z := NormalQuantile(0.5 + level/2)
	p, q := successes/n, z*z/n
	mid := (p + q/2) / (1 + q)
	half := z * math.Sqrt(p*(1-p)/n+q/(4*n)) / (1 + q)
	return max(0, mid-half), min(1, mid+half)
}
