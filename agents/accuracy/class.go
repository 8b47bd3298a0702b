package accuracy

import (
	"math"

	"achilles/sim/num"
)

// A Result says how often an agent of known ability was right on tasks of one class.
type Result struct {
	Agent    string
	Ability  float64 // that counts in the class
	Right, N int
}

// A Class is a class of tasks of unknown difficulty, with what agents of known ability did on it.
type Class struct {
	Name    string
	Task             // without its difficulty
	Results []Result // at least one
}

// likelihoodLimit is half of the 95 % quantile of χ² with one degree of freedom.
const likelihoodLimit = 1.920729410347062

// Difficulty returns the most likely difficulty of the class, and the ends of its 95 % interval by the likelihood ratio. For one agent
// with a proportion s right it is D = −α ln((s − g)/(1 − g)), where g is the chance of a guess. It is 0 if everybody was always right, and
// +Inf, as is the upper end, if guesses explain the results as well as any difficulty does.
func (c *Class) Difficulty() (d, low, high float64) {
	most := 0.0
	for _, r := range c.Results {
		most = max(most, r.Ability)
	}
	// u = e^(−D/most) has a bounded range: 1 is D = 0, 0 is D = ∞
	at := func(u float64) float64 { return -most * num.Log(u) }
	l := func(u float64) float64 { return c.logLikelihood(at(u)) }
	const steps = 4000
	best := 0
	for i := range steps + 1 {
		if l(float64(i)/steps) > l(float64(best)/steps) {
			best = i
		}
	}
	u := golden(l, float64(max(best-1, 0))/steps, float64(min(best+1, steps))/steps)
	for _, end := range []float64{0, 1} {
		if l(end) >= l(u) {
			u = end
		}
	}
	inside := func(u0 float64) bool { return l(u0) >= l(u)-likelihoodLimit }
	edge := func(end float64) float64 {
		if inside(end) {
			return end
		}
		in, out := u, end
		for range 100 {
			if m := (in + out) / 2; inside(m) {
				in = m
			} else {
				out = m
			}
		}
		return in
	}
	return at(u) + 0, at(edge(1)) + 0, at(edge(0)) + 0
}

// logLikelihood returns the log likelihood of a difficulty, without the binomial coefficients.
func (c *Class) logLikelihood(d float64) float64 {
	sum := 0.0
	term := func(n int, p float64) {
		if n > 0 {
			sum += float64(float64(n) * num.Log(p))
		}
	}
	for _, r := range c.Results {
		p := Chance(c.at(d), r.Ability)
		term(r.Right, p)
		term(r.N-r.Right, 1-p)
	}
	return sum
}

// golden returns the place of the largest value of f between low and high, where it has one maximum.
func golden(f func(float64) float64, low, high float64) float64 {
	const ratio = 0.6180339887498949
	a, b := high-ratio*(high-low), low+ratio*(high-low)
	fa, fb := f(a), f(b)
	for range 80 {
		if fa >= fb {
			high, b, fb = b, a, fa
			a = high - ratio*(high-low)
			fa = f(a)
		} else {
			low, a, fa = a, b, fb
			b = low + ratio*(high-low)
			fb = f(b)
		}
	}
	if math.IsNaN(fa) {
		return low
	}
	return (low + high) / 2
}
