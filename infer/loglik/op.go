package loglik

import (
	"achilles/sim/expr"
	"achilles/sim/num"
)

// value is the value of an operation at x. It has its own logistic function, which is faster.
func value(op expr.Op, setting float64, x []float64) float64 {
	if op == expr.Logistic {
		return logistic(x[0])
	}
	return op.Value(setting, x)
}

// logistic is 1/(1+e^−x) without a branch on the sign of x, which a processor cannot predict.
func logistic(x float64) float64 { return 1 / (1 + num.Exp(-x)) }
