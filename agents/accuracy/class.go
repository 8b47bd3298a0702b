package accuracy

import (
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
	turn := func(in, out float64, inside func(u float64) bool) float64 {
		for range 100 {
			if m := (in + out) / 2; inside(m) {
				in = m
			} else {
				out = m
			}
		}
		return in
	}
	u := turn(float64(max(best-1, 0))/steps, float64(min(best+1, steps))/steps, func(u float64) bool { return c.falls(at(u)) })
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
		return turn(u, end, inside)
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

// falls reports whether the log likelihood falls where a difficulty grows.
func (c *Class) falls(d float64) bool {
	slope, g := 0.0, c.guess()
	for _, r := range c.Results {
		if r.Ability <= 0 {
			continue
		}
		known := num.Exp(-d/r.Ability) * (1 - g) // by which a chance is above that of a guess; its derivative is −known/ability
		if r.Right < r.N {
			slope += float64(float64(r.N-r.Right)*known/(1-g-known)) / r.Ability
		}
		if known > 0 {
			slope -= float64(float64(r.Right)*known/(g+known)) / r.Ability
		} else if g == 0 {
			slope -= float64(r.Right) / r.Ability
		}
	}
	return slope < 0
}
