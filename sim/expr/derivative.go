package expr

import (
	"math"

	"achilles/sim/num"
)

// Partials writes to out the partial derivatives of Value(setting, x) by each element of x. v is Value(setting, x).
func (o Op) Partials(setting float64, x []float64, v float64, out []float64) {
	switch o {
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
	case LogLogistic:
		out[0] = num.Logistic(-x[0])
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
		o.extremePartials(setting, x, out)
	}
}

// sign returns the sign of x. It is 0 at 0, where |x| has no derivative.
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
	dx = float64(y * power(x, y-1))
	if x > 0 {
		dy = float64(v * num.Log(x))
	}
	return dx, dy
}

// meanPartials writes ∂M/∂x_i = (x_i/M)^(k−1)/n to out, where M = v is the generalised mean with exponent k. At k =
// ±Inf the derivative is 1 for the first argument equal to M, and 0 for the others.
func meanPartials(k float64, x []float64, v float64, out []float64) {
	clear(out)
	if math.IsInf(k, 0) {
		for i := range x {
			if x[i] == v {
				out[i] = 1
				return
			}
		}
	}
	if v == 0 {
		return // at M = 0 the derivative is 0 or infinite; a sampler never stays there
	}
	for i := range x {
		out[i] = num.Exp(float64((k-1)*num.Log(x[i]/v))) / float64(len(x))
	}
}

func (o Op) extremePartials(tau float64, x, out []float64) {
	lo, hi := bounds(x)
	at, s := hi, 1.0
	if o == Min {
		at, s = lo, -1
	}
	clear(out)
	sum := 0.0
	for i, v := range x {
		if tau == 0 {
			if v == at {
				out[i] = 1
				return
			}
			continue
		}
		out[i] = num.Exp(s * (v - at) / tau)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
}
