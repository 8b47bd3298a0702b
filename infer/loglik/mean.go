package loglik

import (
	"math"

	"achilles/sim/num"
)

func bounds(x []float64) (lo, hi float64) {
	lo, hi = x[0], x[0]
	for _, v := range x[1:] {
		lo, hi = min(lo, v), max(hi, v)
	}
	return lo, hi
}

// meanPartials writes ∂M/∂x_i = (x_i/M)^(k−1)/n, where M = v is the generalised mean with exponent k. At k = ±Inf the
// derivative by the first extreme argument is 1.
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

// extreme is the smooth minimum or maximum: ±τ·log(mean of e^(±x/τ)). It lies between the mean and the extreme of x, rises
// with every x, and is within τ·log n of the exact one.
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
