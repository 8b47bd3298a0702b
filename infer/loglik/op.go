package loglik

import (
	"achilles/sim/expr"
	"achilles/sim/num"
)

// value returns the value of an operation at x. It uses a logistic function that is faster than package expr's.
func value(op expr.Op, setting float64, x []float64) float64 {
	if op == expr.Logistic {
		return logistic(x[0])
	}
	return op.Value(setting, x)
}

// logistic returns 1/(1+e^−x). It has no branch on the sign of x, because a processor could not predict it.
func logistic(x float64) float64 { return 1 / (1 + num.Exp(-x)) }

// logistics replaces every x by logistic(x).
func logistics(xs []float64) {
	for i, x := range xs {
		xs[i] = -x
	}
	num.ExpEach(xs)
	for i, e := range xs {
		xs[i] = 1 / (1 + e)
	}
}
