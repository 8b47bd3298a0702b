package num

import "math"

// Logistic returns 1/(1+e^−x). It is 0 at −Inf and 1 at +Inf.
func Logistic(x float64) float64 {
	if x < 0 {
		e := Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + Exp(-x))
}

// Softplus returns log(1+e^x) without overflow.
func Softplus(x float64) float64 {
	if x > 0 {
		return x + Log1p(Exp(-x))
	}
	return Log1p(Exp(x))
}

// LogLogistic returns log(1/(1+e^−x)).
func LogLogistic(x float64) float64 { return -Softplus(-x) }

// LogAddExp returns log(e^a + e^b). It is −Inf if both are −Inf.
func LogAddExp(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(a, 0) {
		return a
	}
	return a + Log1p(Exp(b-a))
}

// LogSumExp returns log Σ e^x. It is −Inf for an empty slice.
func LogSumExp(xs []float64) float64 {
	m := math.Inf(-1)
	for _, x := range xs {
		m = max(m, x)
	}
	if math.IsInf(m, 0) || m != m {
		return m
	}
	s := 0.0
	for _, x := range xs {
		s += Exp(x - m)
	}
	return m + Log(s)
}

// Softmax returns exp(x)/Σ exp(x) of each x of xs.
func Softmax(xs []float64) []float64 {
	total, out := LogSumExp(xs), make([]float64, len(xs))
	for i, x := range xs {
		out[i] = Exp(x - total)
	}
	return out
}
