package voe

import (
	"slices"

	"achilles/gridworld/lattice"
	"achilles/sim/record"
)

// halfCell is the width of a half cell in pixels. HBToM sees scenes on half cells (Zhi-Xuan et al. 2022 divide each of the
// ten cells along a side of a scene into two).
const halfCell = 10

// A halfTrial is a trial on half cells, as HBToM sees it.
type halfTrial struct {
	closed, opened *lattice.Map
	object         []lattice.Point
	key            *lattice.Point
	lock           []lattice.Point // the half cells of the lock
	path           []halfStep
	guides         map[int]*halfGuide
}

// A halfStep has a half cell of the actor's path, the frame in which the actor came there, and its phase on the way
// there.
type halfStep struct {
	at    lattice.Point
	frame int
	phase phase
}

func toHalf(p lattice.Point) lattice.Point {
	return lattice.Point{X: p.X / halfCell, Y: p.Y / halfCell}
}

// halves returns the trial on half cells. It is computed at the first call.
func (t *trial) halves() *halfTrial {
	if t.half != nil {
		return t.half
	}
	s := t.scene
	h := &halfTrial{guides: map[int]*halfGuide{}}
	t.half = h
	h.opened = t.studio.halfWalls(s, false)
	h.closed = h.opened
	if len(s.Barrier) > 0 {
		h.closed = t.studio.halfWalls(s, true)
	}
	for _, o := range t.object {
		h.object = append(h.object, toHalf(o.centre))
	}
	if t.key != nil {
		k := toHalf(t.key.centre)
		h.key = &k
	}
	for _, r := range squares(s.Locks) {
		eachHalf(r, func(p lattice.Point) { h.lock = append(h.lock, p) })
	}
	h.follow(t)
	return h
}

// eachHalf calls visit for each half cell that a rectangle covers.
func eachHalf(r record.Rect, visit func(lattice.Point)) {
	for y := int(r.Y) / halfCell; y < (int(r.Y)+int(r.H)+halfCell-1)/halfCell; y++ {
		for x := int(r.X) / halfCell; x < (int(r.X)+int(r.W)+halfCell-1)/halfCell; x++ {
			visit(lattice.Point{X: x, Y: y})
		}
	}
}

func (s *Studio) halfWalls(scene *record.Scene, standing bool) *lattice.Map {
	name := string(s.wallKey(scene, standing))
	if m, ok := s.halfMaps[name]; ok {
		return m
	}
	m := lattice.NewMap(max(1, int(scene.Width)/halfCell), max(1, int(scene.Height)/halfCell))
	for _, r := range shut(scene, standing) {
		eachHalf(r, func(p lattice.Point) { m.Block(p.X-1, p.Y-1, p.X+1, p.Y+1) })
	}
	s.halfMaps[name] = m
	return m
}

// follow sets the path. It leaves out frames in which the actor stays in its half cell. It joins two orthogonal steps of
// the same phase into a diagonal one if no wall is in the way.
func (h *halfTrial) follow(t *trial) {
	if len(t.track) == 0 {
		return
	}
	h.path = []halfStep{{at: toHalf(t.track[0])}}
	for _, m := range t.moves {
		s := halfStep{toHalf(m.to), m.frame, m.phase}
		n := len(h.path)
		if s.at == h.path[n-1].at {
			continue
		}
		if n >= 2 {
			a, b := h.path[n-2].at, h.path[n-1].at
			corner := lattice.Chebyshev(a, b) == 1 && lattice.Chebyshev(b, s.at) == 1 && a.X != s.at.X && a.Y != s.at.Y && lattice.Chebyshev(a, s.at) == 1
			if corner && h.path[n-1].phase == s.phase && h.open(s.phase).CanStep(a, s.at) {
				h.path[n-1] = s
				continue
			}
		}
		h.path = append(h.path, s)
	}
}

func (h *halfTrial) open(p phase) *lattice.Map {
	if p == unlocked {
		return h.opened
	}
	return h.closed
}

// A halfGuide has the cost of the cheapest plan to one item, an object or the key, from every half cell, in every phase:
// the length of the way in half cells, plus 1 for every item picked up and 1 for unlocking.
type halfGuide struct{ field [phases]*lattice.Field }

// beside returns the open half cells from which an item at p can be picked up, with the cost of picking it up. These are
// p and its eight neighbours, except for a diagonal neighbour between two blocked half cells.
func beside(m *lattice.Map, p lattice.Point) []lattice.Source {
	var s []lattice.Source
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			q := p.Add(lattice.Point{X: dx, Y: dy})
			elbows := m.Open(lattice.Point{X: p.X, Y: q.Y}) || m.Open(lattice.Point{X: q.X, Y: p.Y})
			if m.Open(q) && (dx == 0 || dy == 0 || elbows) {
				s = append(s, lattice.Source{Point: q, Cost: lattice.Straight})
			}
		}
	}
	return s
}

// guideTo returns the costs of the plans to an object, given its index, or to the key, given theKey. It computes each
// once.
func (h *halfTrial) guideTo(s *Studio, index int) *halfGuide {
	if g, ok := h.guides[index]; ok {
		return g
	}
	g := &halfGuide{}
	h.guides[index] = g
	flood := func(m *lattice.Map, src []lattice.Source) *lattice.Field { return s.halfPlanner.Flood(m, src...) }
	if index == theKey {
		g.field[bare] = flood(h.closed, beside(h.closed, *h.key))
		return g
	}
	at := h.object[index]
	g.field[unlocked] = flood(h.opened, beside(h.opened, at))
	if h.closed == h.opened {
		g.field[bare], g.field[carrying] = g.field[unlocked], g.field[unlocked]
		return g
	}
	direct := beside(h.closed, at)
	doors := slices.Clone(direct)
	for _, l := range h.lock {
		doors = appendChained(doors, beside(h.closed, l), g.field[unlocked])
	}
	g.field[carrying] = flood(h.closed, doors)
	if h.key != nil {
		direct = appendChained(direct, beside(h.closed, *h.key), g.field[carrying])
	}
	g.field[bare] = flood(h.closed, direct)
	return g
}

// appendChained appends to dst those places from which field next has a way. The cost of such a place becomes the cost of
// the action at the place plus the cost of the way from there.
func appendChained(dst, places []lattice.Source, next *lattice.Field) []lattice.Source {
	for _, s := range places {
		if c, ok := next.Cost(s.Point); ok {
			dst = append(dst, lattice.Source{Point: s.Point, Cost: s.Cost + c})
		}
	}
	return dst
}
