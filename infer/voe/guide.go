package voe

import (
	"math"
	"slices"

	"achilles/gridworld/lattice"
)

// handling is the cost of taking a key or of opening a lock: two pixels, the length of a straight step of one frame.
const handling = 2 * lattice.Straight

// A guide has the cost of the cheapest way to a goal from every place, in every phase. An actor with the key may go to
// the lock first, and an actor without it to the key and then to the lock.
type guide struct {
	target thing
	isKey  bool
	direct *lattice.Field         // cost of the way while the barrier stands, without unlocking
	field  [phases]*lattice.Field // cost of the cheapest way; nil if the goal is the key and the actor has taken it
}

// theKey stands for the key in place of the index of an object.
const theKey = -1

// barred is added to the index of an object that its actor cannot reach.
const barred = 1 << 16

// A seat is an object, by its index, or theKey, at a place where an actor may believe it to be.
type seat struct {
	index int
	at    lattice.Point
}

// guideToKey returns the guide to the key. guideAt returns that to an object, given its index, which the actor believes to be at a place.
// Each is computed once.
func (t *trial) guideToKey() *guide { return t.guide(seat{theKey, t.key.centre}, t.key.id) }

func (t *trial) guideAt(index int, at lattice.Point) *guide {
	return t.guide(seat{index, at}, t.object[index].id)
}

func (t *trial) guide(to seat, id string) *guide {
	if g, ok := t.guides[to]; ok {
		return g
	}
	g := &guide{isKey: to.index == theKey, target: thing{id, to.at}}
	t.guides[to] = g
	s, target := &t.studio.planner, g.target
	g.direct = t.waysTo(t.past(to), target.centre)
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
	at := nearest(t.closed, target.centre)
	sources := append(t.doors(g.field[unlocked]), lattice.Source{Point: at})
	g.field[carrying] = s.Flood(t.closed, sources...)
	key := nearest(t.closed, t.key.centre)
	if c, ok := g.field[carrying].Cost(key); ok {
		g.field[bare] = s.Flood(t.closed, lattice.Source{Point: at}, lattice.Source{Point: key, Cost: c + handling})
	}
	return g
}

// berth is the distance between the centres of actor and object, in pixels, at which they must touch: the actor's centre has been in the
// object's square, of half 9, for a frame's step.
const berth = 9 - 2

// past returns the map on which an actor goes to an object: past every place where it must touch another one, if there is such a way from
// its start, and else by any. With a barrier, and to the key, it goes by any.
func (t *trial) past(to seat) *lattice.Map {
	if to.index == theKey || t.closed != t.opened || len(t.object) < 2 || len(t.track) == 0 {
		return t.closed
	}
	m := t.studio.planner.Map(t.closed)
	for i, o := range t.object {
		if i != to.index && !near(o.centre, to.at, berth) && !near(o.centre, t.start(), berth) {
			m.BlockDisc(o.centre, berth*berth)
		}
	}
	if !t.reachable(m, to.at) && t.reachable(t.closed, to.at) {
		return t.closed
	}
	return m
}

// waysTo returns the costs of the cheapest ways to p from all places of m. If p is too close to a wall, the ways lead to
// the open node nearest to p.
func (t *trial) waysTo(m *lattice.Map, p lattice.Point) *lattice.Field {
	at := nearest(m, p)
	return t.studio.planner.From(m, at)
}

// guideUpTo returns the guide to an object, at a place that its actor cannot reach, as if it could go straight on to it from where nothing but
// what bars the way lies between.
func (t *trial) guideUpTo(index int, at lattice.Point) *guide {
	to := seat{barred + index, at}
	if g, ok := t.guides[to]; ok {
		return g
	}
	ways := t.waysTo(t.closed, t.start())
	reached := func(p lattice.Point) bool {
		_, ok := ways.Cost(p)
		return ok
	}
	var sources []lattice.Source
	var line []lattice.Point
	for y := range int(t.scene.Height) + 1 {
		for x := range int(t.scene.Width) + 1 {
			p := lattice.Point{X: x, Y: y}
			if !reached(p) {
				continue
			}
			if line = lattice.Line(append(line[:0], p), p, at); !slices.ContainsFunc(line[1:], reached) {
				sources = append(sources, lattice.Source{Point: p, Cost: lattice.Octile(p, at)})
			}
		}
	}
	f := t.studio.planner.Flood(t.past(seat{index, at}), sources...)
	g := &guide{target: thing{t.object[index].id, at}, direct: f, field: [phases]*lattice.Field{f, f, f}}
	t.guides[to] = g
	return g
}

// doors returns the places from which the lock can be opened. The cost of each is that of opening the lock and going on
// to the goal; field beyond has the cost of going on.
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

// value returns the cost of the cheapest way from p in a phase, or −1 if there is none. If no way begins at p itself, it
// may begin at a node up to two pixels from p, because actors of the benchmark come a pixel closer to walls than the map
// allows.
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

// throughKey reports whether the cheapest way from p leads to the key first, for an actor without the key.
func (g *guide) throughKey(p lattice.Point) bool {
	if g.isKey || g.field[bare] == g.direct {
		return false
	}
	c, ok := g.field[bare].Cost(p)
	d, without := g.direct.Cost(p)
	return ok && (!without || c < d)
}

// pixels converts a cost to pixels.
func pixels(cost int) float64 { return float64(cost) / lattice.Straight }

// ring2 and ring1 have the possible displacements within one frame, by two pixels and by one in the Chebyshev distance.
// Each is anticlockwise from the east.
var (
	ring2 = [16]lattice.Point{{X: 2}, {X: 2, Y: 1}, {X: 2, Y: 2}, {X: 1, Y: 2}, {Y: 2}, {X: -1, Y: 2}, {X: -2, Y: 2}, {X: -2, Y: 1},
		{X: -2}, {X: -2, Y: -1}, {X: -2, Y: -2}, {X: -1, Y: -2}, {Y: -2}, {X: 1, Y: -2}, {X: 2, Y: -2}, {X: 2, Y: -1}}
	ring1 = [8]lattice.Point{{X: 1}, {X: 1, Y: 1}, {Y: 1}, {X: -1, Y: 1}, {X: -1}, {X: -1, Y: -1}, {Y: -1}, {X: 1, Y: -1}}
)

// options has the steps that an actor could have made in a frame: one to every open place around the actor.
type options struct {
	n       int
	taken   int         // index of the step that the actor made
	waste   [16]float64 // by how much each step makes the way to the goal longer, in half cells
	heading [16]int     // direction of each step, in sixteenths of a turn
}

// noHeading is the heading of an actor that has not moved yet.
const noHeading = -1

// consider sets o to the options in a move, with their waste on the way to goal g. No option wastes anything if g is nil
// or cannot be reached. It returns false for a jump over more than two pixels, which has no options.
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
