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

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) && got != want {
		t.Errorf("%s is %.15g, want %.15g", what, got, want)
	}
}

// These are the abilities and groups of Chmait et al. (2017, sections 6 to 8).
var (
	a1     = accuracy.Group{Name: "A1", Members: []accuracy.Ability{{12.0094}, {12.0094}, {12.0094}}, Rule: accuracy.StrictMajority}
	a2     = accuracy.Group{Name: "A2", Members: []accuracy.Ability{{12.0094}, {12.0094}, {16.33}}, Rule: accuracy.StrictMajority}
	a3     = accuracy.Group{Name: "A3", Members: []accuracy.Ability{{12.0094}, {12.0094}, {4.56}}, Rule: accuracy.StrictMajority}
	a4     = accuracy.Group{Name: "A4", Members: []accuracy.Ability{{4.56}, {16.33}, {15.18}}, Rule: accuracy.StrictMajority}
	single = accuracy.Group{Name: "one", Members: []accuracy.Ability{{12.0094}}, Rule: accuracy.StrictMajority}
)

func TestChance(t *testing.T) {
	for _, c := range []struct {
		d, a float64
		m    int
		want float64
	}{
		{0, 5, 3, 1}, {0, 0, 3, 1}, {9, 0, 4, 0.25}, {math.Inf(1), 5, 4, 0.25}, {10 * math.Ln2, 10, 2, 0.75}, {10 * math.Ln2, 10, 26, 27.0 / 52},
		{7, 11.28, 26, 0.5554}, // by hand: 1/26 + 25/26 e^(-7/11.28)
	} {
		tolerance := 1e-12
		if c.want == 0.5554 {
			tolerance = 0.00005
		}
		near(t, fmt.Sprintf("P(%v, %v, %d)", c.d, c.a, c.m), accuracy.Chance(accuracy.Task{Difficulty: c.d, Answers: c.m}, c.a), c.want, tolerance)
	}
}

// TestInverses checks that Hardest and Needed recover the difficulty and the ability from the result of Chance, to 1e-12 and
// the rounding error of Chance.
func TestInverses(t *testing.T) {
	for _, m := range []int{2, 3, 5, 10, 26, 1000} {
		for _, a := range []float64{0.5, 4.56, 11.28, 30} {
			for _, d := range []float64{1e-6, 0.5, 3, 7, 15} {
				if d/a > 8 {
					continue // the probability exceeds 1/m too little to tell the difficulty
				}
				task := accuracy.Task{Difficulty: d, Answers: m}
				p := accuracy.Chance(task, a)
				// An error ε of p moves D by ε dD/dp = −ε α m/(m−1) e^(D/α).
				slack := 1e-12 + 4e-16*a*float64(m)/float64(m-1)*math.Exp(d/a)
				near(t, fmt.Sprintf("D of %v, %v, %d", d, a, m), accuracy.Hardest(p, a, m), d, slack)
				near(t, fmt.Sprintf("α of %v, %v, %d", d, a, m), accuracy.Needed(p, task), a, slack*a/d*2)
			}
		}
	}
}

func TestEdges(t *testing.T) {
	task := accuracy.Task{Difficulty: 9, Answers: 4}
	for what, c := range map[string][2]float64{
		"all do what a guess does":          {accuracy.Hardest(0.25, 5, 4), math.Inf(1)},
		"certainty":                         {accuracy.Hardest(1, 5, 4), 0},
		"nobody is needed for a guess":      {accuracy.Needed(0.25, task), 0},
		"nobody is sure":                    {accuracy.Needed(1, task), math.Inf(1)},
		"everybody is sure at difficulty 0": {accuracy.Needed(1, accuracy.Task{Difficulty: 0, Answers: 4}), 0},
		"half way":                          {accuracy.Chance(accuracy.Task{Difficulty: 8.66 * math.Ln2, Answers: 26}, 8.66), 27.0 / 52},
		"a mean over nothing":               {accuracy.Mean(9, 9, 5, 4), accuracy.Chance(task, 5)},
	} {
		near(t, what, c[0], c[1], 1e-12)
	}
	if x := accuracy.Hardest(1.1, 5, 4); !math.IsNaN(x) {
		t.Errorf("a chance above 1 is reached up to %v", x)
	}
	near(t, "a weighted ability", accuracy.Ability{4, 10}.For([]float64{1, 3}), 8.5, 1e-12)
	near(t, "a single ability", accuracy.Ability{4}.For(nil), 4, 0)
}

// TestMean compares Mean with the integral of Chance by Simpson's rule.
func TestMean(t *testing.T) {
	const n = 2000
	low, high, a, m := 7.0, 15.0, 11.28, 5
	sum := 0.0
	for i := range n + 1 {
		w := 2.0 + 2*float64(i%2)
		if i == 0 || i == n {
			w = 1
		}
		sum += w * accuracy.Chance(accuracy.Task{Difficulty: low + (high-low)*float64(i)/n, Answers: m}, a)
	}
	near(t, "mean", accuracy.Mean(low, high, a, m), sum/(3*n), 1e-12)
}

// TestGuaranteed checks the difficulties up to which an agent of ability 11.28 is right with probability p against Chmait et
// al. (2017, figure 4).
func TestGuaranteed(t *testing.T) {
	for m, row := range map[int][4]float64{
		3: {15.64, 10.34, 6.74, 4.02}, 10: {9.15, 6.63, 4.57, 2.83}, 26: {8.28, 6.07, 4.22, 2.63},
	} {
		for i, p := range []float64{0.5, 0.6, 0.7, 0.8} {
			near(t, fmt.Sprintf("m %d, p %v", m, p), accuracy.Hardest(p, 11.28, m), row[i], 0.005)
			g := accuracy.Group{Members: []accuracy.Ability{{11.28}}, Rule: accuracy.BestMember}
			got, _ := g.Hardest(p, accuracy.Task{Answers: m})
			near(t, "the same by bisection", got, accuracy.Hardest(p, 11.28, m), 1e-8)
		}
	}
}

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
	// Exchanging a member gains (p' − p) (p1 (1 − p2) + p2 (1 − p1)).
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
	// The group A4 on 7 bits and 26 answers, with the weights that are best if the answer with most weight wins: with more
	// than half of all weight required they give 0.540, and the best member alone has 0.665.
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

// TestCrossings checks the difficulties at which one group becomes worse than another (Chmait et al. 2017, section 8,
// corrected).
func TestCrossings(t *testing.T) {
	cross := func(a, b accuracy.Group, m int) float64 {
		t.Helper()
		list := accuracy.Crossings([]*accuracy.Group{&b, &a}, accuracy.Task{Answers: m}, 60)
		if len(list) != 1 {
			t.Fatalf("%s and %s do not cross with %d answers", a.Name, b.Name, m)
		}
		// First must be right more often half way to the crossing, and less often just beyond it.
		order := []*accuracy.Group{&b, &a}
		first, second := order[list[0].First], order[list[0].Second]
		for i, d := range []float64{list[0].At[0] / 2, list[0].At[0] * 1.001} {
			x, _ := first.Chance(accuracy.Task{Difficulty: d, Answers: m})
			y, _ := second.Chance(accuracy.Task{Difficulty: d, Answers: m})
			if (x > y) != (i == 0) {
				t.Errorf("%s is first to %v, and at %v has %v, %s %v", first.Name, list[0].At[0], d, x, second.Name, y)
			}
		}
		return list[0].At[0]
	}
	plural := func(g accuracy.Group) accuracy.Group { g.Rule = accuracy.PluralityVote; return g }
	for _, c := range []struct {
		a, b accuracy.Group
		m    int
		want float64
	}{
		{a1, a4, 3, 19.22}, {a1, a4, 5, 20.22}, {a1, a4, 26, 23.02},
		{a2, a4, 3, 40.05}, {a2, a4, 5, 40.74}, {a2, a4, 26, 43.85},
		{single, a4, 3, 14.34}, {single, a4, 5, 8.01}, {single, a4, 26, 5.47},
		{single, a1, 3, 12.0094 * math.Log(4)}, {single, a2, 3, 16.33 * math.Log(4)}, {single, a3, 3, 4.56 * math.Log(4)},
		{plural(a1), plural(a4), 3, 18.869}, {plural(a1), plural(a4), 5, 19.2155}, {plural(a1), plural(a4), 26, 19.6627},
	} {
		near(t, fmt.Sprintf("%s and %s (%s), %d answers", c.a.Name, c.b.Name, c.a.Rule, c.m), cross(c.a, c.b, c.m), c.want, 0.01)
	}
	if list := accuracy.Crossings([]*accuracy.Group{&a1, &single}, accuracy.Task{Answers: 2}, 200); len(list) > 0 {
		t.Errorf("with two answers three are better than one up to any difficulty, yet they cross: %v", list)
	}
	if list := accuracy.Crossings([]*accuracy.Group{&a3, &a4}, accuracy.Task{Answers: 3}, 3); len(list) > 0 {
		t.Errorf("A3 is never better than A4, yet they cross: %v", list)
	}
	crowd := accuracy.Group{Members: slices.Repeat([]accuracy.Ability{{4.56}}, 60), Rule: accuracy.PluralityVote}
	list := accuracy.Crossings([]*accuracy.Group{&single, &crowd}, accuracy.Task{Answers: 26}, 60)
	if len(list) != 1 || list[0].First != 1 || len(list[0].At) != 1 {
		t.Fatalf("sixty weak agents and one that is able cross %v", list)
	}
	meet := accuracy.Task{Difficulty: list[0].At[0], Answers: 26}
	x, _ := crowd.Chance(meet)
	near(t, "where they cross", x, accuracy.Chance(meet, 12.0094), 1e-8)
}

// TestGroupMean checks Mean against the closed form for one member, and against an integral by hand for two members who
// both must be right: there the probability is a sum of exponentials of the difficulty.
func TestGroupMean(t *testing.T) {
	task := accuracy.Task{Answers: 4}
	got, ok := single.Mean(30, task)
	near(t, "one", got, accuracy.Mean(0, 30, 12.0094, 4), 1e-12)
	two := accuracy.Group{Members: []accuracy.Ability{{8}, {20}}, Rule: accuracy.StrictMajority}
	exp := func(a float64) float64 { return a * (1 - math.Exp(-30/a)) / 30 } // mean of e^(−D/a)
	got, both := two.Mean(30, task)
	near(t, "two", got, 1./16+3./16*(exp(8)+exp(20))+9./16*exp(1/(1./8+1./20)), 1e-9)
	ranked := accuracy.Group{Members: two.Members, Rule: accuracy.BordaCount}
	if _, known := ranked.Mean(30, task); !ok || !both || known {
		t.Errorf("closed forms are known: %v, %v, of Borda's count %v", ok, both, known)
	}
}

func TestGroupHardest(t *testing.T) {
	for _, g := range []accuracy.Group{a1, a2, a4} {
		for _, p := range []float64{0.5, 0.7, 0.9, 0.99} {
			d, ok := g.Hardest(p, accuracy.Task{Answers: 5})
			x, _ := g.Chance(accuracy.Task{Difficulty: d, Answers: 5})
			if !ok || math.Abs(x-p) > 1e-8 {
				t.Errorf("%s reaches %v at %v, want %v", g.Name, x, d, p)
			}
		}
	}
	if d, _ := a1.Hardest(0.01, accuracy.Task{Answers: 5}); !math.IsInf(d, 1) {
		t.Errorf("three guesses reach 0.01 only up to %v", d)
	}
	borda := a1
	borda.Rule = accuracy.BordaCount
	if _, ok := borda.Hardest(0.5, accuracy.Task{Answers: 5}); ok {
		t.Error("Borda's count has a closed form")
	}
	if list := accuracy.Crossings([]*accuracy.Group{&borda, &a1, &borda, &a4}, accuracy.Task{Answers: 5}, 30); len(list) != 1 || list[0].First != 1 || list[0].Second != 3 {
		t.Errorf("Borda's count has a closed form: %v", list)
	}
}

func TestElect(t *testing.T) {
	votes := []int{2, 0, 2, 1, 1, 3}
	for _, c := range []struct {
		rule    accuracy.Rule
		votes   []int
		weights []float64
		want    []int
	}{
		{accuracy.PluralityVote, votes, nil, []int{1, 2}},
		{accuracy.StrictMajority, votes, nil, nil},
		{accuracy.StrictMajority, []int{1, 1, 0, 1}, nil, []int{1}},
		{accuracy.StrictMajority, []int{1, 1, 0, 0}, nil, nil},
		{accuracy.WeightedVote, votes, []float64{1, 1, 1, 1, 1, 6}, []int{3}},
		{accuracy.WeightedVote, votes, []float64{1, 1, 1, 1, 1, 5}, nil},
		{accuracy.BestMember, votes, nil, []int{0}},
		{accuracy.BestMember, []int{1, -1, 2}, nil, nil},
		{accuracy.PluralityVote, []int{-1, 3, -1}, nil, []int{3}},
		{accuracy.StrictMajority, []int{-1, 3, -1}, nil, nil},
		{accuracy.PluralityVote, []int{-1, -1}, nil, nil},
		{accuracy.WeightedVote, []int{-1, 2}, []float64{1, 1.5}, []int{2}},
		{accuracy.BordaCount, []int{-1, -1}, nil, nil},
	} {
		if got := c.rule.Elect(c.votes, c.weights, 1, 4, nil); !slices.Equal(got, c.want) {
			t.Errorf("%s elects %v, want %v", c.rule, got, c.want)
		}
	}
	near(t, "a draw of two", accuracy.Share([]int{1, 2}, 2), 0.5, 0)
	near(t, "nobody", accuracy.Share(nil, 2), 0, 0)
}

// TestRankedRules checks that with two answers every rule that needs rankings elects as the plurality vote does, that it
// elects an answer that all members give, and that nine members of probability 0.5 are right about as often as by a
// plurality vote. For the other rules it compares Simulate with Exact.
func TestRankedRules(t *testing.T) {
	r := rng.Stream(4, "rankings")
	ranked := []accuracy.Rule{accuracy.BordaCount, accuracy.HarmonicCount, accuracy.Maximin, accuracy.Copeland}
	for _, rule := range ranked {
		if !rule.Ranks() {
			t.Errorf("%s needs no rankings", rule)
		}
		for range 200 {
			votes := []int{r.IntN(2), r.IntN(2), r.IntN(2), r.IntN(2), r.IntN(2)}
			if got, want := rule.Elect(votes, nil, 0, 2, &r), accuracy.PluralityVote.Elect(votes, nil, 0, 2, nil); !slices.Equal(got, want) {
				t.Fatalf("%s elects %v of %v, want %v", rule, got, votes, want)
			}
		}
		if got := rule.Elect([]int{3, 3, 3, 3}, nil, 0, 6, &r); !slices.Equal(got, []int{3}) {
			t.Errorf("%s elects %v where all are for 3", rule, got)
		}
		exact, _ := accuracy.PluralityVote.Exact(slices.Repeat([]float64{0.5}, 9), nil, 5)
		mean, se := rule.Simulate(slices.Repeat([]float64{0.5}, 9), nil, 5, 20_000, rng.Stream(5, string(rule)))
		if se <= 0 || se > 0.004 || mean < exact-0.35 || mean > exact+0.05 {
			t.Errorf("%s is right %v ± %v, plurality %v", rule, mean, se, exact)
		}
	}
	for _, rule := range accuracy.Rules()[:4] {
		if rule.Ranks() {
			t.Errorf("%s needs rankings", rule)
		}
		p, weights := []float64{0.3, 0.5, 0.7, 0.4, 0.45}, []float64{1, 1, 2, 1, 1}
		exact, ok := rule.Exact(p, weights, 4)
		mean, se := rule.Simulate(p, weights, 4, 200_000, rng.Stream(6, string(rule)))
		if z := (mean - exact) / se; !ok || math.Abs(z) > 4 {
			t.Errorf("%s: %v simulated, %v exact: z = %.2f", rule, mean, exact, z)
		}
	}
}
