package voe

import (
	"math"

	"achilles/gridworld/lattice"
	"achilles/sim/record"
)

// An Expectation says where an observer expects the actor of a test trial to go, beside what happened.
type Expectation struct {
	Goal    string // identity of the object that is at the place
	Reached bool   // the actor ended there, and at no other object
	Nearest bool   // it is the object nearest to the actor's start as the crow flies
}

// Expect returns the expectation of an observer that takes the actor of a trial to go to a place, in pixels: that of the object nearest to
// the place when the actor sets out. ok is false without objects.
func Expect(t *record.SceneTrial, x, y float64) (e Expectation, ok bool) {
	if len(t.Path) == 0 {
		return e, false
	}
	now := t.At(setOut(t))
	half := t.Scene.Agent.Half
	nearest := func(x, y float64) int {
		best, least := -1, math.Inf(1)
		for i := range now.Objects {
			c := thingOf(&now.Objects[i]).centre
			if d := math.Hypot(float64(c.X)-x, float64(c.Y)-y); d < least {
				best, least = i, d
			}
		}
		return best
	}
	centre := func(p record.Point) (x, y float64) { return float64(p.X + half), float64(p.Y + half) }
	goal := nearest(x, y)
	if goal < 0 {
		return e, false
	}
	return Expectation{identity(&now.Objects[goal]), goal == nearest(centre(t.Path[len(t.Path)-1])), goal == nearest(centre(t.Path[0]))}, true
}

// mostProbable returns the place of the goal that is most probable in p, of equally probable ones the first.
func (f *filter) mostProbable(p [][manners]float64) lattice.Point {
	best, most := 0, -1.0
	for i := range p {
		sum := 0.0
		for _, x := range p[i] {
			sum += x
		}
		if sum > most+1e-12 {
			best, most = i, sum
		}
	}
	return f.goals[best].target.centre
}
