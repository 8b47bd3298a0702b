package num

import "math"

// far is a logarithm below which a tail is its leading power, x^a up to a constant.
const far = -40

// LogGammaQuantile returns log x, where x has distribution function u in (0, 1) under Gamma(shape, rate 1).
func LogGammaQuantile(u, shape float64) float64 {
	if !(shape > 0) || !(u > 0 && u < 1) {
		return math.NaN()
	}
	if t := (Log(u) + LogGamma(shape+1)) / shape; t < far {
		return t
	}
	return logGamma(Log(u), Log1p(-u), NormalQuantile(u), shape)
}

// LogGammaUpperQuantile returns log x, where a share u in (0, 1/2] of Gamma(shape, rate 1) lies above x.
func LogGammaUpperQuantile(u, shape float64) float64 {
	if !(shape > 0) || !(u > 0 && u <= 0.5) {
		return math.NaN()
	}
	return logGamma(Log1p(-u), Log(u), -NormalQuantile(u), shape)
}

// logGamma finds the logarithm of the quantile with the logarithms of both tails; normal is the standard normal quantile
// there.
func logGamma(logP, logQ, normal, shape float64) float64 {
	tails := func(t float64) (p, q, logSlope float64) {
		x := Exp(t)
		p, q = GammaTails(shape, x)
		return p, q, float64(shape*t) - x - LogGamma(shape)
	}
	// Wilson and Hilferty's cube; for small shapes the lower tail u = x^a/Γ(a+1).
	c := 1 - 1/(9*shape) + normal/(3*math.Sqrt(shape))
	start := Log(shape) + float64(3*Log(c))
	if !(c > 0.1) {
		start = (logP + LogGamma(shape+1)) / shape
	}
	return solve(logP, logQ, start, tails)
}

// LogitBetaQuantile returns log x − log(1−x), where x has distribution function u in (0, 1) under Beta(a, b).
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

// solve finds t where the lower and the upper tail have these logarithms by Newton's method on the logarithm of the smaller tail, which is close
// to a straight line far out, and by halving whenever a step leaves the bracket. tails returns both tails and the
// logarithm of the density at t.
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

// halfway is the middle of a bracket, or a long way from t towards its open end.
func halfway(lo, hi, t float64) float64 {
	switch {
	case math.IsInf(lo, -1):
		return hi - 1 - math.Abs(t)
	case math.IsInf(hi, 1):
		return lo + 1 + math.Abs(t)
	}
	return lo + (hi-lo)/2
}
