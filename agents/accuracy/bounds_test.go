package accuracy_test

import (
	"math"
	"math/bits"
	"testing"

	"achilles/agents/accuracy"
	"achilles/sim/rng"
)

// TestMajorityBounds compares the bounds with cases by hand and, over all joint distributions of two or three voters, with a linear programme.
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
	for range 40 {
		p := make([]float64, 2+r.IntN(2))
		for i := range p {
			p[i] = r.Float64()
		}
		least, most := accuracy.MajorityBounds(p)
		near(t, "largest of all distributions", most, -extreme(p, -1), 1e-9)
		near(t, "least of all distributions", least, extreme(p, 1), 1e-9)
	}
}

// extreme returns the least sign · P(more than half are right) over all joint distributions with the marginal probabilities p. A linear programme has
// its optimum at a vertex: at most n + 1 of the 2^n outcomes are possible, and their probabilities solve n + 1 equations.
func extreme(p []float64, sign float64) float64 {
	n, least := len(p), math.Inf(1)
	for some := range 1 << (1 << n) {
		if bits.OnesCount(uint(some)) != n+1 {
			continue
		}
		var who []int
		for w := range 1 << n {
			if some>>w&1 == 1 {
				who = append(who, w)
			}
		}
		a := make([][]float64, n+1) // rows: P(voter i is right), and all together; last column: what they must be
		for i := range a {
			for _, w := range who {
				x := 1.0
				if i < n {
					x = float64(w >> i & 1)
				}
				a[i] = append(a[i], x)
			}
			a[i] = append(a[i], append(p[:n:n], 1)[i])
		}
		total := 0.0
		for k, x := range solved(a) {
			if !(x >= -1e-12) { // NaN: no vertex
				total = math.Inf(1)
			}
			if 2*bits.OnesCount(uint(who[k])) > n {
				total += sign * x
			}
		}
		least = min(least, total)
	}
	return least
}

// solved solves linear equations by elimination, the right-hand sides in the last column; NaN if they have no one solution.
func solved(a [][]float64) []float64 {
	n := len(a)
	x := make([]float64, n)
	for k := range n {
		top := k
		for i := k; i < n; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[top][k]) {
				top = i
			}
		}
		if math.Abs(a[top][k]) < 1e-9 {
			return []float64{math.NaN()}
		}
		a[k], a[top] = a[top], a[k]
		for i := range n {
			if f := a[i][k] / a[k][k]; i != k {
				for j := k; j <= n; j++ {
					a[i][j] -= f * a[k][j]
				}
			}
		}
	}
	for k := range n {
		x[k] = a[k][n] / a[k][k]
	}
	return x
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
