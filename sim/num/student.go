package num

import "math"

// StudentTQuantile returns the p-quantile of Student's t distribution with df > 0 degrees of freedom. It uses that
// df/(df + t²) has a beta distribution. It panics unless 0 < p < 1.
func StudentTQuantile(p, df float64) float64 {
	if !(p > 0 && p < 1) {
		panic("num: a probability of an unbounded distribution must lie in (0, 1)")
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
