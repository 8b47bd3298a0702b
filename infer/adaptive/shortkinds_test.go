package adaptive

import (
	"math"
	"slices"
	"testing"
)

// TestKindsByHand checks which items are chosen from three kinds with totals 1, ½ and ¼, and the probabilities of the kinds, against a calculation
// by hand. The first kind passes all four items, the second the first and last, the third the last. All differ so much that what is expected of a kind is
// its own responses, but for chance. At first the second item, which the first kind alone passes, lowers the variance by
// (0.99·(1 − 7/12)/3)²/(0.335·0.665) = 0.0849, the first by (0.99·(7/12 − ¼)/3)²/(0.665·0.335) = 0.0543. If it is passed, the first kind has the
// weight √0.995, the others √0.005. Then the third lowers the variance by 0.0406, the first by 0.0275; if it is failed, the first by 0.0196,
// the third by 0.0112. An item without a known response is left out.
func TestKindsByHand(t *testing.T) {
	k := newKinds(&matrix{x: [][]float64{{1, 1, 1, 1}, {1, 0, 0, 1}, {0, 0, 0, 1}}})
	all := []bool{true, true, true, true}
	for _, c := range []struct {
		row    []float64
		known  []bool
		n      int
		items  []int
		weight []float64
	}{
		{[]float64{1, 1, 1, 1}, all, 1, []int{1}, []float64{0.8758, 0.0621, 0.0621}},
		{[]float64{1, 1, 1, 1}, all, 2, []int{1, 2}, []float64{0.9900, 0.0050, 0.0050}},
		{[]float64{1, 0, 0, 1}, all, 2, []int{1, 0}, []float64{0.0621, 0.8758, 0.0621}},
		{[]float64{1, 0, 0, 1}, []bool{true, false, false, true}, 2, []int{0, 3}, []float64{0.4829, 0.4829, 0.0342}},
		{[]float64{1, 0, 0, 1}, []bool{true, false, false, false}, 2, []int{0}, []float64{0.4829, 0.4829, 0.0342}},
	} {
		items, weight := k.take(c.row, c.known, c.n)
		if !slices.Equal(items, c.items) {
			t.Errorf("%v: items %v, want %v", c.row, items, c.items)
		}
		for s, w := range weight {
			if math.Abs(w-c.weight[s]) > 5e-5 {
				t.Errorf("%v, %d items: weights %.4f, want %v", c.row, c.n, weight, c.weight)
				break
			}
		}
	}
}

// TestKindsPredictByHand checks the regression of a second response on the first among two kinds, which have 1 and 0.6, 0 and 0.2. With equal
// probabilities the covariance is 0.1 and the variance of the first 0.25 + 0.1, so of who passes the first 0.4 + 0.5·0.1/0.35 is expected, and the
// variance is 0.04 − 0.1²/0.35, and a hundredth squared. A kind of probability 1 says what it responded.
func TestKindsPredictByHand(t *testing.T) {
	k := newKinds(&matrix{x: [][]float64{{1, 0.6}, {0, 0.2}}})
	for _, c := range []struct{ weight, value, variance float64 }{
		{0.5, 0.4 + 0.05/0.35, 0.04 - 0.01/0.35 + 1e-4},
		{1, 0.6, 1e-4},
	} {
		value, variance := k.predict([]float64{1, 0}, []int{0}, []float64{c.weight, 1 - c.weight})
		if math.Abs(value-c.value) > 1e-12 || math.Abs(variance-c.variance) > 1e-12 {
			t.Errorf("%g: %g, %g, want %+v", c.weight, value, variance, c)
		}
	}
}

// TestKindsAreSmoothed checks what is expected of a kind: subjects of 400 items who differ in two have likeness 1/e, and each is expected to
// respond as itself with probability 1/(1 + 1/e) where they differ.
func TestKindsAreSmoothed(t *testing.T) {
	x, y := make([]float64, 400), make([]float64, 400)
	y[3], y[7] = 1, 1
	k := newKinds(&matrix{x: [][]float64{x, y}})
	if p, want := k.p[1][3], 1/(1+math.Exp(-1)); math.Abs(p-want) > 1e-12 || k.p[1][0] != rare || k.total[1] != 0.005 {
		t.Errorf("expected %g, want %g; %g; total %g", p, want, k.p[1][0], k.total[1])
	}
}
