package nuts

import "math"

// metric is a linear map L, where L·Lᵀ is the assumed covariance of the positions. Momenta have unit covariance here: they
// are Lᵀ times the momenta of textbooks. So energies and U-turn criteria are plain dot products, and the tree needs no
// metric.
type metric interface {
	// push writes L·p into shift.
	push(p, shift []float64)
	// pull writes Lᵀ·grad into force.
	pull(grad, force []float64)
}

var (
	_ metric = diagonal(nil)
	_ metric = (*dense)(nil)
)

// diagonal scales every coordinate by its standard deviation.
type diagonal []float64

func identity(dim int) diagonal {
	d := make(diagonal, dim)
	for i := range d {
		d[i] = 1
	}
	return d
}

func (d diagonal) push(p, shift []float64) {
	for i, s := range d {
		shift[i] = float64(s * p[i])
	}
}

func (d diagonal) pull(grad, force []float64) { d.push(grad, force) }

// dense is a lower-triangular Cholesky factor, row by row, each row up to its diagonal.
type dense struct {
	dim   int
	lower []float64
}

func (d *dense) push(p, shift []float64) {
	at := 0
	for i := range d.dim {
		shift[i] = dot(d.lower[at:at+i+1], p)
		at += i + 1
	}
}

func (d *dense) pull(grad, force []float64) {
	for i := range force {
		force[i] = 0
	}
	at := 0
	for i, g := range grad {
		for j, l := range d.lower[at : at+i+1] {
			force[j] += float64(l * g)
		}
		at += i + 1
	}
}

// cholesky factors the symmetric matrix whose lower triangle is given row by row. It reports false when the matrix
// is not positive definite to within rounding.
func cholesky(dim int, matrix []float64) (*dense, bool) {
	l := make([]float64, len(matrix))
	row := func(i int) int { return i * (i + 1) / 2 }
	for i := range dim {
		ri := l[row(i) : row(i)+i+1]
		for j := range ri {
			rj := l[row(j) : row(j)+j+1]
			s := matrix[row(i)+j] - dot(ri[:j], rj)
			if i != j {
				ri[j] = s / rj[j]
				continue
			}
			if !(s > 1e-14*matrix[row(i)+i]) { // also NaN; below that the factor is rounding noise
				return nil, false
			}
			ri[i] = math.Sqrt(s)
		}
	}
	return &dense{dim, l}, true
}
