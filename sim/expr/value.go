package expr

import (
	"math"

	"achilles/sim/num"
)

// Value returns the value of an arithmetic operator or a function of numbers at x. NaN and ±Inf pass through as in IEEE
// arithmetic. setting is the exponent of Gmean, or the temperature τ of Min and Max (see extreme), which are exact if τ
// is 0; other operations ignore it.
func (o Op) Value(setting float64, x []float64) float64 {
	switch o {
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
	case Abs:
		return math.Abs(x[0])
	case Exp:
		return num.Exp(x[0])
	case Gmean:
		return generalisedMean(setting, x)
	case Log:
		return num.Log(x[0])
	case Logistic:
		return num.Logistic(x[0])
	case LogLogistic:
		return num.LogLogistic(x[0])
	case Max, Min:
		return o.extreme(setting, x)
	case Mix:
		return float64((1-x[0])*x[1]) + float64(x[0]*x[2])
	case Pow:
		return power(x[0], x[1])
	case Present:
		return 1 - float64((1-x[0])*x[1])
	case Probit:
		return num.NormalCDF(x[0])
	case Sqrt:
		return math.Sqrt(x[0])
	}
	panic("expr: operation without a number")
}

// power returns x^y, computed with package num, which gives the same bytes on every machine. If y is an integer in ±64,
// it multiplies. For other y a negative x gives NaN, and 0^y is 0 for y > 0 and +Inf for y < 0.
func power(x, y float64) float64 {
	if n := math.Trunc(y); n == y && math.Abs(n) <= 64 {
		return whole(x, int(n))
	}
	if x == 0 {
		if y > 0 {
			return 0
		}
		return math.Inf(1)
	}
	return num.Exp(float64(y * num.Log(x)))
}

func whole(x float64, n int) float64 {
	if n < 0 {
		return 1 / whole(x, -n)
	}
	r := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			r = float64(r * x)
		}
		x = float64(x * x)
	}
	return r
}

// generalisedMean returns (mean of x^k)^(1/k) of non-negative x, with its limits at k = 0 and ±Inf. It is NaN if an x
// is negative, and 0 if an x is 0 and k ≤ 0.
func generalisedMean(k float64, x []float64) float64 {
	lo, hi := bounds(x)
	switch {
	case lo < 0 || lo != lo || k != k:
		return math.NaN()
	case math.IsInf(k, 1):
		return hi
	case math.IsInf(k, -1):
		return lo
	case k <= 0 && lo == 0 || hi == 0:
		return 0
	}
	// Every power is computed relative to the largest value if k > 0, or the smallest if k < 0, so that it is at most
	// 1. Averaging x^k − 1 instead of x^k keeps digits if k is close to 0.
	top := hi
	if k < 0 {
		top = lo
	}
	s := 0.0
	for _, v := range x {
		if k == 0 {
			s += num.Log(v / top)
		} else {
			s += num.Expm1(float64(k * num.Log(v/top)))
		}
	}
	s /= float64(len(x))
	if k != 0 {
		s = num.Log1p(s) / k
	}
	return float64(top * num.Exp(s))
}

// extreme returns the smooth maximum τ·log(mean of e^(x/τ)), or the smooth minimum −τ·log(mean of e^(−x/τ)). It lies
// between the mean and the exact extreme of x, increases with every x, and is within τ·log n of the exact one.
func (o Op) extreme(tau float64, x []float64) float64 {
	lo, hi := bounds(x)
	at, s := hi, 1.0
	if o == Min {
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

func bounds(x []float64) (lo, hi float64) {
	lo, hi = x[0], x[0]
	for _, v := range x[1:] {
		lo, hi = min(lo, v), max(hi, v)
	}
	return lo, hi
}
