package table

import (
	"math"

	"achilles/sim/num"
)

// An orderOfPassing is who passes an item, given how many do: in a Rasch model each set of so many subjects has a probability proportional to the
// product of its odds, whatever the difficulty.
type orderOfPassing struct {
	ability []float64 // log odds of those who took the item
	passes  int       // from 1 to their number less 1
}

// tail returns the probability that the sum of the abilities of those who pass lies z standard deviations (below 0) or more under its mean, by the
// saddlepoint approximation (Robinson 1982, Annals of Statistics 10): where few pass, or few fail, the sum is far from normal in its tail, which
// is where a correction for thousands of items looks.
func (o orderOfPassing) tail(z float64) float64 {
	const step, far = 1e-3, -50.0
	at := o.logSum(1)
	mean := func(u float64) float64 { return (o.logSum(u+step) - o.logSum(u-step)) / (2 * step) }
	deviation := func(u float64) float64 {
		return math.Sqrt(max(0, o.logSum(u+step)-2*o.logSum(u)+o.logSum(u-step))) / step
	}
	sum := mean(1) + float64(z*deviation(1))
	if mean(far) >= sum { // none is lower: the probability of the lowest
		return num.Exp(min(0, o.logSum(far)-at+float64((1-far)*mean(far))))
	}
	lo, hi := far, 1.0 // by how much odds are raised, so that the mean is there
	for range 60 {
		if mid := (lo + hi) / 2; mean(mid) < sum {
			lo = mid
		} else {
			hi = mid
		}
	}
	x := (1 - lo) * deviation(lo)
	return num.Exp(o.logSum(lo)-at+float64((1-lo)*sum)+float64(x*x)/2) * num.NormalCDF(-x)
}

// logSum returns the log of the sum over sets of so many subjects of the products of their odds, each to a power: by the distribution of the number of
// independent passes with these odds, times what makes as many expected.
func (o orderOfPassing) logSum(power float64) float64 {
	lo, hi := -700.0, 700.0
	shift := 0.0
	for range 60 {
		shift = (lo + hi) / 2
		expected := 0.0
		for _, a := range o.ability {
			expected += num.Logistic(float64(power*a) + shift)
		}
		if expected < float64(o.passes) {
			lo = shift
		} else {
			hi = shift
		}
	}
	p := make([]float64, o.passes+1)
	p[0] = 1
	out := -float64(shift * float64(o.passes))
	for _, a := range o.ability {
		x := float64(power*a) + shift
		q := num.Logistic(x)
		out += num.Softplus(x)
		for k := o.passes; k > 0; k-- {
			p[k] = float64(p[k]*(1-q)) + float64(p[k-1]*q)
		}
		p[0] *= 1 - q
	}
	return out + num.Log(p[o.passes])
}
