package lattice

import (
	"math/bits"
	"slices"
)

// A Source is a node at which paths may end. A path that ends there costs Cost ≥ 0 more than its steps.
type Source struct {
	Point
	Cost int
}

// A Field has the least cost of a path between every node and the nearest source, in either direction. It spreads from
// the sources only as far as the calls so far required, so that even reading changes it: it is for one goroutine at a
// time. It is invalid once its map changes. The zero Field is ready for Flood, which may be called again.
type Field struct {
	width, height, stride int
	cost                  []int32
	came                  []uint8  // directions in which cheapest paths enter a node: bit k for neighbours[k]
	edge                  []bool   // true at every open node beside a blocked one, as in Map
	queue                 [3]queue // for orthogonal steps, diagonal steps and sources; each is sorted by cost
	settled               int32    // costs up to this one are final
}

// Flood makes f the field of m. It ignores sources that are blocked or outside.
func (f *Field) Flood(m *Map, sources ...Source) {
	f.width, f.height, f.stride = m.width, m.height, m.stride
	f.cost = append(f.cost[:0], m.node...)
	f.came = slices.Grow(f.came[:0], len(m.node))[:len(m.node)]
	for i := range f.queue {
		f.queue[i].entry, f.queue[i].head = f.queue[i].entry[:0], 0
	}
	for _, s := range sources {
		if !m.Open(s.Point) {
			continue
		}
		if i := m.index(s.Point); int32(s.Cost) < f.cost[i] {
			f.cost[i], f.came[i] = int32(s.Cost), everywhere
			f.queue[2].insert(entry{int32(i), int32(s.Cost)})
		}
	}
	f.edge, f.settled = m.edge, blocked
}

// everyNode as the goal of spread means all nodes.
const everyNode = -1

// spread makes the costs of nodes final, in order of cost, until node `goal` has its final cost. Steps have only two
// costs, and a queue for each cost stays sorted by itself, so that no heap is needed.
//
// Of the equally cheap paths over open ground it follows only those that begin with their diagonal steps (the pruning
// rule of Harabor and Grastien 2011, Online graph pruning for pathfinding on grid maps): after an orthogonal step into
// a node it tries the same step only, after a diagonal one that step and its two orthogonal parts. Beside a blocked
// node it tries every step.
func (f *Field) spread(goal int) {
	var offset [8]int32
	for k, d := range neighbours {
		offset[k] = int32(d.Y*f.stride + d.X)
	}
	for goal == everyNode || f.cost[goal] > f.settled {
		e, ok := f.next()
		if !ok {
			f.settled = unreached
			return
		}
		f.settled = e.cost
		if e.cost != f.cost[e.node] {
			continue // a cheaper path was found after this entry was made
		}
		if f.edge[e.node] {
			f.tryAll(e, &offset)
			continue
		}
		for next := onward[f.came[e.node]]; next != 0; next &= next - 1 {
			k := bits.TrailingZeros8(next)
			f.reach(e.node+offset[k&7], e.cost, k)
		}
	}
}

// tryAll tries every legal step from a node that lies beside a blocked one.
func (f *Field) tryAll(e entry, offset *[8]int32) {
	for k, o := range offset {
		n := e.node + o
		if f.cost[n] == blocked {
			continue
		}
		if d := neighbours[k]; k < 4 || f.cost[e.node+int32(d.X)] != blocked && f.cost[e.node+int32(d.Y*f.stride)] != blocked {
			f.reach(n, e.cost, k)
		}
	}
}

// reach records the path to node n by a step in direction k from a neighbour of the given cost.
func (f *Field) reach(n, cost int32, k int) {
	q, c := &f.queue[0], cost+Straight
	if k >= 4 {
		q, c = &f.queue[1], cost+Diagonal
	}
	switch old := f.cost[n]; {
	case c < old:
		f.cost[n], f.came[n] = c, 1<<k
		q.entry = append(q.entry, entry{n, c})
	case c == old:
		f.came[n] |= 1 << k
	}
}

// everywhere is the set of all directions.
const everywhere = 0xff

// onward[came] is the set of directions in which to leave a node that was entered in the directions `came`.
var onward = func() (next [256]uint8) {
	for came := range next {
		for k, d := range neighbours {
			if came>>k&1 == 0 {
				continue
			}
			next[came] |= 1 << k
			for j, o := range neighbours[:4] {
				if k >= 4 && (o == Point{d.X, 0} || o == Point{0, d.Y}) {
					next[came] |= 1 << j
				}
			}
		}
	}
	return next
}()

// next removes the cheapest entry of the three queues and returns it; false if they are empty.
func (f *Field) next() (entry, bool) {
	best, least := -1, int32(unreached)
	for i := range f.queue {
		if q := &f.queue[i]; q.head < len(q.entry) && q.entry[q.head].cost < least {
			best, least = i, q.entry[q.head].cost
		}
	}
	if best < 0 {
		return entry{}, false
	}
	q := &f.queue[best]
	q.head++
	return q.entry[q.head-1], true
}

// Cost returns the least cost of a path from p to a source; ok is false if there is none.
func (f *Field) Cost(p Point) (cost int, ok bool) {
	if uint(p.X) >= uint(f.width) || uint(p.Y) >= uint(f.height) {
		return 0, false
	}
	i := f.index(p)
	if f.cost[i] > f.settled {
		f.spread(i)
	}
	c := f.cost[i]
	return int(c), c != blocked && c != unreached
}

// Reached returns the number of nodes from which there is a path to a source.
func (f *Field) Reached() int {
	f.spread(everyNode)
	n := 0
	for _, c := range f.cost {
		if c != blocked && c != unreached {
			n++
		}
	}
	return n
}

func (f *Field) index(p Point) int { return (p.Y+1)*f.stride + p.X + 1 }

// open says whether an actor can be at p, which must be in the map or in the margin of one node around it.
func (f *Field) open(p Point) bool { return f.cost[f.index(p)] != blocked }

// A queue is first in, first out.
type queue struct {
	entry []entry
	head  int
}

type entry struct{ node, cost int32 }

// insert inserts e so that the queue stays sorted by cost.
func (q *queue) insert(e entry) {
	q.entry = append(q.entry, e)
	for i := len(q.entry) - 1; i > 0 && q.entry[i-1].cost > e.cost; i-- {
		q.entry[i-1], q.entry[i] = e, q.entry[i-1]
	}
}
