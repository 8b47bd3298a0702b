package num

import "math"

// A Lower is a lower triangular matrix, or the lower triangle of a symmetric one: row by row, each up to its diagonal.
type Lower []float64

// NewLower returns the zero matrix of n rows.
func NewLower(n int) Lower { return make(Lower, n*(n+1)/2) }

// Row returns row i up to its diagonal, for reading and writing.
func (l Lower) Row(i int) []float64 {
	at := i * (i + 1) / 2
	return l[at : at+i+1]
}

// Cholesky replaces the triangle of a symmetric matrix by its factor L, for which L·Lᵀ is the matrix (Golub and Van
// Loan 2013, section 4.2). It returns false, with the matrix half overwritten, if the matrix is not positive definite
// to within rounding.
func (l Lower) Cholesky() bool {
	for i := 0; i*(i+1)/2 < len(l); i++ {
		ri := l.Row(i)
		for j := range ri {
			rj := l.Row(j)
			whole := ri[j]
			s := whole - Dot(ri[:j], rj)
			if i != j {
				ri[j] = s / rj[j]
				continue
			}
			if !(s > 1e-14*whole) { // also false for NaN and Inf; a smaller ratio would be rounding noise
				return false
			}
			ri[i] = math.Sqrt(s)
		}
	}
	return true
}

// Mul writes L·x into y. x and y must not overlap.
func (l Lower) Mul(x, y []float64) {
	at := 0
	for i := range y {
		y[i] = Dot(l[at:at+i+1], x)
		at += i + 1
	}
}

// MulTransposed writes Lᵀ·x into y. x and y must not overlap.
func (l Lower) MulTransposed(x, y []float64) {
	clear(y)
	at := 0
	for i, v := range x {
		for j, c := range l[at : at+i+1] {
			y[j] += float64(c * v)
		}
		at += i + 1
	}
}

// Solve replaces b by the x with L·x = b.
func (l Lower) Solve(b []float64) {
	at := 0
	for i := range b {
		s := b[i]
		for k, c := range l[at : at+i] {
			s -= float64(c * b[k])
		}
		at += i + 1
		b[i] = s / l[at-1]
	}
}

// SolveTransposed replaces b by the x with Lᵀ·x = b.
func (l Lower) SolveTransposed(b []float64) {
	for i := len(b) - 1; i >= 0; i-- {
		row := l.Row(i)
		b[i] /= row[i]
		for k, c := range row[:i] {
			b[k] -= float64(c * b[i])
		}
	}
}

// SolveBoth replaces b by the x with L·Lᵀ·x = b.
func (l Lower) SolveBoth(b []float64) {
	l.Solve(b)
	l.SolveTransposed(b)
}
