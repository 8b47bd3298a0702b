package bib

import (
	"achilles/gridworld/lattice"
)

// The identities of the two objects and the two actors of an episode.
const (
	preferred = 0
	other     = 1
	familiar  = 0
	stranger  = 1
)

// A trial is one trial before its frames are rendered.
type trial struct {
	walls   cells
	barrier cells           // including the cell of the lock
	lock    cell            // only meaningful if there is a barrier
	key     *lattice.Point  // nil: there is none
	object  []lattice.Point // places of the objects, by identity
	start   lattice.Point
	actor   int            // identity of the actor
	contact int            // Problem.Contact
	via     *lattice.Point // Problem.Via
	walk    lattice.Walk
	prelude *prelude // what happens before the actor sets out; nil: nothing
	cut     bool     // the end of the walk is not shown: the walk has the frames before it
}

// thingKey returns the index of the key among the things of a problem.
func (t *trial) thingKey() int { return len(t.object) }

// shut returns the walls and the cells of the closed barrier.
func (t *trial) shut() cells { return t.walls.union(&t.barrier) }

// problem returns the trial as a problem for an actor that wants these things, in this order.
func (d *draft) problem(t *trial, wants ...int) *lattice.Problem {
	s := &lattice.Problem{Start: t.start, Open: d.open(t.walls), Things: t.object, Wants: wants}
	if t.key != nil {
		s.Things = append(append([]lattice.Point{}, t.object...), *t.key)
		s.Key = *t.key
	}
	if t.barrier != (cells{}) {
		s.Shut, s.Lock, s.Reach = d.open(t.shut()), t.lock.centre(), Cell/2+Clearance
		s.Locked = t.key != nil
	}
	if d.design.Motion == Measured {
		s.Contact, s.Via, s.Room, s.Legs = t.contact, t.via, objectHalf+Clearance, true
	}
	return s
}

// act draws how the rational actor moves in trial t, and sets t.walk to its walk if it wants these things in this order.
// It returns false if the actor does not move, touches another thing or wastes more than the motion allows.
func (d *draft) act(t *trial, wants ...int) bool {
	if !d.repeat(d.fresh(t), wants...) {
		return false
	}
	d.stray(t, wants...)
	return true
}

// repeat does what act does, but the actor moves as it did when t was drawn or copied.
func (d *draft) repeat(t *trial, wants ...int) bool { return d.rational(t, d.problem(t, wants...)) }

// rational does what repeat does, for a given problem.
func (d *draft) rational(t *trial, s *lattice.Problem) bool {
	allowed := 0
	if d.design.Motion == Measured {
		allowed = maxDetour
	}
	var ok bool
	t.walk, ok = d.actors.Rational.Walk(&d.planner, s)
	return ok && t.walk.Excess <= allowed && len(t.walk.Track) > 1
}

// detour sets t.walk to the walk of the irrational actor in trial t, as if the ghost cells were walls too. It returns
// false if the actor cannot walk or does not move.
func (d *draft) detour(t *trial, ghost cells, want int) bool {
	s := d.problem(t, want)
	s.Ghost = d.open(ghost)
	var ok bool
	t.walk, ok = d.actors.Irrational.Walk(&d.planner, s)
	return ok && len(t.walk.Track) > 1
}

// waysFrom returns the field of ways from p if these cells are walls.
func (d *draft) waysFrom(walls cells, p lattice.Point) *lattice.Field {
	return d.planner.From(d.open(walls), p)
}

// excess returns the largest cost that the walk of t has wasted at any step, on the way to a place: the cost walked plus the
// least cost still to go, minus the least cost from the start. `to` is the field of ways to the place. The result is 0 if
// the place cannot be reached.
func (t *trial) excess(to *lattice.Field) int {
	first, ok := to.Cost(t.start)
	if !ok {
		return 0
	}
	worst, spent, at := 0, 0, t.start
	for _, p := range t.walk.Track {
		spent += lattice.Octile(at, p)
		at = p
		if rest, ok := to.Cost(p); ok {
			worst = max(worst, spent+rest-first)
		}
	}
	return worst
}

// openExcess returns what excess returns for the way to a point in a scene without walls.
func (t *trial) openExcess(to lattice.Point) int {
	worst, spent, at, first := 0, 0, t.start, lattice.Octile(t.start, to)
	for _, p := range t.walk.Track {
		spent += lattice.Octile(at, p)
		at = p
		worst = max(worst, spent+lattice.Octile(p, to)-first)
	}
	return worst
}

// end returns the place where the walk of t ends.
func (t *trial) end() lattice.Point { return t.walk.Track[len(t.walk.Track)-1] }

// same reports whether two walks are equal step by step.
func same(a, b []lattice.Point) bool {
	if len(a) != len(b) {
		return false
	}
	for i, p := range a {
		if p != b[i] {
			return false
		}
	}
	return true
}
