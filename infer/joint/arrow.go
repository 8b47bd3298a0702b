package joint

import (
	"slices"

	"achilles/infer/layout"
	"achilles/sim/num"

	"golang.org/x/sync/errgroup"
)

// An arrow is a symmetric matrix of blocks on the diagonal with a border: the curvature of a table, whose subjects meet in no
// response, nor its items. The more numerous of the two are the blocks; all other values are the border. After factor it has
// the Cholesky factor L in place of the matrix, in the same shape.
type arrow struct {
	size   int         // of a block
	blocks []num.Lower // triangles of the blocks
	side   [][]float64 // row of a block → the border
	corner num.Lower   // of the border
	order  []int       // row → index in q, those of the blocks first
}

// order returns the index in q of every row of an arrow.
func order(c *layout.Curvature) []int {
	if len(c.Items) > len(c.Subjects) {
		return slices.Concat(c.Items, c.Subjects, c.Rest)
	}
	return slices.Concat(c.Subjects, c.Items, c.Rest)
}

// newArrow returns the curvature c of a vector of values as an arrow.
func newArrow(c *layout.Curvature) *arrow {
	blocks, other, cross := c.Subjects, c.Items, func(block, border int) float64 { return c.Cross[block*len(c.Items)+border] }
	size, per, ofBlock, ofOther := c.PerSubject, c.PerItem, c.OfSubject, c.OfItem
	if len(c.Items) > len(c.Subjects) {
		blocks, other, cross = c.Items, c.Subjects, func(block, border int) float64 { return c.Cross[border*len(c.Items)+block] }
		size, per, ofBlock, ofOther = c.PerItem, c.PerSubject, c.OfItem, c.OfSubject
	}
	n := len(other) + len(c.Rest)
	a := &arrow{size: size, corner: num.NewLower(n), order: order(c)}
	dim := 0
	if len(c.Rest) > 0 {
		dim = len(c.OfRest) / len(c.Rest)
	}
	for at := 0; at < len(blocks); at += max(size, 1) {
		a.blocks = append(a.blocks, triangle(ofBlock[at*size:], size))
	}
	for i, b := range blocks {
		row := make([]float64, n)
		for k := range other {
			row[k] = cross(i, k)
		}
		for k := range c.Rest {
			row[len(other)+k] = c.OfRest[k*dim+b]
		}
		a.side = append(a.side, row)
	}
	for i := range other {
		for k := range i%per + 1 {
			a.corner.Row(i)[i-i%per+k] = ofOther[i*per+k]
		}
	}
	for k := range c.Rest {
		row := a.corner.Row(len(other) + k)
		for i := range row {
			row[i] = c.OfRest[k*dim+a.order[len(blocks)+i]]
		}
	}
	return a
}

// triangle returns the lower triangle of a matrix whose rows are in m.
func triangle(m []float64, size int) num.Lower {
	l := num.NewLower(size)
	for i := range size {
		copy(l.Row(i), m[i*size:])
	}
	return l
}

// factor replaces the matrix by its Cholesky factor, and returns half the logarithm of its determinant. ok is false if the
// matrix is not positive definite.
func (a *arrow) factor(workers int) (half float64, ok bool) {
	for j, l := range a.blocks {
		if !l.Cholesky() {
			return 0, false
		}
		for i := range a.size {
			row, ri := a.side[j*a.size+i], l.Row(i)
			for k, c := range ri[:i] {
				for b, x := range a.side[j*a.size+k] {
					row[b] -= float64(c * x)
				}
			}
			for b := range row {
				row[b] /= ri[i]
			}
			half += num.Log(ri[i])
		}
	}
	a.eliminate(workers)
	if !a.corner.Cholesky() {
		return 0, false
	}
	for i := range len(a.order) - len(a.side) {
		half += num.Log(a.corner.Row(i)[i])
	}
	return half, true
}

// eliminate subtracts sideᵀ·side from the corner. Every element is summed in the same order for any number of goroutines.
func (a *arrow) eliminate(workers int) {
	const tile = 16 // rows of the side that stay in a processor's cache while the corner passes
	n := len(a.order) - len(a.side)
	var g errgroup.Group
	for w := range workers {
		g.Go(func() error {
			for from := 0; from < len(a.side); from += tile {
				rows := a.side[from:min(from+tile, len(a.side))]
				for i := w; i < n; i += workers {
					subtract(a.corner.Row(i), rows, i)
				}
			}
			return nil
		})
	}
	_ = g.Wait() // no call returns an error
}

// subtract subtracts Σ row[i]·row from to, four rows at a time.
func subtract(to []float64, rows [][]float64, i int) {
	for len(rows) >= 4 {
		r0, r1, r2, r3 := rows[0][:len(to)], rows[1][:len(to)], rows[2][:len(to)], rows[3][:len(to)]
		c0, c1, c2, c3 := r0[i], r1[i], r2[i], r3[i]
		if c0 != 0 || c1 != 0 || c2 != 0 || c3 != 0 {
			for k := range to {
				to[k] -= float64(c0*r0[k]) + float64(c1*r1[k]) + (float64(c2*r2[k]) + float64(c3*r3[k]))
			}
		}
		rows = rows[4:]
	}
	for _, r := range rows {
		c := r[i]
		for k := range to {
			to[k] -= float64(c * r[k])
		}
	}
}

// spread replaces x by L⁻ᵀ·x: independent standard normal numbers become normal with the inverse of the matrix as covariance.
func (a *arrow) spread(x []float64) {
	edge := x[len(a.side):]
	a.corner.SolveTransposed(edge)
	for i, row := range a.side {
		x[i] -= num.DotInFour(row, edge)
	}
	for j, l := range a.blocks {
		l.SolveTransposed(x[j*a.size : (j+1)*a.size])
	}
}

// spreadTransposed replaces x by L⁻¹·x.
func (a *arrow) spreadTransposed(x []float64) {
	for j, l := range a.blocks {
		l.Solve(x[j*a.size : (j+1)*a.size])
	}
	edge := x[len(a.side):]
	for i, row := range a.side {
		num.AddTo(edge, -x[i], row)
	}
	a.corner.Solve(edge)
}

// gather replaces x by Lᵀ·x, which undoes spread.
func (a *arrow) gather(x []float64) {
	undo := func(l num.Lower, x []float64) { l.MulTransposed(slices.Clone(x), x) }
	for j, l := range a.blocks {
		undo(l, x[j*a.size:(j+1)*a.size])
	}
	edge := x[len(a.side):]
	for i, row := range a.side {
		x[i] += num.Dot(row, edge)
	}
	undo(a.corner, edge)
}
