package joint

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// deflated are coordinates in which the curvature is about the identity. Each value has a scale of its own. What all units of a
// parameter do together (to move by the same distance, or to spread) has next to no curvature where another parameter can make up
// for it, such as difficulties for abilities; in the space of these few directions, the curvature itself gives the scales.
type deflated struct {
	scales
	basis [][]float64 // orthonormal directions
	by    [][]float64 // square root of the inverse of the curvature in the basis, minus the identity
}

func (d *deflated) spread(x []float64) {
	d.stretch(x)
	d.scales.spread(x)
}

func (d *deflated) spreadTransposed(x []float64) {
	d.scales.spread(x)
	d.stretch(x)
}

// stretch adds basis·by·basisᵀ·x to x.
func (d *deflated) stretch(x []float64) {
	along := make([]float64, len(d.basis))
	for i, b := range d.basis {
		along[i] = num.Dot(b, x)
	}
	for i, b := range d.basis {
		num.AddTo(x, num.Dot(d.by[i], along), b)
	}
}

// deflate returns coordinates for climbs from q.
func (m *marginal) deflate(q []float64) *deflated {
	d := &deflated{scales: slices.Clone(m.rough)}
	row := make([]int, len(q)) // index in q → row, from 1; 0 for a scale
	for i, k := range m.free {
		row[k] = i + 1
	}
	j := m.cells.Joint()
	for i := range j.Layout().Parameters {
		if m.held[i] {
			continue
		}
		move, from := make([]float64, len(q)), j.First(i)
		for k := from; k < from+j.Units(i); k++ {
			move[k] = 1
		}
		for k, c := range m.curvatureAlong(q, move, diagonalStep)[from : from+j.Units(i)] {
			if c > 0 {
				d.scales[row[from+k]-1] = 1 / math.Sqrt(c)
			}
		}
	}
	for i := range j.Layout().Parameters {
		if m.held[i] {
			continue
		}
		together, apart := make([]float64, len(m.free)), make([]float64, len(m.free))
		for k := j.First(i); k < j.First(i)+j.Units(i); k++ {
			r := row[k] - 1
			together[r], apart[r] = 1/d.scales[r], q[k]/d.scales[r]
		}
		d.add(together)
		d.add(apart)
	}
	m.bendAlong(q, d)
	return d
}

// Steps of the differences of the gradient, on the unconstrained scale, and in standard deviations.
const (
	diagonalStep = 1e-3
	alongStep    = 1e-2
)

// add adds to the basis what is new in a direction.
func (d *deflated) add(v []float64) {
	whole := num.Dot(v, v)
	for _, b := range d.basis {
		num.AddTo(v, -num.Dot(b, v), b)
	}
	if left := num.Dot(v, v); left > 1e-6*whole {
		for k := range v {
			v[k] /= math.Sqrt(left)
		}
		d.basis = append(d.basis, v)
	}
}

// curvatureAlong returns the curvature at q times a direction.
func (m *marginal) curvatureAlong(q, direction []float64, step float64) []float64 {
	at, up, down := slices.Clone(q), make([]float64, len(q)), make([]float64, len(q))
	for k, v := range direction {
		at[k] = q[k] + float64(step*v)
	}
	m.slope(at, up)
	for k, v := range direction {
		at[k] = q[k] - float64(step*v)
	}
	m.slope(at, down)
	for k := range up {
		up[k] = (down[k] - up[k]) / (2 * step)
	}
	return up
}

// bendAlong sets d.by from the curvature in the space of the basis.
func (m *marginal) bendAlong(q []float64, d *deflated) {
	n := len(d.basis)
	bend := make([][]float64, n)
	for i, b := range d.basis {
		most, direction := 0.0, make([]float64, len(q))
		for r, k := range m.free {
			most = max(most, math.Abs(b[r]))
			direction[k] = float64(b[r] * d.scales[r])
		}
		along := m.curvatureAlong(q, direction, alongStep/most)
		x := make([]float64, len(m.free))
		for r, k := range m.free {
			x[r] = float64(along[k] * d.scales[r])
		}
		bend[i] = make([]float64, n)
		for k := range i + 1 {
			bend[i][k] = num.Dot(d.basis[k], x)
			bend[k][i] = bend[i][k]
		}
	}
	values, vectors := num.Eigen(bend)
	for i := range n {
		d.by = append(d.by, make([]float64, n))
		for k := range n {
			for e, v := range values {
				root := 1.0
				if v > 1e-6 {
					root = 1 / math.Sqrt(v)
				}
				d.by[i][k] += float64(float64(vectors[e][i]*vectors[e][k]) * (root - 1))
			}
		}
	}
}
