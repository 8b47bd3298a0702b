package misfit_test

import (
	"math"
	"testing"

	"achilles/infer/misfit"
)

// TestTails checks the numbers 0 to 19 by hand: of 20, as many as are not smaller. The largest exceeds the next by 1; of the others, 17 and 18
// exceed 17, the upper tenth, by .5 on average.
func TestTails(t *testing.T) {
	var x []float64
	for i := range 20 {
		x = append(x, float64(i))
	}
	p := misfit.Tails(x)
	for i, want := range map[int]float64{0: 1, 10: 0.5, 18: 0.1, 19: 0.05 * math.Exp(-2)} {
		if math.Abs(p[i]-want) > 1e-12 {
			t.Errorf("%d: %v, want %v", i, p[i], want)
		}
	}
	if p := misfit.Tails(make([]float64, 20)); p[0] != 1 {
		t.Errorf("numbers that are all the same: %v", p)
	}
}

// TestDimensionByHand checks residuals of three subjects and two items. Of (1, 1), (1, −1), (2, 0) the products are 6 and 0, 0 and 2; of (1, −1), (−1, 1) and (1, −1),
// where items go against each other, 3 and −3, −3 and 3.
func TestDimensionByHand(t *testing.T) {
	for _, x := range [][][]float64{{{1, 1}, {1, -1}, {2, 0}}, {{1, -1}, {-1, 1}, {1, -1}}} {
		if got := misfit.Dimension(x); math.Abs(got-6) > 1e-6 {
			t.Errorf("%v: %v, want 6", x, got)
		}
	}
}

// TestReversedByHand checks that a response of 1 with log odds 0 is ⅓ / ½ as probable with log odds −log 2, one of 0 4/3 times, half of each of which is the mean; and that
// of two ratios one is as large as the larger, one SD above the mean of both, about twice as often as a normal variable is above 1.
func TestReversedByHand(t *testing.T) {
	for y, want := range []float64{math.Log(4. / 3), math.Log(2. / 3)} {
		ratio, mean, variance := misfit.Against(true, float64(y), 0, -math.Log(2), 1)
		if math.Abs(ratio-want) > 1e-12 || math.Abs(mean-math.Log(8./9)/2) > 1e-12 || math.Abs(variance-math.Pow(math.Log(2)/2, 2)) > 1e-12 {
			t.Errorf("response %d: ratio %v, mean %v, variance %v", y, ratio, mean, variance)
		}
	}
	// A normal response of 3, mean 1 or 2, variance 2: the ratio is (4 − 1) / 4.
	if ratio, mean, variance := misfit.Against(false, 3, 1, 2, 2); ratio != 0.75 || mean != -0.25 || variance != 0.5 {
		t.Errorf("a number: ratio %v, mean %v, variance %v", ratio, mean, variance)
	}
	want := -math.Log(2 * 0.5 * math.Erfc(1/math.Sqrt2))
	if size, at := misfit.MostReversed([3]float64{-9, -1, 4}, [3]float64{1, -1, 4}); at != 1 || math.Abs(size-want) > 1e-12 {
		t.Errorf("item %d, %v, want 1, %v", at, size, want)
	}
}

// TestSpreadsByHand checks two subjects whose responses say 2 ± 1 and −2 ± 1, so that each ability is ±1 ± √½ in a standard normal population: a variance of
// 3 is most probable (4 less 1), which is where the steps go.
func TestSpreadsByHand(t *testing.T) {
	if got := misfit.Spreads([]float64{1, -1}, []float64{0.5, 0.5}); got < 2.6 || got > 3 {
		t.Errorf("variance %v, want nearly 3", got)
	}
	if got := misfit.Spreads([]float64{0.1, -0.1}, []float64{0.02, 0.02}); got > 0.03 {
		t.Errorf("variance %v of hardly different abilities", got)
	}
}
