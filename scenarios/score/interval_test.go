package score_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"achilles/scenarios/score"
)

// TestClopperPearson checks that, at each end, the tail of the binomial distribution, which is a regularised incomplete
// beta function, has half of the probability that the level leaves. With no success the end has a closed form.
func TestClopperPearson(t *testing.T) {
	for _, n := range []int{1, 2, 7, 30, 300, 2188} {
		for _, level := range []float64{0.5, 0.95, 1 - 1e-6} {
			tail := (1 - level) / 2
			for _, k := range []int{0, 1, n / 3, n / 2, n - 1, n} {
				got := score.ClopperPearson(k, n, level)
				same := func(end string, p, want float64) {
					if math.Abs(p-want) > 1e-6*want { // relative, because 1 − high has lost digits
						t.Errorf("%d of %d at %v: %s end: %v, want %v", k, n, level, end, p, want)
					}
				}
				if k > 0 {
					same("low", mathext.RegIncBeta(float64(k), float64(n-k+1), got[0]), tail)
				} else {
					same("low", got[0], 0)
				}
				if k < n {
					same("high", mathext.RegIncBeta(float64(n-k), float64(k+1), 1-got[1]), tail)
				} else {
					same("high", got[1], 1)
				}
			}
			if got, want := score.ClopperPearson(0, n, level)[1], 1-math.Pow(tail, 1/float64(n)); math.Abs(got-want) > 1e-12 {
				t.Errorf("0 of %d at %v: high end %v, closed form %v", n, level, got, want)
			}
		}
	}
}

// TestClopperPearsonCovers checks that, for every true share, the interval contains it at least as often as its level
// says.
func TestClopperPearsonCovers(t *testing.T) {
	const n = 30
	var in [n + 1]score.Interval
	for k := range in {
		in[k] = score.ClopperPearson(k, n, score.Level)
	}
	for p := 0.005; p < 1; p += 0.005 {
		covered, d := 0.0, distuv.Binomial{N: n, P: p}
		for k := range in {
			if in[k][0] <= p && p <= in[k][1] {
				covered += d.Prob(float64(k))
			}
		}
		if covered < score.Level {
			t.Errorf("true share %v is covered with probability %v", p, covered)
		}
	}
}
