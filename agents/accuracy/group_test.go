package accuracy_test

import (
	"math"
	"testing"

	"achilles/agents/accuracy"
)

// TestGroupMean checks Mean against the closed form for one member, and against an integral by hand for two members who
// both must be right: for these the probability is a sum of exponentials of the difficulty.
func TestGroupMean(t *testing.T) {
	task := accuracy.Task{Answers: 4}
	got, ok := single.Mean(30, task)
	near(t, "one", got, accuracy.Mean(0, 30, 12.0094, task), 1e-12)
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
