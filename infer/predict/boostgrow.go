package predict

import (
	"cmp"
	"math"
	"slices"

	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A grower grows the trees of an ensemble one after the other on the same rows.
type grower struct {
	Boost
	columns []column
	t       *table.Table
	score   []float64 // log odds of every row, from the trees so far
	grad    []float64 // gradient of the log loss of every row
	hess    []float64 // second derivative of the log loss of every row
	offset  []int     // by column: where its sums begin in a histogram; the last element is the length of a histogram
	hist    [][]sums  // scratch: by depth, sums by column and code of the rows of a node
	order   []int     // scratch: codes in the order of codeOrder
	rows    []int32   // scratch: the rows of a tree
	right   []int32   // scratch: the rows that go right
}

// sums are the sums of gradients and second derivatives over some rows, and the number of these rows.
type sums struct{ g, h, n float64 }

func (a *sums) add(b sums)       { a.g, a.h, a.n = a.g+b.g, a.h+b.h, a.n+b.n }
func (a sums) minus(b sums) sums { return sums{a.g - b.g, a.h - b.h, a.n - b.n} }

func newGrower(b Boost, columns []column, t *table.Table) *grower {
	g := &grower{Boost: b, columns: columns, t: t, score: make([]float64, t.Rows()), grad: make([]float64, t.Rows()),
		hess: make([]float64, t.Rows()), offset: make([]int, len(columns)+1), hist: make([][]sums, b.Depth+1)}
	for c := range columns {
		g.offset[c+1] = g.offset[c] + columns[c].codes + 1
	}
	for depth := range g.hist {
		g.hist[depth] = make([]sums, g.offset[len(columns)])
	}
	return g
}

// restart sets the score of every row to that before the first tree of m.
func (g *grower) restart(m *boosted) { g.score = m.starts(g.t) }

// grow adds a tree to the ensemble.
func (g *grower) grow(r *rng.Rand) boostTree {
	rows := g.rows[:0]
	for i, z := range g.score {
		if g.Absolute {
			g.grad[i], g.hess[i] = float64(cmp.Compare(z, g.t.Value[i])), 1
		} else {
			p := num.Logistic(z)
			g.grad[i], g.hess[i] = p-g.t.Value[i], p*(1-p)
		}
		if g.Rows >= 1 || r.Bernoulli(g.Rows) {
			rows = append(rows, int32(i))
		}
	}
	g.rows = rows
	use := r.Perm(len(g.columns))
	use = use[:max(1, int(math.Ceil(g.Columns*float64(len(use)))))]
	slices.Sort(use)
	t := boostTree{{column: -1}}
	g.count(g.hist[g.Depth], rows, use)
	t = g.node(t, 0, rows, use, g.hist[g.Depth], g.Depth)
	for i := range g.score {
		g.score[i] += t.leaf(g.columns, g.t.Subject[i], g.t.Item[i])
	}
	return t
}

// node splits node k, which holds the rows, or makes it a leaf. It returns the tree with the new nodes. use has the
// columns that may be split, h the histogram of the rows, which node overwrites, and depth is the number of splits that are allowed below.
// Of its children only the smaller one is counted: the histogram of the other is the difference.
func (g *grower) node(t boostTree, k int, rows []int32, use []int, h []sums, depth int) boostTree {
	var all sums
	for _, i := range rows {
		all.add(sums{g.grad[i], g.hess[i], 1})
	}
	if depth == 0 || all.n < 2*g.MinLeaf {
		t[k] = g.leaf(rows, all)
		return t
	}
	best, gain := boostNode{}, 1e-9
	for _, c := range use {
		if n, v := g.split(c, h, all); v > gain {
			best, gain = n, v
		}
	}
	if gain <= 1e-9 {
		t[k] = g.leaf(rows, all)
		return t
	}
	best.left = len(t)
	t[k] = best
	t = append(t, boostNode{column: -1}, boostNode{column: -1})
	n := g.partition(rows, &best)
	left, right := rows[:n], rows[n:]
	small, large := g.hist[depth-1], h
	fewer := left
	if len(right) < len(left) {
		fewer = right
	}
	if depth > 1 { // else both are leaves
		g.count(small, fewer, use)
		for _, c := range use {
			for i := g.offset[c]; i < g.offset[c+1]; i++ {
				large[i] = large[i].minus(small[i])
			}
		}
	}
	hl, hr := small, large
	if len(right) < len(left) {
		hl, hr = large, small
	}
	t = g.node(t, best.left, left, use, hl, depth-1)
	return g.node(t, best.left+1, right, use, hr, depth-1)
}

// count sets h to the histogram of rows in the columns of use.
func (g *grower) count(h []sums, rows []int32, use []int) {
	for _, col := range use {
		c, h := &g.columns[col], h[g.offset[col]:g.offset[col+1]]
		clear(h)
		of := g.t.Item
		if c.subject {
			of = g.t.Subject
		}
		for _, i := range rows {
			s := &h[c.code[of[i]]]
			s.g += g.grad[i]
			s.h += g.hess[i]
			s.n++
		}
	}
}

// leaf returns a leaf with these rows, whose sums are all.
func (g *grower) leaf(rows []int32, all sums) boostNode {
	value := -all.g / (all.h + g.Ridge)
	if g.Absolute && len(rows) > 0 {
		rest := make([]float64, len(rows))
		for i, row := range rows {
			rest[i] = g.t.Value[row] - g.score[row]
		}
		slices.Sort(rest)
		value = num.SortedQuantile(rest, 0.5) * all.n / (all.n + g.Ridge)
	}
	return boostNode{column: -1, value: g.Rate * value}
}

// partition moves the rows that go left to the front, and returns their number. Rows on the same side keep their order.
func (g *grower) partition(rows []int32, n *boostNode) int {
	c := &g.columns[n.column]
	right, left := g.right[:0], 0
	for _, i := range rows {
		if n.goesLeft(c, c.at(g.t.Subject[i], g.t.Item[i])) {
			rows[left] = i
			left++
		} else {
			right = append(right, i)
		}
	}
	copy(rows[left:], right)
	g.right = right
	return left
}

func (g *grower) quality(s sums) float64 { return s.g * s.g / (s.h + g.Ridge) }

// split finds the best split by column number col of rows with a histogram and the sums all. gain is 0 if there is none.
func (g *grower) split(col int, hist []sums, all sums) (best boostNode, gain float64) {
	c := &g.columns[col]
	h := hist[g.offset[col]:g.offset[col+1]]
	miss := h[c.codes]
	order := g.codeOrder(c, h)
	var left sums
	whole := g.quality(all)
	at := -1
	for k, code := range order { // after the last code, all known values are on the left, and the missing ones on the right
		left.add(h[code])
		for _, missLeft := range [...]bool{false, true} {
			l := left
			if missLeft {
				if miss.n == 0 {
					continue
				}
				l.add(miss)
			}
			r := all.minus(l)
			if l.n < g.MinLeaf || r.n < g.MinLeaf || r.n == 0 {
				continue
			}
			if v := g.quality(l) + g.quality(r) - whole; v > gain {
				gain, at = v, k
				best = boostNode{column: col, cut: uint16(code), missingLeft: missLeft}
			}
		}
	}
	if at >= 0 && c.nominal {
		best.set = make([]bool, c.codes)
		for _, code := range order[:at+1] {
			best.set[code] = true
		}
	}
	return best, gain
}

// codeOrder returns the codes that occur. Codes of a numeric column are in their own order, codes of a nominal column
// in the order of their gradient ratio.
func (g *grower) codeOrder(c *column, h []sums) []int {
	g.order = g.order[:0]
	for code := range c.codes {
		if h[code].n > 0 {
			g.order = append(g.order, code)
		}
	}
	if c.nominal {
		ratio := func(s sums) float64 { return s.g / (s.h + g.Smooth) }
		slices.SortStableFunc(g.order, func(a, b int) int {
			return cmp.Compare(ratio(h[a]), ratio(h[b]))
		})
	}
	return g.order
}
