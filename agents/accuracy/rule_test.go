package accuracy_test

import (
	"math"
	"slices"
	"testing"

	"achilles/agents/accuracy"
	"achilles/sim/rng"
)

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
// elects an answer that all members give, and that a group of nine, each right with probability 0.5, is right about as
// often as by a plurality vote. For the other rules it compares Simulate with Exact.
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
