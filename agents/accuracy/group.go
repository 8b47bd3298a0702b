package accuracy

import (
	"math"
	"slices"
)

// A Group is members that answer together.
type Group struct {
	Name    string
	Members []Ability
	Rule    Rule
	Weights []float64 // of WeightedVote, by member; nil: Optimal ones for the task
}

// Chance returns the chance that the group answers a task right. It returns false where no closed form is known.
func (g *Group) Chance(t Task) (float64, bool) {
	p := g.chances(t)
	return g.Rule.Exact(p, g.weights(p), t.Answers)
}

func (g *Group) chances(t Task) []float64 {
	p := make([]float64, len(g.Members))
	for i, a := range g.Members {
		p[i] = Chance(t, a.For(t.Weights))
	}
	return p
}

func (g *Group) weights(p []float64) []float64 {
	if g.Rule == WeightedVote && g.Weights == nil {
		return Optimal(p)
	}
	return g.Weights
}

// farthest is the difficulty, in units of the best member's ability, from which on everybody guesses: e^−40 < 1e−17.
const farthest = 40

func (g *Group) farthest() float64 {
	best := 0.0
	for _, a := range g.Members {
		best = max(best, slices.Max(a))
	}
	return farthest * best
}

// Hardest returns the difficulty up to which the group is right with at least chance p on tasks that are like t but for
// their difficulty, to 1e-9; +Inf where guesses reach p too. It returns false where no closed form is known.
func (g *Group) Hardest(p float64, t Task) (float64, bool) {
	reaches := func(d float64) bool {
		x, _ := g.Chance(t.at(d))
		return x >= p
	}
	if _, ok := g.Chance(t); !ok || math.IsNaN(p) || p > 1 {
		return math.NaN(), ok
	}
	low, high := 0.0, g.farthest()
	if reaches(high) {
		return math.Inf(1), true
	}
	return bisect(low, high, reaches), true
}

// Crossings returns the difficulties in (0, to] at which one of two groups comes to be right more often than the other
// was, on tasks that are like t but for their difficulty: to 1e-9, in ascending order. Groups that cross and cross back
// within to/4000 are not seen to. It returns false where no closed form is known.
func Crossings(a, b *Group, t Task, to float64) ([]float64, bool) {
	ok := true
	lead := func(d float64) float64 {
		x, okA := a.Chance(t.at(d))
		y, okB := b.Chance(t.at(d))
		ok = ok && okA && okB
		if math.Abs(x-y) < 1e-12 {
			return 0 // equal, or both guess
		}
		return x - y
	}
	const steps = 4000
	var at []float64
	last, lastLead := 0.0, 0.0
	for i := 1; i <= steps && ok; i++ {
		d := to * float64(i) / steps
		l := lead(d)
		if l == 0 {
			continue
		}
		if lastLead*l < 0 {
			at = append(at, bisect(last, d, func(x float64) bool { return lead(x)*lastLead > 0 }))
		}
		last, lastLead = d, l
	}
	return at, ok
}

// bisect returns where before stops to hold between low, where it does, and high, where it does not.
func bisect(low, high float64, before func(x float64) bool) float64 {
	for high-low > 1e-9*max(1, low) {
		if mid := (low + high) / 2; before(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}
