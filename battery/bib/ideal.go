package bib

import (
	"math"
	"slices"

	"achilles/gridworld/lattice"
	"achilles/sim/num"
)

// ideal is the observer that knows how a draft was made.
type ideal struct{ *draft }

// nats returns the log odds of the expected outcome against the unexpected one for the ideal observer: it knows how the episode was
// made, its noise and where actors stop included, but not what they prefer, which it thinks uniform over all preferences beforehand.
// Where an actor chooses between objects they are those of its goals in the two outcomes, or of their steps where the end of a walk that
// both have is not shown. In EfficiencyPath it is the difference of the pixels wasted over the noise: the log odds of ways whose chances fall
// off exponentially with the waste, as those of noisy walks do but roughly, so that it bounds no observer. It is nil where the odds are not
// finite or not known: other tasks, and EfficiencyPath without noise.
func (d ideal) nats(p *outline) *float64 {
	nats := 0.0
	switch {
	case chosen(d.task):
		now := d.familiarise(p)
		nats = d.outcome(now, &p.expected) - d.outcome(now, &p.unexpected)
	case d.task == EfficiencyPath && d.dial.Noise > 0:
		nats = (d.waste(&p.unexpected) - d.waste(&p.expected)) / d.dial.Noise
	default:
		return nil
	}
	return &nats
}

// waste returns by how many pixels the walk of t is longer than needed for reaching the object.
func (d ideal) waste(t *trial) float64 {
	return lattice.Length(t.excess(d.waysFrom(t.walls, t.object[t.walk.Thing])))
}

// mostObjects is the largest number of objects of a trial.
const mostObjects = 2 + MaxDistractors

// A belief has the numbers of choices that the familiar actor may have made of each object, with their probability.
type belief struct {
	count [mostObjects]uint8
	p     float64
}

// familiarise returns what the shown familiarisation trials say. A trial with one object in reach says nothing of the preference.
func (d ideal) familiarise(p *outline) []belief {
	now := []belief{{p: 1}}
	for _, k := range p.trials() {
		t := &p.familiar[k]
		in := d.withinReach(t)
		if len(in) < 2 {
			continue
		}
		likely := d.likelihood(t, in)
		var next []belief
		sum := 0.0
		for _, b := range now {
			for i, g := range in {
				c := belief{b.count, b.p * likely[i] * b.chance(g, in)}
				c.count[g]++
				sum += c.p
				if at := slices.IndexFunc(next, func(o belief) bool { return o.count == c.count }); at >= 0 {
					next[at].p += c.p
				} else if c.p > 0 {
					next = append(next, c)
				}
			}
		}
		for i := range next {
			next[i].p /= sum
		}
		now = next
	}
	return now
}

// withinReach returns the objects that the actor of t can reach.
func (d ideal) withinReach(t *trial) (in []int) {
	ways := d.waysFrom(t.walls, t.start)
	for g, at := range t.object {
		if reached(ways, at) {
			in = append(in, g)
		}
	}
	return in
}

// chance returns the probability that the actor chooses an object among those within reach, if all preferences were equally likely
// beforehand.
func (b *belief) chance(goal int, in []int) float64 {
	sum := 0
	for _, g := range in {
		sum += 1 + int(b.count[g])
	}
	return float64(1+b.count[goal]) / float64(sum)
}

// outcome returns the log probability of what a test trial shows: that its actor goes to the object to which it goes or, where the end of
// its walk is not shown, that it makes these steps to any object within reach.
func (d ideal) outcome(now []belief, t *trial) float64 {
	in := d.withinReach(t)
	if t.actor == stranger {
		now = []belief{{p: 1}}
	}
	if !t.cut {
		return num.Log(chanceOf(now, t.walk.Thing, in))
	}
	steps := make([]float64, len(in))
	for i, g := range in {
		steps[i] = d.logWalk(t, g)
	}
	p, most := 0.0, slices.Max(steps)
	for i, g := range in {
		p += float64(chanceOf(now, g, in) * num.Exp(steps[i]-most))
	}
	return most + num.Log(p)
}

// chanceOf returns the probability that the actor chooses an object among those within reach.
func chanceOf(now []belief, goal int, in []int) (p float64) {
	for i := range now {
		p += float64(now[i].p * now[i].chance(goal, in))
	}
	return p
}

// likelihood returns the probability of what a familiarisation trial shows, by the object to which the actor may go, up to a common
// factor. A walk that is shown to its end tells the object.
func (d ideal) likelihood(t *trial, in []int) []float64 {
	p := make([]float64, len(in))
	for i, g := range in {
		switch {
		case t.cut:
			p[i] = d.logWalk(t, g)
		case g != t.walk.Thing:
			p[i] = math.Inf(-1)
		}
	}
	most := slices.Max(p)
	for i := range p {
		p[i] = num.Exp(p[i] - most)
	}
	return p
}

// logWalk returns the log probability of the steps of a noisy walk that goes to an object.
func (d ideal) logWalk(t *trial, goal int) float64 {
	f, sum, at := d.toward(t, t.walls, goal), 0.0, t.start
	var choice []lattice.Chance
	for _, p := range t.walk.Track {
		choice = f.Noisily(choice[:0], at, d.dial.Noise)
		k := slices.IndexFunc(choice, func(c lattice.Chance) bool { return c.Point == p })
		if k < 0 {
			return math.Inf(-1)
		}
		sum += num.Log(choice[k].P)
		at = p
	}
	return sum
}
