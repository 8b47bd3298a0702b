package loglik

import (
	"math"

	"achilles/sim/expr"
	"achilles/sim/num"
)

// An Op is a function of nodes.
type Op uint8

// The functions of a plan. Their number of arguments is fixed but for Gmean, Min and Max.
const (
	Add Op = iota
	Sub
	Mul
	Div
	Neg
	Logistic
	Probit
	Exp
	Log
	Sqrt
	Abs
	Pow
	Mix     // Mix(a, b, c) = (1−a)b + ac
	Present // Present(a, b) = 1 − (1−a)b
	Gmean   // generalised mean of non-negative numbers, with the exponent Setting
	Min     // smooth at the temperature Setting; exact at 0
	Max
)

// value is the function at x. setting is the exponent of Gmean or the temperature of Min and Max.
func value(op Op, setting float64, x []float64) float64 {
	switch op {
	case Add:
		return x[0] + x[1]
	case Sub:
		return x[0] - x[1]
	case Mul:
		return float64(x[0] * x[1])
	case Div:
		return x[0] / x[1]
	case Neg:
		return -x[0]
	case Logistic:
		return logistic(x[0])
	case Probit:
		return num.NormalCDF(x[0])
	case Exp:
		return num.Exp(x[0])
	case Log:
		return num.Log(x[0])
	case Sqrt:
		return math.Sqrt(x[0])
	case Abs:
		return math.Abs(x[0])
	case Pow:
		return expr.Pow(x[0], x[1])
	case Mix:
		return float64((1-x[0])*x[1]) + float64(x[0]*x[2])
	case Present:
		return 1 - float64((1-x[0])*x[1])
	case Gmean:
		return expr.GeneralisedMean(setting, x)
	case Min, Max:
		return extreme(op, setting, x)
	}
	panic("loglik: unknown operation")
}

// partials writes the derivatives of the function at x, where its value is v, to out.
func partials(op Op, setting float64, x []float64, v float64, out []float64) {
	switch op {
	case Add:
		out[0], out[1] = 1, 1
	case Sub:
		out[0], out[1] = 1, -1
	case Mul:
		out[0], out[1] = x[1], x[0]
	case Div:
		out[0], out[1] = 1/x[1], -v/x[1]
	case Neg:
		out[0] = -1
	case Logistic:
		out[0] = float64(v * (1 - v))
	case Probit:
		const invSqrt2Pi = 0.39894228040143267794
		out[0] = float64(invSqrt2Pi * num.Exp(-0.5*float64(x[0]*x[0])))
	case Exp:
		out[0] = v
	case Log:
		out[0] = 1 / x[0]
	case Sqrt:
		out[0] = 0.5 / v
	case Abs:
		out[0] = sign(x[0])
	case Pow:
		out[0], out[1] = powerPartials(x[0], x[1], v)
	case Mix:
		out[0], out[1], out[2] = x[2]-x[1], 1-x[0], x[0]
	case Present:
		out[0], out[1] = x[1], x[0]-1
	case Gmean:
		meanPartials(setting, x, v, out)
	case Min, Max:
		extremePartials(op, setting, x, out)
	}
}

// logistic is 1/(1+e^−x) without a branch on the sign of x, which a processor cannot predict.
func logistic(x float64) float64 { return 1 / (1 + num.Exp(-x)) }

// sign is 0 at 0: the kink of |x| has no side.
func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

func powerPartials(x, y, v float64) (dx, dy float64) {
	dx = float64(y * expr.Pow(x, y-1))
	if x > 0 {
		dy = float64(v * num.Log(x))
	}
	return dx, dy
}
