package accuracy

import (
	"achilles/sim/rng"
)

// A Selection asks for the cheapest agent or group that answers every task right often enough.
type Selection struct {
	Accuracy   float64     // least probability of a right answer that is required in every task
	Tasks      []NamedTask // the tasks to be answered
	Candidates []Candidate
	Classes    []Class // of unknown difficulty
	To         float64 // largest difficulty at which crossings are searched for (Crossings)
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

// An Assessment says how often a Candidate answers right.
type Assessment struct {
	Chance []float64 // probability of a right answer, by task
	Error  []float64 // standard errors of the simulated elements of Chance; nil: all are exact
	Least  float64   // smallest element of Chance
	Enough bool      // Least is at least the accuracy that is asked for
}

// elections is the number of simulated elections for a probability without closed form. The standard error is then at most
// 0.5/√elections = 0.0016.
const elections = 100_000

// Assess returns the Assessment of every candidate, and the index of the best candidate: the cheapest of those that
// have Enough. Of equally cheap candidates it is the one with the largest Least, and of these the first. The index is
// −1 if none has Enough. root is the seed of simulations.
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
	// 1e-12 allows for rounding, which may put a probability just below an accuracy that it equals.
	a.Enough = a.Least >= s.Accuracy-1e-12
	return a
}

// LeastAbility returns the ability that an agent with a single ability needs for all tasks: the largest of the
// abilities that the tasks need one by one.
func (s *Selection) LeastAbility() float64 {
	most := 0.0
	for _, t := range s.Tasks {
		most = max(most, Needed(s.Accuracy, t.Task))
	}
	return most
}
