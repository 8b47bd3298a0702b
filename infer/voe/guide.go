package voe

import (
	"math"

	"achilles/gridworld/lattice"
)

// Handling is what it costs to take a key or to open a lock, in pixels: a step of a frame.
const handling = 2 * lattice.Straight

// A guide knows what the cheapest way to a goal costs from everywhere, in every phase: straight there, or first to the
// lock with the key, or first to the key.
type guide struct {
	target thing
	isKey  bool
	direct *lattice.Field         // while the barrier stands, without unlocking
	field  [phases]*lattice.Field // nil: the goal is gone
	shut   *lattice.Map
}

// theKey is the index of the key among the things an actor may want.
const theKey = -1

// guideTo returns the guide to an object of the trial by its index, or to the key.
func (t *trial) guideTo(index int) *guide {
	if g, ok := t.guides[index]; ok {
		return g
	}
	g := &guide{shut: t.closed, isKey: index == theKey}
	if t.guides[index] = g; g.isKey {
		g.target = *t.key
	} else {
		g.target = t.object[index]
	}
	s, target := &t.studio.planner, g.target
	g.direct = t.waysTo(t.closed, target.centre)
	if g.isKey {
		g.field[bare] = g.direct
		return g
	}
	if t.closed == t.opened {
		g.field = [phases]*lattice.Field{g.direct, g.direct, g.direct}
		return g
	}
	g.field[unlocked] = t.waysTo(t.opened, target.centre)
	g.field[carrying], g.field[bare] = g.direct, g.direct
	if t.lock == nil || t.key == nil {
		return g
	}
	at, _ := nearest(t.closed, target.centre)
	sources := append(t.doors(g.field[unlocked]), lattice.Source{Point: at})
	g.field[carrying] = s.Flood(t.closed, sources...)
	key, _ := nearest(t.closed, t.key.centre)
	if c, ok := g.field[carrying].Cost(key); ok {
		g.field[bare] = s.Flood(t.closed, lattice.Source{Point: at}, lattice.Source{Point: key, Cost: c + handling})
	}
	return g
}

// waysTo is the field of the ways to a place, or to the node nearest to it where walls are too close.
func (t *trial) waysTo(m *lattice.Map, p lattice.Point) *lattice.Field {
	at, _ := nearest(m, p)
	return t.studio.planner.From(m, at)
}

// doors are the places from which the lock can be opened, with the cost of the rest of the way.
func (t *trial) doors(beyond *lattice.Field) []lattice.Source {
	reach := int(t.scene.Locks[0].Half) + clearance
	var sources []lattice.Source
	for k := -reach; k <= reach; k++ {
		for _, d := range [4]lattice.Point{{X: k, Y: reach}, {X: k, Y: -reach}, {X: reach, Y: k}, {X: -reach, Y: k}} {
			p := t.lock.centre.Add(d)
			if c, ok := beyond.Cost(p); ok && t.closed.Open(p) {
				sources = append(sources, lattice.Source{Point: p, Cost: c + handling})
			}
		}
	}
	return sources
}

// value is the cost of the cheapest way from p in a phase, or of one from the nearest node around it that is open:
// actors of the benchmark come a pixel closer to walls than the map allows. It is −1 where there is no way.
func (g *guide) value(p lattice.Point, h phase) int {
	f := g.field[h]
	if f == nil {
		return -1
	}
	if c, ok := f.Cost(p); ok {
		return c
	}
	best := -1
	for dy := -2; dy <= 2; dy++ {
		for dx := -2; dx <= 2; dx++ {
			q := p.Add(lattice.Point{X: dx, Y: dy})
			if c, ok := f.Cost(q); ok && (best < 0 || c+lattice.Octile(p, q) < best) {
				best = c + lattice.Octile(p, q)
			}
		}
	}
	return best
}

// throughKey says whether the cheapest way from p, before anything was taken, leads to the key first.
func (g *guide) throughKey(p lattice.Point) bool {
	if g.isKey || g.field[bare] == g.direct {
		return false
	}
	c, ok := g.field[bare].Cost(p)
	d, without := g.direct.Cost(p)
	return ok && (!without || c < d)
}

// pixels is a cost in pixels.
func pixels(cost int) float64 { return float64(cost) / lattice.Straight }

// ring has the displacements of a frame of two unit steps, anticlockwise from the east, and those of one unit step.
var (
	ring2 = [16]lattice.Point{{X: 2}, {X: 2, Y: 1}, {X: 2, Y: 2}, {X: 1, Y: 2}, {Y: 2}, {X: -1, Y: 2}, {X: -2, Y: 2}, {X: -2, Y: 1},
		{X: -2}, {X: -2, Y: -1}, {X: -2, Y: -2}, {X: -1, Y: -2}, {Y: -2}, {X: 1, Y: -2}, {X: 2, Y: -2}, {X: 2, Y: -1}}
	ring1 = [8]lattice.Point{{X: 1}, {X: 1, Y: 1}, {Y: 1}, {X: -1, Y: 1}, {X: -1}, {X: -1, Y: -1}, {Y: -1}, {X: 1, Y: -1}}
)

// options are what an actor could have done in a frame: displacements to places where one can be, what each wastes on
// the way to a goal, in half cells, and which of them it did. Headings are sixteenths of a turn.
type options struct {
	n       int
	taken   int // index of what it did
	waste   [16]float64
	heading [16]int
}

// noHeading is the heading of an actor that has not moved yet.
const noHeading = -1

// consider fills o with the options in a move, as they are on the way to a goal; nil: to none. It returns false for a
// jump, about which nothing can be said.
func (o *options) consider(m *move, g *guide, open *lattice.Map) bool {
	d := m.to.Sub(m.from)
	ring, turn := ring2[:], 1
	switch lattice.Chebyshev(m.from, m.to) {
	case 1:
		ring, turn = ring1[:], 2
	case 2:
	default:
		return false
	}
	here := -1
	if g != nil {
		here = g.value(m.from, m.phase)
	}
	o.n = 0
	for k, v := range ring {
		p := m.from.Add(v)
		if v == d {
			o.taken = o.n
		} else if !open.Open(p) {
			continue
		}
		o.waste[o.n], o.heading[o.n] = 0, k*turn
		if here >= 0 {
			o.waste[o.n] = math.Inf(1)
			if there := g.value(p, m.phase); there >= 0 {
				o.waste[o.n] = max(0, pixels(lattice.Octile(m.from, p)+there-here)/halfCell)
			}
		}
		o.n++
	}
	return true
}
