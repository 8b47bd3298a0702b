package voe

import (
	"strconv"

	"achilles/sim/num"
)

// Temperatures of rational manners, in half cells of ten pixels: an actor at temperature T takes an option that wastes w
// half cells with probability proportional to e^(−w/T). They double from one to the next, from 0.03 to 3.84, a wider range
// than that of Zhi-Xuan et al. (2022), 0.2 to 0.8. The coldest one, of 0.025, 0.03, 0.035, 0.05 and 0.1, was best on generated episodes (root
// seeds 34 and 40): at colder ones a way that is slightly too long surprises more than a choice, at warmer ones detours do not tell.
const (
	coldest = 0.03
	warmest = 8 // number of temperatures

	returning = 2 // the temperature, by its index, of an actor that has turned home from a detour
)

// The manners: how an actor goes about its goal. Manners below detour are rational, each at one of the temperatures.
const (
	detour  = warmest     // the actor goes to a place of its own choice, and from there to the goal
	wander  = warmest + 1 // the actor goes without regard to the goal
	manners = warmest + 2
)

// mannerShares returns the probabilities of the manners with their names in reports.
func mannerShares(w [manners]float64) []Share {
	var s []Share
	for k := range warmest {
		s = append(s, Share{"temperature " + strconv.FormatFloat(temperature(k), 'g', -1, 64), w[k]})
	}
	return append(s, Share{"detour", w[detour]}, Share{"wander", w[wander]})
}

func temperature(k int) float64 { return coldest * float64(int(1)<<k) }

// priorManner returns the prior of manners. It is proportional to e^−T over the temperatures, as in Zhi-Xuan et al.
// (2022); the two irrational manners have the planner's small probabilities.
func (p *Planner) priorManner() (w [manners]float64) {
	sum := 0.0
	for k := range warmest {
		w[k] = num.Exp(-temperature(k))
		sum += w[k]
	}
	for k := range warmest {
		w[k] *= (1 - p.Detour - p.Wander) / sum
	}
	w[detour], w[wander] = p.Detour, p.Wander
	return w
}

// inertia returns the probabilities of the options for an actor without regard to a goal. The actor tends to keep its
// heading; without a heading, all options are equally probable.
func (p *Planner) inertia(o *options, heading int) (weight [16]float64) {
	sum := 0.0
	for k := range o.n {
		weight[k] = 1
		if heading != noHeading {
			turn := o.heading[k] - heading
			turn = min(turn&15, -turn&15)
			w := p.Momentum
			for range turn {
				w *= p.Swerve
			}
			weight[k] = float64(w) + (1-p.Momentum)/16
		}
		sum += weight[k]
	}
	for k := range o.n {
		weight[k] /= sum
	}
	return weight
}

// rational returns the probability of the option taken at every temperature T: proportional to weight · e^(−waste/T) if the actor is steady,
// to e^(−waste/T) if it is loose. It is 0 if the sum over the options underflows.
func rational(o *options, weight *[16]float64) (steady, loose [warmest]float64) {
	var e [16]float64
	for k := range o.n {
		e[k] = num.Exp(-o.waste[k] / temperature(warmest-1))
	}
	for t := warmest - 1; t >= 0; t-- {
		weighted, sum := 0.0, 0.0
		for k := range o.n {
			weighted += float64(weight[k] * e[k])
			sum += e[k]
		}
		if weighted > 0 {
			steady[t] = weight[o.taken] * e[o.taken] / weighted
		}
		if sum > 0 {
			loose[t] = e[o.taken] / sum
		}
		for k := range o.n {
			e[k] *= e[k] // e^(−waste/T) at half the temperature T
		}
	}
	return steady, loose
}

// A bearing has the probabilities, at every temperature, that a rational actor is steady in a trial, with a tendency to keep its heading, and
// that it is loose, without one. Both are alike at first, whatever the actor was before: who turns otherwise than it did wastes no more.
type bearing struct{ steady, loose [warmest]float64 }

func newBearing() (b bearing) {
	for k := range warmest {
		b.steady[k], b.loose[k] = 0.5, 0.5
	}
	return b
}

// step updates b by one step, given its probabilities for a steady and for a loose actor, and returns the probability of that step.
func (b *bearing) step(steady, loose *[warmest]float64) (p [warmest]float64) {
	for k := range p {
		s, l := float64(b.steady[k]*steady[k]), float64(b.loose[k]*loose[k])
		if p[k] = s + l; p[k] > 0 {
			b.steady[k], b.loose[k] = max(s/p[k], least), max(l/p[k], least)
		}
	}
	return p
}

// A tour has the probabilities that an actor on a detour is still on the way to a place of its own choice (away), or
// already on the way from there to its goal (home).
type tour struct{ away, home float64 }

// step updates u by one step and returns the probability of that step. turn is the probability that the actor turns
// towards its goal before the step. drift is the probability of the step if the actor goes without regard to the goal,
// and direct its probability if the actor goes to the goal.
func (u *tour) step(turn, drift, direct float64) float64 {
	u.home += float64(turn * u.away)
	u.away *= 1 - turn
	u.home = float64(u.home * direct)
	u.away = float64(u.away * drift)
	p := u.home + u.away
	if p > 0 {
		u.home /= p
		u.away /= p
	}
	return p
}
