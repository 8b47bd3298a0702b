package lattice_test

import (
	"container/heap"
	"math"
	"slices"
	"testing"

	"achilles/gridworld/lattice"
	"achilles/sim/rng"
)

// scene returns a random map like a BIB scene: cells of 20 pixels, the border closed, some inner cells walls. Walls are
// grown by 10 pixels, so that the actor is a point.
func scene(r *rng.Rand) *lattice.Map {
	m := lattice.NewMap(201, 201)
	wall := func(x, y int) { m.Block(20*x-10, 20*y-10, 20*x+30, 20*y+30) }
	for i := range 10 {
		wall(i, 0)
		wall(i, 9)
		wall(0, i)
		wall(9, i)
	}
	for range 8 + r.IntN(9) {
		wall(1+r.IntN(8), 1+r.IntN(8))
	}
	return m
}

func anywhere(r *rng.Rand, m *lattice.Map) lattice.Point {
	for {
		if p := (lattice.Point{X: r.IntN(201), Y: r.IntN(201)}); m.Open(p) {
			return p
		}
	}
}

// TestWorked computes a map small enough to check by hand: a wall of two nodes forces a way round it, and no corner is
// cut.
func TestWorked(t *testing.T) {
	const s, d = lattice.Straight, lattice.Diagonal
	m := lattice.NewMap(5, 4)
	m.Block(1, -1, 3, 2) // closes (2, 0) and (2, 1)
	var f lattice.Field
	f.Flood(m, lattice.Source{Point: lattice.Point{X: 0, Y: 0}})
	want := map[lattice.Point]int{
		{X: 0, Y: 0}: 0, {X: 1, Y: 1}: d, {X: 0, Y: 2}: 2 * s, {X: 1, Y: 2}: s + d,
		{X: 2, Y: 2}: 2*s + d, // not 2d: (1, 1) to (2, 2) would cut the corner of (2, 1)
		{X: 3, Y: 2}: 3*s + d, {X: 3, Y: 1}: 4*s + d, {X: 4, Y: 1}: 3*s + 2*d, {X: 3, Y: 0}: 5*s + d,
	}
	for p, c := range want {
		if got, ok := f.Cost(p); !ok || got != c {
			t.Errorf("cost from %v is %d %v, want %d", p, got, ok, c)
		}
	}
	for _, p := range []lattice.Point{{X: 2, Y: 0}, {X: -1, Y: 0}, {X: 5, Y: 0}, {X: 0, Y: 4}} {
		if _, ok := f.Cost(p); ok || m.Open(p) {
			t.Errorf("there is a way from %v, where one cannot be", p)
		}
	}
}

// TestOracle compares fields that spread from several sources, of different costs, with Dijkstra's algorithm on a heap.
func TestOracle(t *testing.T) {
	var f lattice.Field
	for n := range 12 {
		r := rng.Stream(1, "oracle", string(rune('a'+n)))
		m := scene(&r)
		src := []lattice.Source{{Point: anywhere(&r, m)}, {Point: anywhere(&r, m), Cost: r.IntN(60 * lattice.Straight)}, {Point: lattice.Point{X: 3, Y: 3}}}
		f.Flood(m, src...)
		slow := dijkstra(m, src)
		for y := range 201 {
			for x := range 201 {
				p := lattice.Point{X: x, Y: y}
				c, ok := f.Cost(p)
				if want, reached := slow[p]; ok != reached || ok && c != want {
					t.Fatalf("seed %d: cost from %v is %d %v, the oracle says %d %v", n, p, c, ok, want, reached)
				}
			}
		}
		if f.Reached() != len(slow) {
			t.Fatalf("seed %d: %d nodes reached, the oracle reaches %d", n, f.Reached(), len(slow))
		}
	}
}

// TestWays checks paths between random nodes: they are legal, cost what the field says, and those of Taut have few
// bends.
func TestWays(t *testing.T) {
	var f lattice.Field
	bends := [2]int{}
	for n := range 60 {
		r := rng.Stream(2, "ways", string(rune('a'+n)))
		m := scene(&r)
		from, to := anywhere(&r, m), anywhere(&r, m)
		f.Flood(m, lattice.Source{Point: to})
		cost, ok := f.Cost(from)
		taut, corners := f.Taut(nil, from, to)
		for a, c := 0, 0; c < len(corners); a, c = corners[c], c+1 {
			if line := lattice.Line(nil, taut[a], taut[corners[c]]); !slices.Equal(line, taut[a+1:corners[c]+1]) {
				t.Fatalf("seed %d: between corners %d and %d the way is not straight", n, a, corners[c])
			}
		}
		if ok && from != to && corners[len(corners)-1] != len(taut)-1 {
			t.Fatalf("seed %d: the corners are %v of %d", n, corners, len(taut))
		}
		for k, way := range [][]lattice.Point{f.Descend(nil, from, to), taut} {
			if !ok {
				if len(way) != 0 {
					t.Fatalf("seed %d: a way where there is none", n)
				}
				continue
			}
			if way[0] != from || way[len(way)-1] != to {
				t.Fatalf("seed %d: the way does not lead from %v to %v", n, from, to)
			}
			sum := 0
			for i, q := range way[1:] {
				if !m.CanStep(way[i], q) || way[i] == q {
					t.Fatalf("seed %d: the step from %v to %v is illegal", n, way[i], q)
				}
				sum += lattice.Octile(way[i], q)
				if i > 0 && q.Sub(way[i]) != way[i].Sub(way[i-1]) {
					bends[k]++
				}
			}
			if sum != cost {
				t.Fatalf("seed %d: the way costs %d, the field says %d", n, sum, cost)
			}
		}
	}
	if bends[0] == 0 || bends[1] == 0 {
		t.Fatal("the ways never bend: the test has no force")
	}
}

// TestOpenField checks that costs in a map without walls are octile distances, and that digital lines have these costs.
func TestOpenField(t *testing.T) {
	m := lattice.NewMap(60, 40)
	var f lattice.Field
	src := lattice.Point{X: 17, Y: 23}
	f.Flood(m, lattice.Source{Point: src})
	for y := range 40 {
		for x := range 60 {
			p := lattice.Point{X: x, Y: y}
			if c, _ := f.Cost(p); c != lattice.Octile(p, src) {
				t.Fatalf("cost from %v is %d, not the octile distance", p, c)
			}
			line := lattice.Line([]lattice.Point{src}, src, p)
			sum := 0
			for i, q := range line[1:] {
				sum += lattice.Octile(line[i], q)
			}
			if line[len(line)-1] != p || len(line) != 1+lattice.Chebyshev(src, p) || sum != lattice.Octile(src, p) {
				t.Fatalf("the line to %v has %d nodes and costs %d", p, len(line), sum)
			}
		}
	}
}

// TestBlock checks that Block and BlockDisc close exactly the nodes that their comments name.
func TestBlock(t *testing.T) {
	m := lattice.NewMap(30, 30)
	m.Block(5, 6, 9, 8)
	m.Block(25, 25, 99, 99)
	m.BlockDisc(lattice.Point{X: 15, Y: 15}, 10)
	for y := range 30 {
		for x := range 30 {
			p := lattice.Point{X: x, Y: y}
			shut := x > 5 && x < 9 && y > 6 && y < 8 || x > 25 && y > 25 || lattice.Square(p, lattice.Point{X: 15, Y: 15}) <= 10
			if m.Open(p) == shut {
				t.Errorf("%v is open: %v", p, m.Open(p))
			}
		}
	}
	var n lattice.Map
	if n.CopyFrom(m); n.Open(lattice.Point{X: 27, Y: 27}) || !n.Open(lattice.Point{X: 1, Y: 1}) {
		t.Error("a copy differs")
	}
	if n.Reset(); !n.Open(lattice.Point{X: 27, Y: 27}) || m.Open(lattice.Point{X: 27, Y: 27}) {
		t.Error("Reset leaves something closed, or the copy is not one")
	}
}

// TestPlanner checks that a planner computes the field of a node once, and after Reset uses its memory again.
func TestPlanner(t *testing.T) {
	r := rng.Stream(3, "planner")
	m := scene(&r)
	var l lattice.Planner
	p := anywhere(&r, m)
	a := l.From(m, p)
	if l.From(m, p) != a {
		t.Error("the same question gives another field")
	}
	if l.From(m, anywhere(&r, m)) == a {
		t.Error("another question gives the same field")
	}
	l.Reset()
	if n := testing.AllocsPerRun(20, func() { l.From(m, p); l.Reset() }); n > 0 {
		t.Errorf("%v allocations a field", n)
	}
}

func BenchmarkFlood(b *testing.B) {
	r := rng.Stream(4, "bench")
	var maps []*lattice.Map
	var from []lattice.Point
	for range 16 {
		m := scene(&r)
		maps, from = append(maps, m), append(from, anywhere(&r, m))
	}
	var f lattice.Field
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		f.Flood(maps[i%16], lattice.Source{Point: from[i%16]})
	}
}

func BenchmarkTaut(b *testing.B) {
	r := rng.Stream(4, "bench")
	m := scene(&r)
	var f lattice.Field
	f.Flood(m, lattice.Source{Point: anywhere(&r, m)})
	var way []lattice.Point
	b.ReportAllocs()
	for b.Loop() {
		way, _ = f.Taut(way[:0], anywhere(&r, m), lattice.Point{X: 100, Y: 100})
	}
}

// dijkstra returns the least cost of every node that a source reaches, by Dijkstra's algorithm.
func dijkstra(m *lattice.Map, src []lattice.Source) map[lattice.Point]int {
	best := map[lattice.Point]int{}
	var h frontier
	for _, s := range src {
		if m.Open(s.Point) {
			heap.Push(&h, s)
		}
	}
	for h.Len() > 0 {
		s := heap.Pop(&h).(lattice.Source)
		if _, done := best[s.Point]; done {
			continue
		}
		best[s.Point] = s.Cost
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				q := lattice.Point{X: s.X + dx, Y: s.Y + dy}
				if (dx != 0 || dy != 0) && m.CanStep(s.Point, q) {
					heap.Push(&h, lattice.Source{Point: q, Cost: s.Cost + lattice.Octile(s.Point, q)})
				}
			}
		}
	}
	return best
}

type frontier []lattice.Source

func (h frontier) Len() int           { return len(h) }
func (h frontier) Less(i, j int) bool { return h[i].Cost < h[j].Cost }
func (h frontier) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *frontier) Push(x any)        { *h = append(*h, x.(lattice.Source)) }
func (h *frontier) Pop() any {
	x := (*h)[len(*h)-1]
	*h = slices.Delete(*h, len(*h)-1, len(*h))
	return x
}

// TestNoisily checks chances by hand: on open ground, straight towards the source two steps waste nothing and two steps back waste
// four pixels, so that their odds are e⁴ at temperature 1; beside a wall no place behind it is among them; and the chances sum to one.
func TestNoisily(t *testing.T) {
	m := lattice.NewMap(40, 40)
	m.Block(18, 25, 22, 40)
	var f lattice.Field
	f.Flood(m, lattice.Source{Point: lattice.Point{X: 30, Y: 10}})
	of := func(p lattice.Point) map[lattice.Point]float64 {
		all, sum := map[lattice.Point]float64{}, 0.0
		for _, c := range f.Noisily(nil, p, 1) {
			all[c.Point] = c.P
			sum += c.P
			if !m.Open(c.Point) {
				t.Errorf("from %v a chance to be at %v", p, c.Point)
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("chances from %v sum to %v", p, sum)
		}
		return all
	}
	open := of(lattice.Point{X: 10, Y: 10})
	if odds := open[lattice.Point{X: 12, Y: 10}] / open[lattice.Point{X: 8, Y: 10}]; len(open) != 16 || math.Abs(odds-math.Exp(4)) > 1e-9 {
		t.Errorf("%d places, odds %v", len(open), odds)
	}
	if beside := of(lattice.Point{X: 18, Y: 30}); len(beside) != 9 {
		t.Errorf("%d places beside a wall", len(beside))
	}
	m.Block(-1, 20, 50, 40)
	f.Flood(m, lattice.Source{Point: lattice.Point{X: 30, Y: 10}})
	if c := f.Noisily(nil, lattice.Point{X: 10, Y: 30}, 1); len(c) != 0 {
		t.Errorf("chances without a way: %v", c)
	}
}
