package accuracy_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"achilles/agents/accuracy"
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

// TestInverses checks that Hardest and Needed recover the difficulty and the ability from the result of Chance. It allows an
// error of 1e-12 plus what the rounding error of Chance causes.
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
		"a mean over nothing":               {accuracy.Mean(9, 9, 5, task), accuracy.Chance(task, 5)},
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
	near(t, "mean", accuracy.Mean(low, high, a, accuracy.Task{Answers: m}), sum/(3*n), 1e-12)
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
