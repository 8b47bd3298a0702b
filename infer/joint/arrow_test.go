package joint_test

import (
	"fmt"
	"math"
	"testing"

	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// TestArrow compares the factor of the curvature of a table with that of the same matrix as a whole: the determinant, that W·Wᵀ is the inverse, and
// that Wᵀ is the transpose of W; with more subjects than items, and the other way round.
func TestArrow(t *testing.T) {
	for _, c := range []struct{ subjects, perSubject, items, perItem, rest int }{{9, 1, 4, 2, 3}, {5, 2, 11, 1, 2}, {4, 1, 3, 2, 0}, {6, 2, 0, 0, 3}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			r := rng.Stream(1609, "arrow")
			s, i := c.subjects*c.perSubject, c.items*c.perItem
			n := s + i + c.rest
			dense := make([][]float64, n)
			for a := range dense {
				dense[a] = make([]float64, n)
			}
			of := func(a int) (kind, unit int) {
				switch {
				case a < s:
					return 0, a / c.perSubject
				case a < s+i:
					return 1, (a - s) / c.perItem
				}
				return 2, 0
			}
			for a := range n {
				for b := range a {
					ka, ua := of(a)
					kb, ub := of(b)
					if ka != kb || ua == ub || ka == 2 { // values of two subjects, or of two items, never meet
						dense[a][b] = r.Norm()
						dense[b][a] = dense[a][b]
					}
				}
				dense[a][a] = 2 * float64(n)
			}
			curvature := &layout.Curvature{PerSubject: c.perSubject, PerItem: c.perItem}
			for a, row := range dense {
				switch kind, unit := of(a); kind {
				case 0:
					curvature.Subjects = append(curvature.Subjects, a)
					curvature.OfSubject = append(curvature.OfSubject, row[unit*c.perSubject:(unit+1)*c.perSubject]...)
					curvature.Cross = append(curvature.Cross, row[s:s+i]...)
				case 1:
					curvature.Items = append(curvature.Items, a)
					curvature.OfItem = append(curvature.OfItem, row[s+unit*c.perItem:s+(unit+1)*c.perItem]...)
				default:
					curvature.Rest = append(curvature.Rest, a)
					curvature.OfRest = append(curvature.OfRest, row...)
				}
			}
			whole := num.NewLower(n)
			for a := range n {
				copy(whole.Row(a), dense[a])
			}
			if !whole.Cholesky() {
				t.Fatal("the matrix is not positive definite")
			}
			want := 0.0
			for a := range n {
				want += math.Log(whole.Row(a)[a])
			}
			for _, workers := range []int{1, 3} {
				arrow, half, order, ok := joint.NewArrow(curvature, workers)
				if !ok || math.Abs(half-want) > 1e-10 {
					t.Fatalf("half the logarithm of the determinant is %.12g, want %.12g", half, want)
				}
				w := make([][]float64, n) // column → W·e
				for k := range w {
					w[k] = make([]float64, n)
					w[k][k] = 1
					arrow.Spread(w[k])
				}
				for a := range n {
					x := make([]float64, n)
					x[a] = 1
					arrow.SpreadTransposed(x)
					for k := range n {
						if math.Abs(x[k]-w[k][a]) > 1e-12 {
							t.Fatalf("element %d of Wᵀ·e%d is %g, and of W %g", k, a, x[k], w[k][a])
						}
					}
					for b := range n { // row a of M·W·Wᵀ
						sum := 0.0
						for k := range n {
							for m := range n {
								sum += dense[order[a]][order[m]] * w[k][m] * w[k][b]
							}
						}
						if one := map[bool]float64{true: 1}[a == b]; math.Abs(sum-one) > 1e-10 {
							t.Fatalf("element %d, %d of the matrix times W·Wᵀ is %g, want %g", a, b, sum, one)
						}
					}
				}
			}
		})
	}
}
