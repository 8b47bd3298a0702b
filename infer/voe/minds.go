package voe

import (
	"slices"

	"achilles/gridworld/lattice"
	"achilles/sim/record"
)

// places returns, for each object of a trial, where its actor believes it to be when it sets out; several places are equally probable.
type places func(t *trial) [][]lattice.Point

// seenPlaces has places that the actor knows because it saw the object there last. An actor that is there sees the objects that no
// cover is over, and those that move. One whose place it never saw may be at that of any such object.
func (t *trial) seenPlaces() [][]lattice.Point {
	if len(t.seen.Changes) == 0 && !t.seen.Scene.Away && len(t.seen.Scene.Covers) == 0 {
		return t.realPlaces()
	}
	known := make([][]lattice.Point, len(t.object))
	before := t.seen.Scene.State()
	look := func(now *record.Change) {
		for i := range known {
			if at := now.Objects[i]; !now.Away && (at != before.Objects[i] || !covered(now.Covers, &at)) {
				known[i] = []lattice.Point{thingOf(&at).centre}
			}
		}
		before = *now
	}
	look(&before)
	last := setOut(t.seen)
	for i := range t.seen.Changes {
		if c := &t.seen.Changes[i]; c.Frame <= last {
			look(c)
		}
	}
	var open []lattice.Point
	for i, at := range known {
		if at == nil {
			open = append(open, t.object[i].centre)
		}
	}
	for i, at := range known {
		if at == nil {
			known[i] = open
		}
	}
	return known
}

// covered reports whether the centre of a shape is under a cover.
func covered(covers []record.Rect, s *record.Shape) bool {
	x, y := s.X+s.Half, s.Y+s.Half
	return slices.ContainsFunc(covers, func(r record.Rect) bool { return x >= r.X && y >= r.Y && x < r.X+r.W && y < r.Y+r.H })
}

// realPlaces has the places where the objects are: the actor knows what the observer knows.
func (t *trial) realPlaces() [][]lattice.Point {
	at := make([][]lattice.Point, len(t.object))
	for i := range at {
		at[i] = []lattice.Point{t.object[i].centre}
	}
	return at
}

// firstPlaces has the places of the first frame: the actor learns of no change.
func (t *trial) firstPlaces() [][]lattice.Point {
	at := make([][]lattice.Point, len(t.object))
	for i := range at {
		at[i] = []lattice.Point{thingOf(&t.scene.Objects[i]).centre}
	}
	return at
}

// guessedPlaces knows nothing of an actor that has been away: to it, objects are at the places of all of them. Other actors know what the observer knows.
func (t *trial) guessedPlaces() [][]lattice.Point {
	at := t.realPlaces()
	if t.seen.Scene.Away || slices.ContainsFunc(t.seen.Changes, func(c record.Change) bool { return c.Away }) {
		all := slices.Concat(at...)
		for i := range at {
			at[i] = all
		}
	}
	return at
}

// A Mind is the observer achilles with another idea of what an actor knows: it fails where that makes a difference.
type Mind struct {
	*Planner
	places places
}

// Watch returns the surprise at the test trial and the beliefs after every trial.
func (m Mind) Watch(v *View) Report { return m.watch(v, m.places) }

// Minds returns the observers that differ from achilles in what an actor knows of objects that move: reality takes it to know where they are,
// ignorance takes one that was away to know nothing, first_place takes it to think that they are where they were at first.
func Minds() []Named {
	p := DefaultPlanner()
	return []Named{{"reality", Mind{p, (*trial).realPlaces}}, {"ignorance", Mind{p, (*trial).guessedPlaces}}, {"first_place", Mind{p, (*trial).firstPlaces}}}
}
