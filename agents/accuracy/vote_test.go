package accuracy_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"achilles/agents/accuracy"
	"achilles/sim/rng"
)

// exactPB returns the Poisson binomial distribution, computed with 300 bits of precision.
func exactPB(p []float64) []float64 {
	q := []*big.Float{big.NewFloat(1).SetPrec(300)}
	for _, x := range p {
		px := big.NewFloat(x).SetPrec(300)
		py := new(big.Float).SetPrec(300).Sub(big.NewFloat(1).SetPrec(300), px)
		next := make([]*big.Float, len(q)+1)
		for k := range next {
			next[k] = new(big.Float).SetPrec(300)
			if k < len(q) {
				next[k].Add(next[k], new(big.Float).SetPrec(300).Mul(q[k], py))
			}
			if k > 0 {
				next[k].Add(next[k], new(big.Float).SetPrec(300).Mul(q[k-1], px))
			}
		}
		q = next
	}
	out := make([]float64, len(q))
	for i, x := range q {
		out[i], _ = x.Float64()
	}
	return out
}

func TestPoissonBinomial(t *testing.T) {
	r := rng.Stream(1, "chances")
	for _, n := range []int{1, 2, 7, 100, 1000} {
		p := make([]float64, n)
		for i := range p {
			p[i] = r.Float64()
		}
		got, want := accuracy.PoissonBinomial(p), exactPB(p)
		for k := range want {
			near(t, fmt.Sprintf("%d of %d", k, n), got[k], want[k], max(1e-290, 1e-12*want[k]))
		}
	}
}

// BenchmarkPoissonBinomial measures 1000 members, which should take less than a millisecond.
func BenchmarkPoissonBinomial(b *testing.B) {
	p := make([]float64, 1000)
	for i := range p {
		p[i] = float64(i+1) / 1002
	}
	b.ReportAllocs()
	for b.Loop() {
		accuracy.PoissonBinomial(p)
	}
}

func BenchmarkPlurality(b *testing.B) {
	p := slices.Repeat([]float64{0.3}, 100)
	for b.Loop() {
		accuracy.Plurality(p, 26)
	}
}

func TestMajority(t *testing.T) {
	near(t, "the paper's three", accuracy.Majority([]float64{0.55, 0.55, 0.63}), 0.55*0.55*0.37+2*0.45*0.55*0.63+0.55*0.55*0.63, 1e-12)
	p := [3]float64{0.2, 0.5, 0.9}
	near(t, "three by formula", accuracy.Majority(p[:]), p[0]*p[1]+p[0]*p[2]+p[1]*p[2]-2*p[0]*p[1]*p[2], 1e-12)
	near(t, "a tie fails", accuracy.Majority([]float64{1, 0}), 0, 0)
	// A member of probability p' instead of p gains (p' − p) (p1 (1 − p2) + p2 (1 − p1)), where p1 and p2 are those of
	// the two others.
	gain := accuracy.Majority([]float64{0.6, 0.3, 0.8}) - accuracy.Majority([]float64{0.6, 0.3, 0.5})
	near(t, "an exchange", gain, 0.3*(0.6*0.7+0.3*0.4), 1e-12)
	// Condorcet's theorem: more members are better if each is right with a probability above 1/2, and worse below 1/2.
	for n := 1; n < 41; n += 2 {
		for p, better := range map[float64]bool{0.55: true, 0.45: false} {
			few, many := accuracy.Majority(slices.Repeat([]float64{p}, n)), accuracy.Majority(slices.Repeat([]float64{p}, n+2))
			if (many > few) != better {
				t.Errorf("%d members of chance %v: %v, two more: %v", n, p, few, many)
			}
		}
	}
}

// TestPluralityByHand checks three voters, each right with probability p. The right answer wins if all are right, if two
// are, or if one is right, the other two differ, and the draw among the three answers gives the right one.
func TestPluralityByHand(t *testing.T) {
	for _, m := range []int{2, 3, 5, 26} {
		for _, p := range []float64{0, 0.2, 0.5, 0.9, 1} {
			differ := 1 - 1/float64(m-1)
			want := p*p*p + 3*p*p*(1-p) + 3*p*(1-p)*(1-p)*differ/3
			near(t, fmt.Sprintf("m %d, p %v", m, p), accuracy.Plurality([]float64{p, p, p}, m), want, 1e-12)
		}
	}
}

// pluralityExact returns the result of Plurality as a sum over all ways in which the wrong votes can fall on the wrong
// answers, weighed by rational numbers.
func pluralityExact(p []float64, m int) float64 {
	q := exactPB(p)
	total := 0.0
	for k := 1; k <= len(p); k++ {
		w := len(p) - k
		ways, all := big.NewRat(0, 1), new(big.Int).Exp(big.NewInt(int64(m-1)), big.NewInt(int64(w)), nil)
		var fall func(option, left, ties int, coefficient *big.Int)
		fall = func(option, left, ties int, coefficient *big.Int) {
			if option == m-1 {
				if left == 0 {
					ways.Add(ways, new(big.Rat).SetFrac(coefficient, big.NewInt(int64(ties+1))))
				}
				return
			}
			for v := 0; v <= min(k, left); v++ {
				more := ties
				if v == k {
					more++
				}
				fall(option+1, left-v, more, new(big.Int).Mul(coefficient, new(big.Int).Binomial(int64(left), int64(v))))
			}
		}
		fall(0, w, 0, big.NewInt(1))
		x, _ := new(big.Rat).Quo(ways, new(big.Rat).SetInt(all)).Float64()
		total += q[k] * x
	}
	return total
}

func TestPluralityExact(t *testing.T) {
	r := rng.Stream(2, "chances")
	for _, c := range []struct{ n, m int }{{1, 2}, {2, 2}, {4, 3}, {5, 4}, {9, 5}, {12, 4}, {25, 3}, {40, 3}, {100, 3}, {100, 2}} {
		p := make([]float64, c.n)
		for i := range p {
			p[i] = r.Float64()
		}
		near(t, fmt.Sprintf("%d voters, %d answers", c.n, c.m), accuracy.Plurality(p, c.m), pluralityExact(p, c.m), 1e-12)
	}
}

// TestPluralityAgainstSimulation compares Plurality and Majority with values known to four digits for four groups, and
// Plurality with simulated elections, also for a group of a hundred members; the difference must be at most 4 standard
// errors.
func TestPluralityAgainstSimulation(t *testing.T) {
	for i, c := range []struct {
		p                 []float64
		m                 int
		plurality, strict float64
	}{
		{[]float64{0.4, 0.35, 0.5, 0.3, 0.45}, 4, 0.5102, 0.3156},
		{[]float64{0.55, 0.55, 0.63}, 3, 0.6661, 0.6144},
		{slices.Repeat([]float64{0.3}, 7), 26, 0.6297, 0.1260},
		{[]float64{0.6, 0.2, 0.2, 0.2}, 3, 0.2672, 0.0656},
		{slices.Repeat([]float64{0.08}, 100), 26, math.NaN(), math.NaN()},
	} {
		exact := accuracy.Plurality(c.p, c.m)
		if i < 4 {
			near(t, "plurality", exact, c.plurality, 0.00005)
			near(t, "majority", accuracy.Majority(c.p), c.strict, 0.00005)
		}
		mean, se := accuracy.PluralityVote.Simulate(c.p, nil, c.m, 200_000, rng.Stream(uint64(i), "votes"))
		if z := (mean - exact) / se; math.Abs(z) > 4 {
			t.Errorf("group %d: %v simulated, %v exact: z = %.2f", i, mean, exact, z)
		}
	}
}

// TestPluralityIsMajorityOfTwo checks that Plurality and Majority are equal for two answers and an odd number of voters.
func TestPluralityIsMajorityOfTwo(t *testing.T) {
	for n := 1; n <= 99; n += 14 {
		p := make([]float64, n)
		for i := range p {
			p[i] = float64(i+1) / float64(n+1)
		}
		near(t, fmt.Sprint(n), accuracy.Plurality(p, 2), accuracy.Majority(p), 1e-12)
	}
}

func TestWeighted(t *testing.T) {
	p := []float64{0.9, 0.6, 0.55, 0.3, 0.7}
	weights := []float64{2.5, 1, 0.75, 0, 1.25}
	want := 0.0
	for set := range 1 << len(p) {
		chance, lead := 1.0, 0.0
		for i, x := range p {
			if set>>i&1 == 1 {
				chance, lead = chance*x, lead+weights[i]
			} else {
				chance, lead = chance*(1-x), lead-weights[i]
			}
		}
		if lead > 1e-9 {
			want += chance
		}
	}
	got, _ := accuracy.Weighted(p, weights)
	near(t, "weighted", got, want, 1e-12)
	equal, _ := accuracy.Weighted(p, []float64{3, 3, 3, 3, 3})
	near(t, "equal weights", equal, accuracy.Majority(p), 1e-12)
	many := slices.Repeat([]float64{0.6}, 101)
	got, ok := accuracy.Weighted(many, slices.Repeat([]float64{0.1}, 101))
	if !ok {
		t.Error("a hundred equal weights are too many sums")
	}
	near(t, "a hundred equal weights", got, accuracy.Majority(many), 1e-12)
	odd := make([]float64, 40)
	for i := range odd {
		odd[i] = math.Sqrt(float64(i + 1))
	}
	if _, ok = accuracy.Weighted(slices.Repeat([]float64{0.6}, 40), odd); ok {
		t.Error("forty different weights are added up")
	}
}

// TestOptimalWeights checks for 300 random groups that none of 300 random sets of weights, some of them 0, is better than
// the optimal one, and that the group is at least as good as its best member.
func TestOptimalWeights(t *testing.T) {
	r := rng.Stream(3, "weights")
	for range 300 {
		p := make([]float64, 2+r.IntN(5))
		for i := range p {
			p[i] = 0.05 + 0.9*r.Float64()
			if r.IntN(4) == 0 {
				p[i] /= 2 // so that in some groups nobody is right more often than wrong
			}
		}
		best, _ := accuracy.Weighted(p, accuracy.Optimal(p))
		if alone := slices.Max(p); best < alone-1e-12 {
			t.Errorf("%v are right %v with optimal weights, the best alone %v", p, best, alone)
		}
		for range 300 {
			w := make([]float64, len(p))
			for i := range w {
				w[i] = max(0, r.Float64()-0.2)
			}
			if x, _ := accuracy.Weighted(p, w); x > best+1e-12 {
				t.Errorf("%v with weights %v are right %v, with the optimal ones %v", p, w, x, best)
			}
		}
	}
	// p has the probabilities of the members of group A4 for a task of 7 bits and 26 answers. The weights are those that
	// are best if the answer with most weight wins. If more than half of all weight is required, the group with these
	// weights is right with probability 0.540, and its best member alone with 0.665.
	p := []float64{0.2456, 0.6648, 0.6448}
	other := make([]float64, len(p))
	for i, x := range p {
		other[i] = math.Log(x * 25 / (1 - x))
	}
	got, _ := accuracy.Weighted(p, other)
	near(t, "weights of another rule", got, 0.5397, 0.0001)
	best, _ := accuracy.Weighted(p, accuracy.Optimal(p))
	near(t, "the optimal ones", best, 0.6648, 1e-12)
}
