package accuracy

import (
	"math"
)

// A Group has members that give one answer together.
type Group struct {
	Name    string
	Members []Ability
	Rule    Rule
	Weights []float64 // for WeightedVote, one per member; nil: the result of Optimal for each task
}

// Chance returns the probability that the group answers a task right. The second result is false if no closed form is
// known.
func (g *Group) Chance(t Task) (float64, bool) {
	p := g.chances(t)
	return g.Rule.Exact(p, g.weights(p), t.Answers)
}

func (g *Group) chances(t Task) []float64 {
	p := make([]float64, len(g.Members))
	for i, a := range g.Members {
		p[i] = Chance(t, t.counts(a))
	}
	return p
}

func (g *Group) weights(p []float64) []float64 {
	if g.Rule == WeightedVote && g.Weights == nil {
		return Optimal(p)
	}
	return g.Weights
}

// farthest is a difficulty, in units of the best member's ability, from which on all members only guess: e^−40 < 1e−17.
const farthest = 40

func (g *Group) farthest(t Task) float64 {
	best := 0.0
	for _, a := range g.Members {
		best = max(best, t.counts(a))
	}
	return farthest * best
}

// Hardest returns the largest difficulty, to 1e-9, at which the group is right with probability p or more on tasks that
// otherwise equal t. It is +Inf if a group that only guesses reaches p. The second result is false if no closed form is
// known.
func (g *Group) Hardest(p float64, t Task) (float64, bool) {
	reaches := func(d float64) bool {
		x, _ := g.Chance(t.at(d))
		return x >= p
	}
	if _, ok := g.Chance(t); !ok || math.IsNaN(p) || p > 1 {
		return math.NaN(), ok
	}
	low, high := 0.0, g.farthest(t)
	if reaches(high) {
		return math.Inf(1), true
	}
	return bisect(low, high, reaches), true
}

// Mean returns the probability that the group is right, averaged over the difficulties from 0 to `to`, on tasks that
// otherwise equal t: in closed form for a single member, by Simpson's rule for groups. The second result is false if no
// closed form of the probability is known.
func (g *Group) Mean(to float64, t Task) (float64, bool) {
	if len(g.Members) == 1 {
		return Mean(0, to, t.counts(g.Members[0]), t), true
	}
	const steps = 400
	sum := 0.0
	for i := range steps + 1 {
		x, ok := g.Chance(t.at(to * float64(i) / steps))
		if !ok {
			return math.NaN(), false
		}
		switch {
		case i == 0 || i == steps:
			sum += x
		case i%2 == 1:
			sum += 4 * x
		default:
			sum += 2 * x
		}
	}
	return sum / (3 * steps), true
}

// A Crossing compares two groups: First is right more often up to the difficulty At[0], Second from there to At[1], and so
// on in turn.
type Crossing struct {
	First, Second int       // indices of the groups
	At            []float64 // difficulties, ascending
}

// Crossings returns the crossings of groups at difficulties in (0, to], on tasks that otherwise equal t, in the order
// of the groups. The difficulties have errors of at most 1e-9. It misses two crossings of the same groups that are less
// than to/4000 apart, or to/400 if a group has more than 40 members. It leaves out groups whose probability to be right
// has no closed form.
func Crossings(groups []*Group, t Task, to float64) (list []Crossing) {
	steps := 4000
	for _, g := range groups {
		if len(g.Members) > 40 {
			steps = 400
		}
	}
	curves := make([][]float64, len(groups))
	for i, g := range groups {
		if _, ok := g.Chance(t); !ok {
			continue
		}
		for k := range steps + 1 {
			x, _ := g.Chance(t.at(to * float64(k) / float64(steps)))
			curves[i] = append(curves[i], x)
		}
		for j := range i {
			if c, ok := cross(groups[j], groups[i], curves[j], curves[i], t, to); ok {
				c.First, c.Second = [2]int{j, i}[c.First], [2]int{j, i}[c.Second]
				list = append(list, c)
			}
		}
	}
	return list
}

// cross returns where two groups cross. x and y are the probabilities that a and b are right, at equal steps of difficulty
// from 0 to `to`. ok is false if they do not cross.
func cross(a, b *Group, x, y []float64, t Task, to float64) (c Crossing, ok bool) {
	lead := func(x, y float64) float64 {
		if math.Abs(x-y) < 1e-12 {
			return 0 // equally good, or both only guess
		}
		return x - y
	}
	last, lastLead := 0, 0.0
	for k := 1; k < min(len(x), len(y)); k++ {
		l := lead(x[k], y[k])
		if l == 0 {
			continue
		}
		if lastLead == 0 && l < 0 {
			c.First, c.Second = 1, 0
		} else if lastLead == 0 {
			c.First, c.Second = 0, 1
		}
		if lastLead*l < 0 {
			at := func(k int) float64 { return to * float64(k) / float64(len(x)-1) }
			c.At = append(c.At, bisect(at(last), at(k), func(d float64) bool {
				p, _ := a.Chance(t.at(d))
				q, _ := b.Chance(t.at(d))
				return lead(p, q)*lastLead > 0
			}))
		}
		last, lastLead = k, l
	}
	return c, len(c.At) > 0
}

// bisect returns the point between low and high at which `before` changes from true to false, to 1e-9. It must be true at
// low and false at high.
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
