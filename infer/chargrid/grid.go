package chargrid

import (
	"fmt"
	"math"

	"achilles/infer/table"
)

// maxCells is the largest number of cells of a space. With more cells nearly all would be empty.
const maxCells = 100_000

// A Space is the set of cells that one to three binned features span, with the cell of each item. Cells are numbered in
// row-major order: the last axis changes fastest.
type Space struct {
	Axes    []Axis
	Cells   int     // number of cells
	Cell    []int32 // index of each item's cell; −1: it is in no bin of one of the axes
	Items   []int   // number of items in each cell
	Outside int     // number of items in no cell
}

// NewSpace crosses axes. items is the number of items. It returns an error unless there are one to three axes, all of
// different features, with at most maxCells cells together.
func NewSpace(items int, axes []Axis) (*Space, error) {
	if len(axes) < 1 || len(axes) > 3 {
		return nil, fmt.Errorf("a grid needs one to three features, not %d", len(axes))
	}
	s := &Space{Axes: axes, Cells: 1, Cell: make([]int32, items)}
	for i, a := range axes {
		for _, b := range axes[:i] {
			if a.Feature == b.Feature {
				return nil, fmt.Errorf("a grid has feature %q twice", a.Feature)
			}
		}
		if s.Cells *= len(a.Labels); s.Cells > maxCells {
			return nil, fmt.Errorf("a grid of more than %d cells: use fewer bins", maxCells)
		}
	}
	s.Items = make([]int, s.Cells)
	for i := range s.Cell {
		s.Cell[i] = s.locate(i)
		if c := s.Cell[i]; c >= 0 {
			s.Items[c]++
		} else {
			s.Outside++
		}
	}
	return s, nil
}

func (s *Space) locate(item int) int32 {
	cell := int32(0)
	for _, a := range s.Axes {
		if a.Bin[item] < 0 {
			return -1
		}
		cell = cell*int32(len(a.Labels)) + a.Bin[item]
	}
	return cell
}

// At returns the index of a cell's bin on every axis.
func (s *Space) At(cell int) []int {
	at := make([]int, len(s.Axes))
	for k := len(s.Axes) - 1; k >= 0; k-- {
		n := len(s.Axes[k].Labels)
		at[k] = cell % n
		cell /= n
	}
	return at
}

// Index returns the cell with these bins. It is the inverse of At.
func (s *Space) Index(at []int) int {
	cell := 0
	for k, a := range s.Axes {
		cell = cell*len(a.Labels) + at[k]
	}
	return cell
}

// Label returns the labels of a cell's bins.
func (s *Space) Label(cell int) []string {
	at := s.At(cell)
	out := make([]string, len(at))
	for k, b := range at {
		out[k] = s.Axes[k].Labels[b]
	}
	return out
}

// A Grid has the responses of some subjects by cell: an agent characteristic grid.
type Grid struct {
	Of     string    // name of the subject or set
	N, Sum []float64 // for each cell the number of responses, and the sum of their values
}

// Mean returns the mean value of the responses in a cell. ok is false if there is none.
func (g *Grid) Mean(cell int) (mean float64, ok bool) {
	return g.Sum[cell] / max(g.N[cell], 1), g.N[cell] > 0
}

// Used returns the number of cells with a response.
func (g *Grid) Used() (n int) {
	for _, v := range g.N {
		if v > 0 {
			n++
		}
	}
	return n
}

// Capability returns the mean of the cells' means, over the cells with a response and with equal weights. This is the
// success rate in a battery whose items are spread evenly over these cells. It depends on the binning. ok is false if no
// cell has a response.
func (g *Grid) Capability() (mean float64, ok bool) {
	sum, n := 0.0, 0.0
	for c := range g.N {
		if v, ok := g.Mean(c); ok {
			sum, n = sum+v, n+1
		}
	}
	return sum / max(n, 1), n > 0
}

// SE returns the standard error of the capability, from the posterior variances of the cells' rates under Jeffreys'
// prior. It treats the responses in a cell as independent and the items as fixed.
func (g *Grid) SE() float64 {
	sum, cells := 0.0, 0.0
	for c, n := range g.N {
		if n > 0 {
			a, b := jeffreys(g.Sum[c], n)
			sum += a * b / ((n + 1) * (n + 1) * (n + 2))
			cells++
		}
	}
	return math.Sqrt(sum) / max(cells, 1)
}

// Pooled returns the grid of a set of subjects with totals p.
func (s *Space) Pooled(name string, p Totals) *Grid {
	q := p.by(s.Cell, s.Cells)
	return &Grid{name, q.N, q.Sum}
}

// Subject returns the grid of one subject, whose rows of the table have the indices i with from ≤ i < to.
func (s *Space) Subject(t *table.Table, name string, from, to int) *Grid {
	g := &Grid{name, make([]float64, s.Cells), make([]float64, s.Cells)}
	for i := from; i < to; i++ {
		if c := s.Cell[t.Item[i]]; c >= 0 {
			g.N[c]++
			g.Sum[c] += t.Value[i]
		}
	}
	return g
}

// neighbours calls visit for every cell that differs from this one along a single axis: by one bin along an ordered
// axis, by any number of bins along another.
func (s *Space) neighbours(cell int, visit func(int)) {
	at := s.At(cell)
	for k, a := range s.Axes {
		here := at[k]
		for b := range a.Labels {
			if b == here || a.Ordered && b != here-1 && b != here+1 {
				continue
			}
			at[k] = b
			visit(s.Index(at))
		}
		at[k] = here
	}
}
