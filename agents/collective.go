package agents

import (
	"errors"
	"fmt"

	"achilles/agents/accuracy"
)

// A Collective is a group of subjects that respond as one: each takes the battery alone, and a rule combines their
// answers. If an item is not a question, the members vote on whether the collective passes it.
type Collective struct {
	Members []string      `json:"members"` // names of subjects that are not collectives; a name may occur several times
	Rule    accuracy.Rule `json:"rule"`
	Weights []float64     `json:"weights,omitempty"` // for a weighted vote: one per member, not negative
}

// Check returns an error if a collective has no members, or weights that do not fit members and rule.
func (c *Collective) Check() error {
	switch {
	case len(c.Members) == 0:
		return errors.New("it has no members")
	case c.Rule != accuracy.WeightedVote && c.Weights != nil:
		return fmt.Errorf("only the rule %q weighs members", accuracy.WeightedVote)
	case c.Rule != accuracy.WeightedVote:
		return nil
	case len(c.Weights) != len(c.Members):
		return fmt.Errorf("%d weights for %d members", len(c.Weights), len(c.Members))
	}
	total := 0.0
	for _, w := range c.Weights {
		if !(w >= 0) {
			return fmt.Errorf("weight %v is negative", w)
		}
		total += w
	}
	if total == 0 {
		return errors.New("all weights are 0")
	}
	return nil
}
