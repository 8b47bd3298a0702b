// Package dist has the distribution functions that intervals are made of. They use the project's own elementary
// functions, so that results are the same bytes on every machine.
package dist

import (
	"math"

	"achilles/sim/elem"
)

// logGamma is log Γ(x) for x > 0, with absolute error below 1e-12 times max(1, |log Γ(x)|): Stirling's series
// (Abramowitz and Stegun 6.1.41) from 10 up, the recurrence below.
func logGamma(x float64) float64 {
	shift := 1.0
	for x < 10 {
		shift = float64(shift * x)
		x++
	}
	r := 1 / float64(x*x)
	series := (1.0/12 - r*(1.0/360-r*(1.0/1260-r*(1.0/1680-r*(1.0/1188-r*691.0/360360))))) / x
	return float64((x-0.5)*elem.Log(x)) - x + 0.5*logTwoPi + series - elem.Log(shift)
}

const logTwoPi = 1.8378770664093453

// Beta is the distribution function of the beta distribution with parameters a, b > 0 (the regularised incomplete beta
// function); 0 below 0, 1 above 1.
func Beta(x, a, b float64) float64 {
	switch {
	case !(a > 0) || !(b > 0):
		panic("dist: the parameters of a beta distribution must be positive")
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	}
	front := elem.Exp(logGamma(a+b) - logGamma(a) - logGamma(b) + float64(a*elem.Log(x)) + float64(b*elem.Log1p(-x)))
	if x < (a+1)/(a+b+2) { // where the fraction converges fast
		return min(1, front*betaFraction(x, a, b)/a)
	}
	return max(0, 1-front*betaFraction(1-x, b, a)/b)
}

// betaFraction is the continued fraction of Abramowitz and Stegun 26.5.8 by Lentz's method.
func betaFraction(x, a, b float64) float64 {
	const tiny = 1e-300
	away := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/away(1-(a+b)*x/(a+1))
	f := d
	for m := 1.0; m <= 100_000; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / away(1+even*d)
		c = away(1 + even/c)
		f *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / away(1+odd*d)
		c = away(1 + odd/c)
		f *= d * c
		if math.Abs(d*c-1) < 1e-15 {
			break
		}
	}
	return f
}

// BetaQuantile is the x with Beta(x, a, b) = p, by bisection; it panics unless 0 ≤ p ≤ 1.
func BetaQuantile(p, a, b float64) float64 {
	if !(p >= 0 && p <= 1) {
		panic("dist: a probability must lie in [0, 1]")
	}
	if p == 0 || p == 1 {
		return p
	}
	low, high := 0.0, 1.0
	for range 200 {
		x := (low + high) / 2
		if x == low || x == high || high-low < 1e-15*high {
			break
		}
		if Beta(x, a, b) < p {
			low = x
		} else {
			high = x
		}
	}
	return high
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
	if p < 0.5 {
		return -StudentTQuantile(1-p, df)
	}
	x := BetaQuantile(2*(1-p), df/2, 0.5)
	return math.Sqrt(df * (1 - x) / x)
}

// Wilson is the score interval of a proportion of successes in n independent trials at that level (Wilson 1927);
// [0, 1] without trials.
func Wilson(successes, n, level float64) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	z := elem.NormalQuantile(0.5 + level/2)
	p, q := successes/n, z*z/n
	mid := (p + q/2) / (1 + q)
	half := z * math.Sqrt(p*(1-p)/n+q/(4*n)) / (1 + q)
	return max(0, mid-half), min(1, mid+half)
}
