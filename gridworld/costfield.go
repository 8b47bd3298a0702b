package gridworld

import (
	"math"
	"slices"
)

// A Metric says what a step costs, in whole units.
type Metric uint8

const (
	// Steps counts every step as one.
	Steps Metric = iota
	// StepsEuclid prefers, among the ways with the fewest steps, those with the fewest diagonal ones.
	StepsEuclid
	// Euclid counts a diagonal step as √2: the 10th convergent of its continued fraction, which orders all ways of up
	// to a thousand steps as √2 would.
	Euclid
)

var weights = [...]struct{ straight, diagonal int32 }{{1, 1}, {1 << 13, 1<<13 + 1}, {2378, 3363}}

// Units returns the costs of an orthogonal and of a diagonal step.
func (m Metric) Units() (straight, diagonal int) {
	u := weights[m]
	return int(u.straight), int(u.diagonal)
}

// Length returns a cost in orthogonal steps.
func (m Metric) Length(cost int) float64 { return float64(cost) / float64(weights[m].straight) }

// A Seed is a cell from which the rest of the way costs Cost, at least 0.
type Seed struct {
	Pos  Pos
	Cost int
}

// Seeds appends a seed for every cell of b to dst.
func Seeds(dst []Seed, b *Board, cost int) []Seed {
	for p := range b.All() {
		dst = append(dst, Seed{p, cost})
	}
	return dst
}

// A CostField has the cost of the cheapest way from every cell, along legal steps, to any of some seeds and on from
// there. It is slower than a Field, and knows diagonals that cost more and goals that lie behind other goals.
// The zero CostField is ready for use and to be used again. It refers to the world it was computed for, and is void
// once a cell of it changes.
type CostField struct {
	moves         moves
	metric        Metric
	width, height int
	cost          []int32
	queues        [3]queue // straight steps, diagonal steps, seeds: each is in order of cost
	seeds         []Seed
}

const unreached = math.MaxInt32

// Compute computes the field of w. Seeds outside the world or in cells that cannot be entered count for nothing.
func (f *CostField) Compute(w *World, m Metric, seeds []Seed) {
	f.moves.copyFrom(w.ready(), max(f.moves.rows, w.height))
	f.metric, f.width, f.height = m, w.width, w.height
	f.cost = slices.Grow(f.cost[:0], len(w.cells))[:len(w.cells)]
	for i := range f.cost {
		f.cost[i] = unreached
	}
	for i := range f.queues {
		f.queues[i].reset()
	}
	f.seeds = append(f.seeds[:0], seeds...)
	slices.SortStableFunc(f.seeds, func(a, b Seed) int { return a.Cost - b.Cost })
	for _, s := range f.seeds {
		if w.Inside(s.Pos) && f.moves.enter.Has(s.Pos) && int32(s.Cost) < f.cost[s.Pos.Y*f.width+s.Pos.X] {
			f.push(2, s.Pos, int32(s.Cost))
		}
	}
	f.run()
}

// run settles the cells in order of cost. There are two step costs only, so a queue for each, filled in order of cost,
// stays in order: no heap is needed.
func (f *CostField) run() {
	u := weights[f.metric]
	for {
		q := f.nearest()
		if q < 0 {
			return
		}
		e := f.queues[q].pop()
		p := Pos{int(e.cell) % f.width, int(e.cell) / f.width}
		if e.cost != f.cost[e.cell] {
			continue // a cheaper way was found since
		}
		for d := North; d < Directions; d++ {
			before := p.Add(d.Opposite())
			if !f.moves.exit[d].Has(before) {
				continue
			}
			kind, cost := 0, e.cost+u.straight
			if d.Diagonal() {
				kind, cost = 1, e.cost+u.diagonal
			}
			if cost < f.cost[before.Y*f.width+before.X] {
				f.push(kind, before, cost)
			}
		}
	}
}

func (f *CostField) push(queue int, p Pos, cost int32) {
	i := p.Y*f.width + p.X
	f.cost[i] = cost
	f.queues[queue].push(entry{int32(i), cost})
}

// nearest returns the queue whose head costs least, or −1 when all are empty.
func (f *CostField) nearest() int {
	best, least := -1, int32(unreached)
	for i := range f.queues {
		if q := &f.queues[i]; q.head < len(q.entries) && q.entries[q.head].cost < least {
			best, least = i, q.entries[q.head].cost
		}
	}
	return best
}

// Cost returns the cost from p; ok is false where there is no way.
func (f *CostField) Cost(p Pos) (cost int, ok bool) {
	if uint(p.X) >= uint(f.width) || uint(p.Y) >= uint(f.height) || f.cost[p.Y*f.width+p.X] == unreached {
		return 0, false
	}
	return int(f.cost[p.Y*f.width+p.X]), true
}

// Descents returns the directions in which a step from p is the first of a cheapest way; none where the cheapest way
// is to be there, and none where there is no way.
func (f *CostField) Descents(p Pos) Dirs {
	here, ok := f.Cost(p)
	if !ok {
		return 0
	}
	var s Dirs
	u := weights[f.metric]
	for d := North; d < Directions; d++ {
		step := u.straight
		if d.Diagonal() {
			step = u.diagonal
		}
		if there, ok := f.Cost(p.Add(d)); ok && there+int(step) == here && f.moves.exit[d].Has(p) {
			s |= 1 << d
		}
	}
	return s
}

// A queue is first in, first out.
type queue struct {
	entries []entry
	head    int
}

type entry struct{ cell, cost int32 }

func (q *queue) reset()       { q.entries, q.head = q.entries[:0], 0 }
func (q *queue) push(e entry) { q.entries = append(q.entries, e) }
func (q *queue) pop() entry {
	q.head++
	return q.entries[q.head-1]
}
