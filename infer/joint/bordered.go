package joint

import (
	"slices"

	"achilles/sim/num"
)

// A bordered is a placement of few values together, such as abilities and coefficients of regression, and of many scores one by one,
// which are nearly independent of everything: the scores of items of which a small spread leaves little to tell.
type bordered struct {
	mean    []float64
	single  scales    // of every value; 1 of those of the border
	border  []int     // indices of the values that are placed together
	factor  num.Lower // Cholesky factor of their curvature
	scratch []float64
}

func (b *bordered) copy() *bordered {
	other := *b
	other.scratch = make([]float64, len(b.border))
	return &other
}

// place writes the values at x to q.
func (b *bordered) place(x, q []float64) {
	b.single.place(x, q)
	for i, k := range b.border {
		b.scratch[i] = q[k]
	}
	b.factor.SolveTransposed(b.scratch)
	for i, k := range b.border {
		q[k] = b.scratch[i]
	}
	for k, m := range b.mean {
		q[k] += m
	}
}

// spreadTransposed replaces derivatives by q by those by x.
func (b *bordered) spreadTransposed(grad []float64) {
	b.single.spreadTransposed(grad)
	for i, k := range b.border {
		b.scratch[i] = grad[k]
	}
	b.factor.Solve(b.scratch)
	for i, k := range b.border {
		grad[k] = b.scratch[i]
	}
}

// faintly is the median of information·spread², at the peak, below which the units of a parameter are scores: their posterior has then
// four fifths of the variance of the prior, and the spread may be close to 0, where a normal approximation of units is wrong.
const faintly = 0.25

// faint returns the parameters with scores whose units tell little at the peak.
func (m *marginal) faint(p *peak) []bool {
	j := m.cells.Joint()
	out := make([]bool, len(j.Layout().Parameters))
	for i, par := range j.Layout().Parameters {
		if !j.HasScores(i) || par.Centred != nil {
			continue
		}
		information, spread := make([]float64, j.Len()), make([]float64, j.Len())
		inform(m.target, j, i, 1, p.q, information, spread)
		var told []float64
		for u := j.First(i); u < j.First(i)+j.Units(i); u++ {
			told = append(told, float64(information[u]*float64(spread[u]*spread[u])))
		}
		slices.Sort(told)
		out[i] = told[len(told)/2] < faintly
	}
	return out
}

// mostBorder is the largest number of values that are placed together: each costs two gradients.
const mostBorder = 300

// border returns the placement around a peak for a target in which only these parameters are centred. scale has rough standard
// deviations of all values if they are; scores have those of their prior. All values but scores and scales are the border, unless they
// are too many or have no curvature together.
func (m *marginal) border(p *peak, centred []bool, scale []float64) *bordered {
	j := m.cells.Joint()
	t := m.cells.NewTarget(centred, max(m.config.Jobs, 1))
	b := &bordered{mean: make([]float64, j.Len()), single: slices.Clone(scale)}
	m.target.In(t, p.q, b.mean)
	for i := range centred {
		for k := j.First(i); k < j.First(i)+j.Units(i); k++ {
			switch {
			case !centred[i]:
				b.single[k] = 1
			case !m.held[i]:
				b.border = append(b.border, k)
			}
		}
	}
	n := len(b.border)
	if n > mostBorder {
		b.border = nil
		return b
	}
	b.factor = num.NewLower(n)
	up, down := make([]float64, j.Len()), make([]float64, j.Len())
	for i, k := range b.border {
		at := slices.Clone(b.mean)
		at[k] += diagonalStep
		t.LogDensity(at, up)
		at[k] -= 2 * diagonalStep
		t.LogDensity(at, down)
		for l, to := range b.border[:i+1] {
			b.factor.Row(i)[l] = (down[to] - up[to]) / (2 * diagonalStep)
		}
	}
	if !b.factor.Cholesky() {
		b.border = nil
		return b
	}
	for _, k := range b.border {
		b.single[k] = 1
	}
	return b
}
