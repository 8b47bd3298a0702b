package voe

import (
	"achilles/gridworld/lattice"
)

// Exports for the external tests of this package.

type Planned = planned

type planned struct {
	Waste   []float64
	Heading []int
	Taken   int
}

// Consider returns the options in move i of trial k, on the way to an object.
func (v *View) Consider(k, i, object int) (planned, bool) {
	t := v.trials[k]
	var o options
	ok := o.consider(&t.moves[i], t.guideOf(object), t.closed)
	return planned{o.waste[:o.n], o.heading[:o.n], o.taken}, ok
}

// Rational returns the probability of taking option k at every temperature, of a steady actor to which all
// options have equal weights and of a loose one.
func Rational(waste []float64, k int) (steady, loose []float64) {
	o := options{n: len(waste), taken: k}
	copy(o.waste[:], waste)
	var w [16]float64
	for i := range waste {
		w[i] = 1 / float64(len(waste))
	}
	s, l := rational(&o, &w)
	return s[:], l[:]
}

// Inertia returns the probabilities of options with these headings, for an actor with this heading.
func Inertia(headings []int, heading int) []float64 {
	o := options{n: len(headings)}
	copy(o.heading[:], headings)
	w := DefaultPlanner().inertia(&o, heading)
	return w[:len(headings)]
}

// guideOf returns the guide to an object where it is, given its index, or to the key, given theKey.
func (t *trial) guideOf(index int) *guide {
	if index == theKey {
		return t.guideToKey()
	}
	return t.guideAt(index, t.object[index].centre)
}

// Value returns the cost of the cheapest way to an object from a place in phase p, in pixels, or −1 if there is none.
func (v *View) Value(k, object int, at lattice.Point, p int) float64 {
	c := v.trials[k].guideOf(object).value(at, phase(p))
	if c < 0 {
		return -1
	}
	return pixels(c)
}

// ThroughKey reports whether the cheapest way to an object leads to the key first.
func (v *View) ThroughKey(k, object int, at lattice.Point) bool {
	return v.trials[k].guideOf(object).throughKey(at)
}

// Manners is the number of manners. NoHeading is the heading of an actor that has not moved. Key stands for the key in
// place of the index of an object.
const (
	Manners   = manners
	NoHeading = noHeading
	Key       = theKey
)

// PriorManner returns the prior of manners.
func PriorManner() []float64 {
	w := DefaultPlanner().priorManner()
	return w[:]
}

// A Wish is a goal of a trial for Learner. Within is whether the actor can reach it.
type Wish struct {
	Want   int
	Within bool
}

// A Learner learns about one actor from likelihoods, without watching.
type Learner struct {
	m *memory
	c *character
}

// NewLearner returns a Learner about an actor that may want n things and has not been seen.
func NewLearner(n int) *Learner {
	p := DefaultPlanner()
	m := &memory{Planner: p, prior: p.priorManner()}
	l := &Learner{m: m, c: m.actor("actor")}
	for i := range n {
		l.c.want(string(rune('a' + i)))
	}
	return l
}

func goalsOf(wishes []Wish) []goal {
	var g []goal
	for _, w := range wishes {
		g = append(g, goal{share: 1, want: w.Want, possible: w.Within})
	}
	return g
}

// Learn updates the learner by a trial. Expect returns the joint prior of goal and manner in the next one.
func (l *Learner) Learn(wishes []Wish, likelihood [][Manners]float64) {
	l.m.learn(l.c, goalsOf(wishes), likelihood)
}

func (l *Learner) Expect(wishes []Wish) [][Manners]float64 { return l.m.expect(l.c, goalsOf(wishes)) }

func (l *Learner) Preference() []Share { return l.m.preference(l.c) }

func (l *Learner) Histories() int { return len(l.c.state) }

// Plausibility returns HBToM's plausibility, given its three features.
func Plausibility(goal, warmth, likely float64) float64 {
	w := wishFilter{goal: goal, warmth: warmth, likely: likely}
	return w.plausibility()
}

// Warmth returns HBToM's prior of temperatures.
func Warmth() []float64 {
	a := newAcquaintance()
	return a.warm[:]
}

// HalfPath returns the path of trial k on half cells.
func (v *View) HalfPath(k int) (path [][2]int) {
	for _, s := range v.trials[k].halves().path {
		path = append(path, [2]int{s.at.X, s.at.Y})
	}
	return path
}

// Stranger returns the prior of a new actor's manner after what the learner has learned of the first actor.
func (l *Learner) Stranger() []float64 {
	w := l.m.actor("stranger").manner()
	return w[:]
}

// Manner returns the posterior of the actor's manner.
func (l *Learner) Manner() []float64 {
	w := l.c.manner()
	return w[:]
}

// Divergence returns the divergence of beliefs about goals and manners, from the most efficient, from those before.
func Divergence(p, q [][]float64) float64 {
	both := func(rows [][]float64) (all [][manners]float64) {
		for _, row := range rows {
			var w [manners]float64
			copy(w[:], row)
			all = append(all, w)
		}
		return all
	}
	return divergence(both(p), both(q))
}
