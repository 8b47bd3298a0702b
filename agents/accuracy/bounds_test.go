package accuracy_test

import (
	"math/bits"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"achilles/agents/accuracy"
	"achilles/sim/rng"
)

// TestMajorityBounds compares the bounds with cases by hand and, over all joint distributions of two to five voters, with linear programming.
func TestMajorityBounds(t *testing.T) {
	for _, c := range []struct {
		p           []float64
		least, most float64
	}{
		{[]float64{0.5, 0.5, 0.5}, 0.25, 0.75}, // most: two of three are right at a time, 1.5/2
		{[]float64{0.6, 0.6, 0.6}, 0.4, 0.9},
		{[]float64{0.2, 0.2, 0.9}, 0.15, 0.4}, // 1.3 right on average: (1.3 − 1)/2; the third gives no majority alone: 0.4/1
		{[]float64{0.55, 0.7}, 0.25, 0.55},    // both must be right
		{[]float64{0.9, 0.9, 0.9}, 0.85, 1},   // errors: 0.3/2
		{[]float64{1, 0, 0.3}, 0.3, 0.3},
	} {
		least, most := accuracy.MajorityBounds(c.p)
		near(t, "least", least, c.least, 1e-12)
		near(t, "largest", most, c.most, 1e-12)
	}
	r := rng.Stream(501, "bounds")
	for range 60 {
		p := make([]float64, 2+r.IntN(4))
		for i := range p {
			p[i] = r.Float64()
		}
		least, most := accuracy.MajorityBounds(p)
		near(t, "largest by linear programming", most, -extreme(t, p, -1), 1e-8)
		near(t, "least by linear programming", least, extreme(t, p, 1), 1e-8)
	}
}

// extreme returns the least sign · P(more than half are right) over all joint distributions with the marginal probabilities p.
func extreme(t *testing.T, p []float64, sign float64) float64 {
	t.Helper()
	n := len(p)
	a, cost := mat.NewDense(n+1, 1<<n, nil), make([]float64, 1<<n)
	for who := range 1 << n {
		for i := range n {
			a.Set(i, who, float64(who>>i&1))
		}
		a.Set(n, who, 1)
		if 2*bits.OnesCount(uint(who)) > n {
			cost[who] = sign
		}
	}
	least, _, err := lp.Simplex(cost, a, append(append([]float64(nil), p...), 1), 1e-12, nil)
	if err != nil {
		t.Fatal(err)
	}
	return least
}

// TestDependenceTable checks the bounds of a group of three that are right half of the time, by majority and by plurality.
func TestDependenceTable(t *testing.T) {
	s, err := accuracy.ReadSelection("s.toml", `[[task]]
difficulty = 0
answers = 4
guess = 0.5
[[agent]]
name = "sure"
ability = 1
[[group]]
name = "by majority"
members = ["sure", "sure", "sure"]
rule = "majority"
[[group]]
name = "by plurality"
members = ["sure", "sure", "sure"]
`)
	if err != nil {
		t.Fatal(err)
	}
	s.Tasks[0].Difficulty = 1e9 // members only guess
	tables := s.Tables(s.Assess(1))
	for _, x := range tables {
		if x.Name != "dependence" {
			continue
		}
		if err := x.Check(); err != nil {
			t.Error(err)
		}
		number := func(row int, column string) float64 {
			v, _ := x.Value(row, column).Number()
			return v
		}
		near(t, "least", number(0, "least"), 0.25, 1e-12)
		near(t, "independent", number(0, "independent"), 0.5, 1e-12)
		near(t, "largest", number(0, "most"), 0.75, 1e-12)
		near(t, "least by plurality", number(1, "least"), 0.25, 1e-12)
		if x.Value(1, "most").Exists() {
			t.Error("the largest accuracy of a plurality is known")
		}
		return
	}
	t.Error("no table dependence")
}
