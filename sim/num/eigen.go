package num

import "math"

// Eigen returns the eigenvalues of a symmetric matrix, in no particular order, and its unit eigenvectors: vectors[k]
// belongs to values[k]. It uses cyclic Jacobi rotations (Golub and Van Loan 2013, section 8.5) and overwrites a.
func Eigen(a [][]float64) (values []float64, vectors [][]float64) {
	n := len(a)
	vectors = make([][]float64, n)
	for k := range vectors {
		vectors[k] = make([]float64, n)
		vectors[k][k] = 1
	}
	for range 60 { // sweeps over all pairs of rows; about ten are usual
		off, on := 0.0, 0.0
		for i := range n {
			on += float64(a[i][i] * a[i][i])
			for j := range i {
				off += float64(a[i][j] * a[i][j])
			}
		}
		if off <= 1e-30*on {
			break
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				rotate(a, vectors, p, q)
			}
		}
	}
	for k := range n {
		values = append(values, a[k][k])
	}
	return values, vectors
}

// rotate makes a[p][q] zero by a rotation of rows and columns p and q, and rotates the vectors p and q with them.
func rotate(a, vectors [][]float64, p, q int) {
	if a[p][q] == 0 {
		return
	}
	tau := (a[q][q] - a[p][p]) / (2 * a[p][q])
	t := 1 / (math.Abs(tau) + math.Sqrt(1+float64(tau*tau)))
	if tau < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(1+float64(t*t))
	s := float64(t * c)
	turn := func(x, y *float64) { *x, *y = float64(c**x)-float64(s**y), float64(s**x)+float64(c**y) }
	for i := range a {
		turn(&a[i][p], &a[i][q])
	}
	for j := range a {
		turn(&a[p][j], &a[q][j])
		turn(&vectors[p][j], &vectors[q][j])
	}
}
