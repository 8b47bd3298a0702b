package bib

import (
	"achilles/gridworld/lattice"
	"achilles/sim/record"
)

// beliefs draws episodes in whose test trials covers hide two objects, which may exchange their places before the actor sets out.
type beliefs struct{ anywhere }

// A prelude is what happens in a trial before its actor sets out.
type prelude struct {
	first  []lattice.Point // places of the objects at the beginning, by identity
	absent bool            // the actor comes only when covers hide the objects
	leaves bool            // the actor is away while the objects move
	moves  [][]lattice.Point
}

// draw draws an episode in which the actor prefers one of two objects, and a test trial with other places. In tests of FalseBelief,
// TrueBelief and UnseenReturn the actor first sees both objects, then covers hide them and they move, in the last back again. Here
// it goes, as expected, to the place where it saw the preferred object last, or to the other one. In IgnorantActor one that was away until the covers
// came, which are all that it has seen, may go to either place; one that saw the objects goes to the one that it prefers. In half of the episodes
// both go to the other, which is expected of the one that was away; in half to the preferred one, which is expected of the one that saw it. So
// having been away tells nothing by itself. The place to which the actor goes as expected is the nearer one in episodes of even index.
func (d beliefs) draw() (p outline, f failure) {
	p, base, ways, f := d.varied()
	if f != "" {
		return p, f
	}
	p.variant = "place farther"
	if d.even() {
		p.variant = "place nearer"
	}
	for range 40 {
		t := base
		if !d.twoAnywhere(&t, ways, d.even()) {
			continue
		}
		// The first place is that where the actor goes as expected.
		here, there := t.object[0], t.object[1]
		e, u := t, t
		if !d.act(&e, 0) || !d.act(&u, 1) || !d.suitsSplit(&u, there, here) {
			continue
		}
		p.expected, p.unexpected = d.stage(e, u, here, there)
		return p, ""
	}
	return p, "a test trial with two places"
}

// stage returns the test trials of a task, given walks to two places.
func (d beliefs) stage(e, u trial, here, there lattice.Point) (expected, unexpected trial) {
	at := func(p, q lattice.Point) []lattice.Point { return []lattice.Point{preferred: p, other: q} }
	s, object := prelude{}, []lattice.Point(nil)
	switch d.task {
	case FalseBelief:
		s, object = prelude{first: at(here, there), leaves: true, moves: [][]lattice.Point{at(there, here)}}, at(there, here)
	case TrueBelief:
		s, object = prelude{first: at(there, here), moves: [][]lattice.Point{at(here, there)}}, at(here, there)
	case UnseenReturn:
		s, object = prelude{first: at(here, there), leaves: true, moves: [][]lattice.Point{at(there, here), at(here, there)}}, at(here, there)
	case IgnorantActor:
		u = e
		s, object = prelude{first: at(there, here)}, at(there, here)
		if d.index/2%2 == 1 {
			s, object = prelude{first: at(here, there)}, at(here, there)
		}
		absent := s
		absent.absent = true
		if d.index/2%2 == 0 {
			e.prelude = &absent
		} else {
			u.prelude = &absent
		}
	}
	e.object, u.object = object, object
	for _, t := range []*trial{&e, &u} {
		if t.prelude == nil {
			t.prelude = &s
		}
	}
	return e, u
}

// What a prelude takes, in frames and pixels. The pauses are chosen here; a cover hides an object's square and a pixel more, as much as
// the object is from a wall at least.
const (
	pause     = 12 // between its events, half a second
	glide     = 3  // pixels that the quickest object moves in a frame
	coverHalf = Clearance
)

// prelude adds the frames of a prelude, which begins with still frames.
func (r *rendering) prelude(s *prelude) {
	for i := range r.now.Objects { // in the scene's order, which does not tell what the actor prefers
		p := middle(&r.now.Objects[i])
		r.now.Covers = append(r.now.Covers, record.Rect{X: int16(p.X - coverHalf), Y: int16(p.Y - coverHalf), W: 2 * coverHalf, H: 2 * coverHalf})
	}
	r.event()
	if s.absent || s.leaves {
		r.now.Away = s.leaves
		r.event()
	} else {
		r.still(pause) // as long as if it had been away
	}
	from := s.first
	for _, to := range s.moves {
		r.glide(from, to)
		from = to
	}
	if s.leaves {
		r.now.Away = false
		r.event()
	}
}

// event adds a pause with the present state.
func (r *rendering) event() {
	r.still(1)
	r.changed()
	r.still(pause - 1)
}

// glide moves the objects of a trial in straight lines, from and to these places by identity, and adds a pause.
func (r *rendering) glide(from, to []lattice.Point) {
	frames := 1
	for i := range from {
		frames = max(frames, (lattice.Chebyshev(from[i], to[i])+glide-1)/glide)
	}
	begun := r.now.Objects
	for f := 1; f <= frames; f++ {
		r.now.Objects = append([]record.Shape(nil), begun...)
		for k := range begun {
			i := 0
			for middle(&begun[k]) != from[i] {
				i++
			}
			d := to[i].Sub(from[i])
			r.now.Objects[k].X += int16(d.X * f / frames)
			r.now.Objects[k].Y += int16(d.Y * f / frames)
		}
		r.still(1)
		r.changed()
	}
	r.still(pause)
}
