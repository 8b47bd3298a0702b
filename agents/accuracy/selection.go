package accuracy

import (
	"achilles/sim/rng"
)

// A Selection asks which agent or group is the cheapest that answers every task right often enough.
type Selection struct {
	Accuracy   float64     // the chance that every task needs
	Tasks      []NamedTask // what is to be answered
	Candidates []Candidate
	To         float64 // up to which difficulty crossings are looked for
}

// A NamedTask is a Task with a name.
type NamedTask struct {
	Name string
	Task
}

// A Candidate is an agent or a group and what it costs.
type Candidate struct {
	Group
	Cost float64
}

// An Assessment is what a Candidate can do.
type Assessment struct {
	Chance []float64 // by task
	Error  []float64 // standard errors where the chances are simulated; nil: they are exact
	Least  float64   // of the chances
	Enough bool      // Least reaches the accuracy that is asked for
}

// elections is how many a chance without closed form is simulated by: its standard error is 0.0016 at most.
const elections = 100_000

// Assess returns what every candidate can do, and which is chosen: the cheapest that is good enough, of several the one
// with the largest least chance, then the first; −1 where none is. Root names the streams of simulations.
func (s *Selection) Assess(root uint64) (list []Assessment, chosen int) {
	chosen = -1
	for i := range s.Candidates {
		c := &s.Candidates[i]
		a := c.assess(s, root)
		if a.Enough && (chosen < 0 || c.Cost < s.Candidates[chosen].Cost || c.Cost == s.Candidates[chosen].Cost && a.Least > list[chosen].Least) {
			chosen = i
		}
		list = append(list, a)
	}
	return list, chosen
}

func (c *Candidate) assess(s *Selection, root uint64) Assessment {
	a := Assessment{Least: 1}
	for _, t := range s.Tasks {
		x, ok := c.Chance(t.Task)
		if !ok {
			p := c.chances(t.Task)
			var se float64
			x, se = c.Rule.Simulate(p, c.weights(p), t.Answers, elections, rng.Stream(root, "select", c.Name, t.Name))
			a.Error = append(a.Error, se)
		}
		a.Chance = append(a.Chance, x)
		a.Least = min(a.Least, x)
	}
	// A chance that is reached exactly may be a rounding error short of it.
	a.Enough = a.Least >= s.Accuracy-1e-12
	return a
}

// LeastAbility returns the ability that an agent of one component needs for all tasks: the largest that one of them
// needs.
func (s *Selection) LeastAbility() float64 {
	most := 0.0
	for _, t := range s.Tasks {
		most = max(most, Needed(s.Accuracy, t.Task))
	}
	return most
}
