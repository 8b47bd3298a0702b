package loglik

import (
	"math"

	"achilles/sim/num"
)

// mean is the generalised mean (mean of x^k)^(1/k) of non-negative x: the minimum at k = −Inf, the geometric mean at
// 0, the maximum at +Inf. Powers are taken of x relative to its largest (k > 0) or smallest value, as e^(k log x) − 1,
// so that nothing overflows and k close to 0 keeps its digits.
func mean(k float64, x []float64) float64 {
	lo, hi := bounds(x)
	switch {
	case !(lo >= 0):
		return math.NaN()
	case math.IsInf(k, 1):
		return hi
	case math.IsInf(k, -1):
		return lo
	case k <= 0 && lo == 0 || hi == 0:
		return 0
	}
	top := hi
	if k < 0 {
		top = lo
	}
	s := 0.0
	for _, v := range x {
		l := num.Log(v / top)
		if k != 0 {
			l = num.Expm1(float64(k * l))
		}
		s += l
	}
	s /= float64(len(x))
	if k != 0 {
		s = num.Log1p(s) / k
	}
	return float64(top * num.Exp(s))
}

func bounds(x []float64) (lo, hi float64) {
	lo, hi = x[0], x[0]
	for _, v := range x[1:] {
		lo, hi = min(lo, v), max(hi, v)
	}
	return lo, hi
}

// meanPartials: ∂M/∂x_i = (x_i/M)^(k−1)/n; at ±Inf the first extreme argument has it all.
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
		return // at a zero the derivative is 0 or infinite; a sampler never stays there
	}
	for i := range x {
		out[i] = num.Exp(float64((k-1)*num.Log(x[i]/v))) / float64(len(x))
	}
}

// extreme is the smooth minimum or maximum: ±τ·log(mean of e^(±x/τ)). It lies between the mean and the extreme of x,
// so it leaves no range that x keeps, rises with every x, and is within τ·log n of the exact one.
func extreme(op Op, tau float64, x []float64) float64 {
	lo, hi := bounds(x)
	at, s := hi, 1.0
	if op == Min {
		at, s = lo, -1
	}
	if tau == 0 || math.IsInf(at, 0) {
		return at
	}
	sum := 0.0
	for _, v := range x {
		sum += num.Exp(s * (v - at) / tau)
	}
	return at + float64(s*tau*num.Log(sum/float64(len(x))))
}

func extremePartials(op Op, tau float64, x, out []float64) {
	lo, hi := bounds(x)
	at, s := hi, 1.0
	if op == Min {
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
