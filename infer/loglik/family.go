package loglik

import (
	"fmt"
	"math"

	"achilles/sim/expr"
	"achilles/sim/num"
)

// A Family is the distribution of an observation.
type Family uint8

// The families. Each comment lists the arguments of a Likelihood of the family.
const (
	Bernoulli Family = iota // p; binomial if the likelihood has Trials
	Normal                  // mean, standard deviation
	Beta                    // mean, precision: Beta(mean·precision, (1−mean)·precision)
	// ZeroOneInflatedBeta is a mixture of Beta and of the values 0 and 1 (Ospina and Ferrari 2010): mean and precision of Beta,
	// the probability α of a 0 or 1 instead, and the probability γ that it is then a 1.
	ZeroOneInflatedBeta
	Choice // a utility for each category: probabilities in proportion to e^utility
)

// A Likelihood is a family whose arguments are nodes. Trials has the number of trials of each row; nil means one.
type Likelihood struct {
	Family Family
	Args   []Node
	Trials []float64
}

// An Observation says that row number Row has the value Value, Count times.
type Observation struct {
	Row          int
	Value, Count float64
}

func (l *lowerer) likelihood(k Likelihood) likelihood {
	switch k.Family {
	case Bernoulli:
		if s := &l.syms[k.Args[0]]; s.units && s.op == expr.Logistic {
			if t := l.separable(s.args[0], k.Trials); t != nil {
				return t
			}
			return l.logit(s.args[0], k.Trials)
		}
		return l.bernoulli(k.Args[0], k.Trials)
	case Normal:
		return l.rowwise(k, normalFamily{})
	case Beta:
		return l.rowwise(k, betaFamily{})
	case ZeroOneInflatedBeta:
		return l.rowwise(k, inflatedFamily{})
	case Choice:
		return l.rowwise(k, choiceFamily{len(k.Args)})
	}
	panic("loglik: unknown family")
}

// LogProb returns the log probability, or log density, of one value of a family with these arguments. n is the number of
// trials.
func LogProb(f Family, args []float64, value, n float64) float64 {
	switch f {
	case Bernoulli:
		l := logChoose(n, value)
		if value > 0 {
			l += float64(value * num.Log(args[0]))
		}
		if value < n {
			l += float64((n - value) * num.Log1p(-args[0]))
		}
		return l
	case Normal:
		z := (value - args[0]) / args[1]
		return -0.5*float64(z*z) - num.Log(args[1]) - num.LogSqrt2Pi
	case Beta:
		a, b := float64(args[0]*args[1]), float64((1-args[0])*args[1])
		return float64((a-1)*num.Log(value)) + float64((b-1)*num.Log1p(-value)) - num.LogBeta(a, b)
	case ZeroOneInflatedBeta:
		switch value {
		case 0:
			return num.Log(args[2]) + num.Log1p(-args[3])
		case 1:
			return num.Log(args[2]) + num.Log(args[3])
		}
		return num.Log1p(-args[2]) + LogProb(Beta, args[:2], value, n)
	case Choice:
		return args[int(value)] - num.LogSumExp(args)
	}
	panic("loglik: unknown family")
}

// checkCount returns an error if v cannot be a number of successes in n trials: a whole number from 0 to n.
func checkCount(v, n float64) error {
	if v >= 0 && v <= n && v == math.Trunc(v) {
		return nil
	}
	if n == 1 {
		return fmt.Errorf("value %g is neither 0 nor 1", v)
	}
	return fmt.Errorf("value %g is not a whole number from 0 to %g", v, n)
}

// logChoose returns the logarithm of the binomial coefficient of n over k.
func logChoose(n, k float64) float64 {
	if k == 0 || k == n {
		return 0
	}
	return num.LogGamma(n+1) - num.LogGamma(k+1) - num.LogGamma(n-k+1)
}
