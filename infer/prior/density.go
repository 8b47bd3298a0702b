package prior

import (
	"math"

	"achilles/sim/num"
)

const (
	logSqrtPi_2 = 0.22579135264472743236  // log √(π/2)
	log2_Pi     = -0.45158270528945486473 // log 2/π
)

// A Density is the prior density of a parameter at an unconstrained q. The parameter is a (scaled) logistic function of
// q for Uniform, Beta and ScaledBeta, q itself for Normal and Bernoulli, and e^q for the other families. The density of Bernoulli is the
// probability of q, 0 or 1, and its derivatives by q are 0.
type Density struct {
	Theta float64 // the parameter
	LogP  float64 // log density of q: log prior density at Theta plus log Jacobian; −Inf for an empty uniform range

	ThetaQ, LogPQ float64    // derivatives of Theta and LogP by q
	ThetaA, LogPA [2]float64 // derivatives of Theta and LogP by the arguments
}

// LogNorm returns the log of the normalising constant, which At subtracts. It depends on the arguments only, so that it
// is computed once if they are constant.
func (f Family) LogNorm(args []float64) float64 {
	switch f {
	case Normal, LogNormal:
		return num.Log(args[1]) + num.LogSqrt2Pi
	case HalfNormal:
		return num.Log(args[0]) + logSqrtPi_2
	case Beta:
		return num.LogBeta(args[0], args[1])
	case ScaledBeta:
		return num.LogBeta(args[2], args[3])
	case Gamma:
		return num.LogGamma(args[0]) - float64(args[0]*num.Log(args[1]))
	case Exponential:
		return -num.Log(args[0])
	case HalfCauchy:
		return num.Log(args[0]) - log2_Pi
	}
	return 0
}

// At writes the prior density at q to p. norm is LogNorm of the arguments. LogPA is complete only if slopes is true.
func (f Family) At(q float64, args []float64, norm float64, slopes bool, p *Density) {
	switch f {
	case Uniform, Beta, ScaledBeta:
		f.onUnit(q, args, p)
	case Bernoulli:
		*p = Density{Theta: q, LogP: num.Log(args[0]), LogPA: [2]float64{1 / args[0]}}
		if q == 0 {
			p.LogP, p.LogPA[0] = num.Log1p(-args[0]), -1/(1-args[0])
		}
	case Normal, LogNormal:
		z := (q - args[0]) / args[1]
		p.LogP, p.LogPQ = -0.5*float64(z*z), -z/args[1]
		p.LogPA = [2]float64{z / args[1], (float64(z*z) - 1) / args[1]}
	case HalfNormal:
		z := num.Exp(q) / args[0]
		p.LogP, p.LogPQ = q-0.5*float64(z*z), 1-float64(z*z)
		p.LogPA[0] = (float64(z*z) - 1) / args[0]
	case Gamma, Exponential:
		f.onRate(q, args, p)
	case HalfCauchy:
		z := q - num.Log(args[0])
		s := num.Logistic(2 * z) // x²/(1+x²) with x = e^z
		p.LogP, p.LogPQ = q-num.Softplus(2*z), 1-2*s
		p.LogPA[0] = (2*s - 1) / args[0]
	}
	switch f {
	case Normal:
		p.Theta, p.ThetaQ, p.ThetaA = q, 1, [2]float64{}
	case HalfNormal, Gamma, Exponential, LogNormal, HalfCauchy:
		p.Theta = num.Exp(q)
		p.ThetaQ, p.ThetaA = p.Theta, [2]float64{}
	}
	p.LogP -= norm
	if slopes {
		f.normSlopes(args, &p.LogPA)
	}
}

// onUnit does At's work for Uniform, Beta and ScaledBeta. With s = logistic(q), it computes log s and log(1−s) from one exponential.
func (f Family) onUnit(q float64, args []float64, p *Density) {
	e := num.Exp(-math.Abs(q))
	l := num.Log1p(e)
	s, r := 1/(1+e), e/(1+e) // s and 1−s
	logS, logR := -l, -math.Abs(q)-l
	if q < 0 {
		s, r, logS, logR = r, s, logR, logS
	}
	if f != Beta {
		width := args[1] - args[0]
		p.Theta, p.ThetaQ = args[0]+float64(width*s), float64(width*float64(s*r))
		p.ThetaA, p.LogPA = [2]float64{r, s}, [2]float64{}
		p.LogP, p.LogPQ = logS+logR, r-s
		if f == ScaledBeta {
			a, b := args[2], args[3]
			p.LogP, p.LogPQ = float64(a*logS)+float64(b*logR), float64(a*r)-float64(b*s)
		}
		if !(width > 0) {
			p.LogP = math.Inf(-1)
		}
		return
	}
	a, b := args[0], args[1]
	p.Theta, p.ThetaQ, p.ThetaA = s, float64(s*r), [2]float64{}
	p.LogP, p.LogPQ = float64(a*logS)+float64(b*logR), float64(a*r)-float64(b*s)
	p.LogPA = [2]float64{logS, logR}
}

// onRate does At's work for Gamma and Exponential.
func (f Family) onRate(q float64, args []float64, p *Density) {
	shape, rate := 1.0, args[0]
	if f == Gamma {
		shape, rate = args[0], args[1]
	}
	x := num.Exp(q)
	p.LogP, p.LogPQ = float64(shape*q)-float64(rate*x), shape-float64(rate*x)
	if f == Gamma {
		p.LogPA = [2]float64{q, -x}
	} else {
		p.LogPA = [2]float64{-x, 0}
	}
}

// normSlopes subtracts the derivatives of LogNorm from d. For the normal families and HalfCauchy At has already done so.
func (f Family) normSlopes(args []float64, d *[2]float64) {
	switch f {
	case Beta:
		psi := num.Digamma(args[0] + args[1])
		d[0] -= num.Digamma(args[0]) - psi
		d[1] -= num.Digamma(args[1]) - psi
	case Gamma:
		d[0] -= num.Digamma(args[0]) - num.Log(args[1])
		d[1] += args[0] / args[1]
	case Exponential:
		d[0] += 1 / args[0]
	}
}

// Theta returns the parameter at an unconstrained q.
func (f Family) Theta(q float64, args []float64) float64 {
	switch f {
	case Uniform, ScaledBeta:
		return args[0] + float64((args[1]-args[0])*num.Logistic(q))
	case Beta:
		return num.Logistic(q)
	case Normal, Bernoulli:
		return q
	}
	return num.Exp(q)
}

// Unconstrained returns the unconstrained q of a parameter. It is the inverse of Theta, and ±Inf at the ends of the
// support.
func (f Family) Unconstrained(theta float64, args []float64) float64 {
	switch f {
	case Uniform, ScaledBeta:
		return num.Log(theta-args[0]) - num.Log(args[1]-theta)
	case Beta:
		return num.Log(theta) - num.Log1p(-theta)
	case Normal, Bernoulli:
		return theta
	}
	return num.Log(theta)
}
