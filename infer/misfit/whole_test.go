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

// TestTwoKindsByGrid compares the log likelihood ratio of two kinds of subjects with the largest on a grid of differences in two items, of subjects who pass the first where
// they fail the second.
func TestTwoKindsByGrid(t *testing.T) {
	var residual, variance [][]float64
	for s := range 24 {
		x := 0.9
		if s%2 == 1 {
			x = -0.8
		}
		residual, variance = append(residual, []float64{x, -0.7 * x}), append(variance, []float64{0.1, 0.2})
	}
	best, at := 0.0, [2]float64{}
	for a := 0.0; a <= 6; a += 0.01 {
		for b := -6.0; b <= 0; b += 0.01 {
			ratio := -a*a*(2.4+1)/2 - b*b*(4.8+1)/2
			for _, r := range residual {
				ratio += math.Log(math.Cosh(a*r[0] + b*r[1]))
			}
			if ratio > best {
				best, at = ratio, [2]float64{a, b}
			}
		}
	}
	ratio, d := misfit.TwoKinds(residual, variance)
	if math.Abs(ratio-best) > 1e-3 || math.Abs(math.Abs(d[0])-at[0]) > 0.01 || math.Abs(math.Abs(d[1])+at[1]) > 0.01 || d[0]*d[1] > 0 {
		t.Errorf("%g with differences %g, on the grid %g with %g", ratio, d, best, at)
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

// TestNeighboursByHand checks residuals of three subjects and five items. Of 1, 2, 0, −1, 3 all pairs but the first and the last count: 2 − 1 − 2 + 6 − 3 = 2; of
// 2, 0, 0, 1, 1 the first with the fourth, and the last two, 2 + 1, of two subjects who respond alike.
func TestNeighboursByHand(t *testing.T) {
	if got := misfit.Neighbours([][]float64{{1, 2, 0, -1, 3}, {2, 0, 0, 1, 1}}); got != 8 {
		t.Errorf("%v, want 8", got)
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
