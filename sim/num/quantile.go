package num

import "math"

// far is the log or the logit of x below which the lower tail equals a constant times x^a to all digits, where a is the
// shape of the gamma distribution or the first parameter of the beta distribution.
const far = -40

// LogGammaQuantile returns log x for the u-quantile x of Gamma(shape, rate 1). It is NaN unless 0 < u < 1 and shape >
// 0.
func LogGammaQuantile(u, shape float64) float64 {
	if !(shape > 0) || !(u > 0 && u < 1) {
		return math.NaN()
	}
	if t := (Log(u) + LogGamma(shape+1)) / shape; t < far {
		return t
	}
	return logGamma(Log(u), Log1p(-u), NormalQuantile(u), shape)
}

// LogGammaUpperQuantile returns log x for the x above which Gamma(shape, rate 1) has probability u. It is NaN unless 0
// < u ≤ 1/2 and shape > 0.
func LogGammaUpperQuantile(u, shape float64) float64 {
	if !(shape > 0) || !(u > 0 && u <= 0.5) {
		return math.NaN()
	}
	return logGamma(Log1p(-u), Log(u), -NormalQuantile(u), shape)
}

// logGamma returns the logarithm of the quantile of Gamma(shape, rate 1) from the logarithms of both tail
// probabilities; normal is the standard normal quantile for the same tails.
func logGamma(logP, logQ, normal, shape float64) float64 {
	tails := func(t float64) (p, q, logSlope float64) {
		x := Exp(t)
		p, q = GammaTails(shape, x)
		return p, q, float64(shape*t) - x - LogGamma(shape)
	}
	// The search starts at Wilson and Hilferty's approximation, a cube; for small shapes it starts where the lower tail
	// is about x^shape/Γ(shape+1).
	c := 1 - 1/(9*shape) + normal/(3*math.Sqrt(shape))
	start := Log(shape) + float64(3*Log(c))
	if !(c > 0.1) {
		start = (logP + LogGamma(shape+1)) / shape
	}
	return solve(logP, logQ, start, tails)
}

// LogitBetaQuantile returns log x − log(1−x) for the u-quantile x of Beta(a, b). It is NaN unless 0 < u < 1 and a, b >
// 0.
func LogitBetaQuantile(u, a, b float64) float64 {
	if !(a > 0 && b > 0) || !(u > 0 && u < 1) {
		return math.NaN()
	}
	if t := (Log(u) + Log(a) + LogBeta(a, b)) / a; t < far {
		return t
	}
	if t := (Log1p(-u) + Log(b) + LogBeta(a, b)) / b; t < far {
		return -t
	}
	tails := func(t float64) (p, q, logSlope float64) {
		x, y := Logistic(t), Logistic(-t)
		p, q = BetaTails(a, b, x, y)
		return p, q, float64(a*LogLogistic(t)) + float64(b*LogLogistic(-t)) - LogBeta(a, b)
	}
	return solve(Log(u), Log1p(-u), Log(a/b)+float64(NormalQuantile(u)*math.Sqrt(1/a+1/b)), tails)
}

// solve returns the t at which the lower and the upper tail have the logarithms logP and logQ. It uses Newton's method
// on the logarithm of the smaller tail, which is almost a straight line far out, and bisects if a step leaves the
// bracket. tails returns both tails at t and the logarithm of the density of t.
func solve(logP, logQ, t float64, tails func(t float64) (p, q, logSlope float64)) float64 {
	lo, hi := math.Inf(-1), math.Inf(1)
	for range 200 {
		p, q, logSlope := tails(t)
		miss, size := Log(p)-logP, p
		if logQ < logP {
			miss, size = logQ-Log(q), q
		}
		if miss > 0 {
			hi = t
		} else {
			lo = t
		}
		next := t - miss/Exp(logSlope-Log(size))
		if !(next > lo && next < hi) || math.Abs(next-t) > 50+math.Abs(t) {
			next = halfway(lo, hi, t)
		}
		if math.Abs(next-t) <= 1e-15*math.Max(1, math.Abs(t)) {
			return next
		}
		t = next
	}
	return t
}

// halfway returns the middle of a bracket, or a point far from t if one end of the bracket is still infinite.
func halfway(lo, hi, t float64) float64 {
	switch {
	case math.IsInf(lo, -1):
		return hi - 1 - math.Abs(t)
	case math.IsInf(hi, 1):
		return lo + 1 + math.Abs(t)
	}
	return lo + (hi-lo)/2
}
