package generate_test

import (
	"slices"
	"testing"

	"achilles/battery/bib"
	"achilles/gridworld/lattice"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/scenario"
	"achilles/sim/longtest"
	"achilles/sim/record"
)

// The functions in this file measure the trials of episodes from the places of things in pixels alone, without the
// generator.

const (
	clearance = 10
	contact   = 12
)

// make12 makes n episodes of a task. They are made once, and no test may change them.
func make12(t *testing.T, task bib.Task, split bib.Split, n int, root uint64) []bib.Episode {
	t.Helper()
	if key := (made{task, split, n, root}); !longtest.On() { // the long suite has too many to keep
		if known[key] == nil {
			known[key] = ideal(t, task, split, n, root)
		}
		return known[key]
	}
	return ideal(t, task, split, n, root)
}

// known has what make12 has made.
var known = map[made][]bib.Episode{}

// A made is what episodes are made of.
type made struct {
	task  bib.Task
	split bib.Split
	n     int
	root  uint64
}

func ideal(t *testing.T, task bib.Task, split bib.Split, n int, root uint64) []bib.Episode {
	t.Helper()
	return generatetest.Episodes(t, scenario.Episodes{Design: bib.Design{Episodes: n, Tasks: []bib.Task{task}, Split: split, Motion: bib.Ideal}}, root)
}

func makeGoOn(t *testing.T) []bib.Episode {
	t.Helper()
	return generatetest.Episodes(t, scenario.Episodes{Design: bib.Design{Episodes: 8, Tasks: []bib.Task{bib.InstrumentalBlocking}, GoOn: true, Split: bib.Telling, Motion: bib.Ideal}}, 4)
}

func centre(s record.Shape) lattice.Point {
	return lattice.Point{X: int(s.X + s.Half), Y: int(s.Y + s.Half)}
}

// A shown is a trial that observers watch, with measurements of it.
type shown struct {
	*record.SceneTrial
	open, shut *lattice.Map    // where the actor's centre may be: without barrier and locks, and with them
	track      []lattice.Point // centre of the actor in every frame
}

func show(t *record.SceneTrial) *shown {
	s := &shown{SceneTrial: t, open: wallsOf(t.Scene.Walls, nil, nil)}
	if s.shut = s.open; len(t.Scene.Barrier)+len(t.Scene.Locks) > 0 {
		s.shut = wallsOf(t.Scene.Walls, t.Scene.Barrier, t.Scene.Locks)
	}
	for _, p := range t.Path {
		s.track = append(s.track, lattice.Point{X: int(p.X + t.Scene.Agent.Half), Y: int(p.Y + t.Scene.Agent.Half)})
	}
	return s
}

// wallsOf returns the map for walls from x to x + W.
func wallsOf(walls, barrier []record.Rect, locks []record.Shape) *lattice.Map {
	return blocked(walls, barrier, locks, 0)
}

// pixelWalls returns the map for walls from the pixel x to the pixel x + W − 1.
func pixelWalls(walls, barrier []record.Rect, locks []record.Shape) *lattice.Map {
	return blocked(walls, barrier, locks, 1)
}

func blocked(walls, barrier []record.Rect, locks []record.Shape, less int) *lattice.Map {
	m := lattice.NewMap(201, 201)
	for _, l := range locks {
		barrier = append(slices.Clone(barrier), record.Rect{X: l.X, Y: l.Y, W: 2 * l.Half, H: 2 * l.Half})
	}
	for _, r := range slices.Concat(walls, barrier) {
		m.Block(int(r.X)-clearance, int(r.Y)-clearance, int(r.X+r.W)-less+clearance, int(r.Y+r.H)-less+clearance)
	}
	return m
}

func (s *shown) start() lattice.Point { return s.track[0] }
func (s *shown) end() lattice.Point   { return s.track[len(s.track)-1] }
func (s *shown) object(i int) lattice.Point {
	return centre(s.Scene.Objects[i])
}
func (s *shown) key() lattice.Point { return centre(s.Scene.Keys[0]) }

// moving returns the number of frames between the still ones.
func (s *shown) moving() int { return len(s.track) - bib.StillBefore - bib.StillAfter }

// spent returns the cost of the way that the actor walked.
func (s *shown) spent() int {
	sum := 0
	for i := 1; i < len(s.track); i++ {
		sum += lattice.Octile(s.track[i-1], s.track[i])
	}
	return sum
}

// way returns the costs of the cheapest ways to p from everywhere. If barrier is true, ways must go round the barrier
// and the locks.
func (s *shown) way(p lattice.Point, barrier bool) *lattice.Field {
	f, m := &lattice.Field{}, s.open
	if barrier {
		m = s.shut
	}
	f.Flood(m, lattice.Source{Point: p})
	return f
}

// cost returns the cost of the cheapest way from the start to p, or −1 if there is none.
func (s *shown) cost(p lattice.Point, barrier bool) int {
	if c, ok := s.way(p, barrier).Cost(s.start()); ok {
		return c
	}
	return -1
}

// excess returns how much the actor had wasted at the worst moment, if it was on its way to p: the cost of the way so
// far and of the cheapest way on, less that of the cheapest way from the start. It returns −1 if p cannot be reached.
func (s *shown) excess(p lattice.Point, barrier bool) int {
	f := s.way(p, barrier)
	first, ok := f.Cost(s.start())
	if !ok {
		return -1
	}
	worst, spent := 0, 0
	for i := 1; i < len(s.track); i++ {
		spent += lattice.Octile(s.track[i-1], s.track[i])
		if c, ok := f.Cost(s.track[i]); ok {
			worst = max(worst, spent+c-first)
		}
	}
	return worst
}

func touches(p, q lattice.Point) bool { return lattice.Square(p, q) <= contact*contact }

func samePath(a, b *shown) bool { return slices.Equal(a.Path, b.Path) }

func sameShape(a, b record.Shape) bool { return a.Icon == b.Icon && a.Colour == b.Colour }

func cellsOf(list []record.Rect) map[record.Rect]bool {
	m := map[record.Rect]bool{}
	for _, r := range list {
		m[r] = true
	}
	return m
}

// inner returns the number of wall cells that are not part of the border.
func inner(s *record.Scene) int {
	n := 0
	for r := range cellsOf(s.Walls) {
		if r.X > 0 && r.Y > 0 && r.X < 180 && r.Y < 180 {
			n++
		}
	}
	return n
}
