package loglik

import (
	"fmt"

	"achilles/sim/num"
)

// inflatedFamily is the zero-one-inflated beta family. With α and γ as in ZeroOneInflatedBeta, the probability of 0 is α(1−γ),
// that of 1 is αγ, and the density between is 1−α times that of betaFamily. Its statistics are the number of observations, the
// numbers of zeros and of ones, and the statistics of betaFamily of the values between.
type inflatedFamily struct{}

func (inflatedFamily) size() int { return 3 + betaFamily{}.size() }

func (inflatedFamily) gather(s []float64, v, count float64) error {
	switch {
	case !(v >= 0 && v <= 1):
		return fmt.Errorf("value %g is outside the interval [0, 1]", v)
	case v == 0:
		s[1] += count
	case v == 1:
		s[2] += count
	default:
		if err := (betaFamily{}).gather(s[3:], v, count); err != nil {
			return err
		}
	}
	s[0] += count
	return nil
}

func (inflatedFamily) logProb(s, args, d []float64) float64 {
	alpha, gamma, zeros, ones, between := args[2], args[3], s[1], s[2], s[3]
	l := times(zeros+ones, num.Log(alpha)) + times(between, num.Log1p(-alpha)) + times(ones, num.Log(gamma)) + times(zeros, num.Log1p(-gamma))
	if d != nil {
		clear(d[:2])
		d[2] = over(zeros+ones, alpha) - over(between, 1-alpha)
		d[3] = over(ones, gamma) - over(zeros, 1-gamma)
	}
	if between == 0 {
		return l
	}
	if d != nil {
		d = d[:2]
	}
	return l + betaFamily{}.logProb(s[3:], args[:2], d)
}

// times returns n·x, and 0 if n is 0 and x infinite.
func times(n, x float64) float64 {
	if n == 0 {
		return 0
	}
	return float64(n * x)
}

// over returns n/x, and 0 if both are 0.
func over(n, x float64) float64 {
	if n == 0 {
		return 0
	}
	return n / x
}
