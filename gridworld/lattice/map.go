package lattice

import "math"

// Straight and Diagonal are the costs of a step to an orthogonal and to a diagonal neighbour: 1 and √2 in units of
// 2^-16. Diagonal is too large by about one part in a million.
const (
	Straight = 1 << 16
	Diagonal = 92682
)

// A Point is a node of a lattice: column X from the left, row Y from the bottom.
type Point struct{ X, Y int }

// Add returns p + q.
func (p Point) Add(q Point) Point { return Point{p.X + q.X, p.Y + q.Y} }

// Sub returns p − q.
func (p Point) Sub(q Point) Point { return Point{p.X - q.X, p.Y - q.Y} }

// Chebyshev returns the number of steps of a chess king between p and q.
func Chebyshev(p, q Point) int { return max(abs(p.X-q.X), abs(p.Y-q.Y)) }

// Square returns the squared Euclidean distance between p and q.
func Square(p, q Point) int {
	d := p.Sub(q)
	return d.X*d.X + d.Y*d.Y
}

// Octile returns the least cost of a path between p and q if nothing is in the way.
func Octile(p, q Point) int {
	x, y := abs(p.X-q.X), abs(p.Y-q.Y)
	return Straight*max(x, y) + (Diagonal-Straight)*min(x, y)
}

// Length converts a cost to a number of orthogonal steps.
func Length(cost int) float64 { return float64(cost) / Straight }

func abs(x int) int { return max(x, -x) }

const (
	blocked   = -1            // a node where an actor cannot be
	unreached = math.MaxInt32 // a node to which no path is known
)

// A Map says where an actor can be: at its open nodes.
type Map struct {
	width, height, stride int
	node                  []int32 // blocked or unreached, with a margin of one node on every side
	edge                  []bool  // true at every open node beside a blocked one; other nodes may be true too
}

// NewMap returns a map of open nodes (0, 0) to (width−1, height−1). It panics unless both are positive.
func NewMap(width, height int) *Map {
	if width <= 0 || height <= 0 {
		panic("lattice: a map needs a positive width and height")
	}
	m := &Map{width: width, height: height, stride: width + 2, node: make([]int32, (width+2)*(height+2)),
		edge: make([]bool, (width+2)*(height+2))}
	m.Reset()
	return m
}

// Reset opens every node.
func (m *Map) Reset() {
	for i := range m.node {
		m.node[i], m.edge[i] = blocked, true
	}
	for y := range m.height {
		for i, end := m.index(Point{0, y}), m.index(Point{m.width, y}); i < end; i++ {
			m.node[i] = unreached
			m.edge[i] = y == 0 || y == m.height-1
		}
		m.edge[m.index(Point{0, y})], m.edge[m.index(Point{m.width - 1, y})] = true, true
	}
}

// CopyFrom makes m a copy of n, reusing m's memory.
func (m *Map) CopyFrom(n *Map) {
	m.width, m.height, m.stride = n.width, n.height, n.stride
	m.node = append(m.node[:0], n.node...)
	m.edge = append(m.edge[:0], n.edge...)
}

// Block closes every node strictly inside the rectangle. Nodes on its sides stay open, because an actor whose centre is
// there touches the wall but does not overlap it.
func (m *Map) Block(left, bottom, right, top int) {
	if right-left < 2 || top-bottom < 2 {
		return
	}
	for y := max(bottom, 0); y <= min(top, m.height-1); y++ {
		from, to := m.index(Point{max(left, 0), y}), m.index(Point{min(right, m.width-1), y})
		for i := from; i <= to; i++ {
			m.edge[i] = true
		}
		if y == bottom || y == top {
			continue
		}
		from, to = m.index(Point{max(left+1, 0), y}), m.index(Point{min(right, m.width) - 1, y})
		for i := from; i <= to; i++ {
			m.node[i] = blocked
		}
	}
}

// BlockDisc closes every node whose squared distance from centre is at most square.
func (m *Map) BlockDisc(centre Point, square int) {
	for r, y := 0, 0; y*y <= square; y++ {
		for r = 0; (r+1)*(r+1)+y*y <= square; r++ {
		}
		m.Block(centre.X-r-1, centre.Y+y-1, centre.X+r+1, centre.Y+y+1)
		m.Block(centre.X-r-1, centre.Y-y-1, centre.X+r+1, centre.Y-y+1)
	}
}

// Open says whether p is an open node. Nodes outside the map are not open.
func (m *Map) Open(p Point) bool {
	return uint(p.X) < uint(m.width) && uint(p.Y) < uint(m.height) && m.node[m.index(p)] != blocked
}

// CanStep says whether the step from p to its neighbour q is legal: both are open, and so are the two nodes beside a
// diagonal step.
func (m *Map) CanStep(p, q Point) bool {
	return Chebyshev(p, q) <= 1 && m.Open(p) && m.Open(q) && m.Open(Point{p.X, q.Y}) && m.Open(Point{q.X, p.Y})
}

func (m *Map) index(p Point) int { return (p.Y+1)*m.stride + p.X + 1 }
