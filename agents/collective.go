package agents

import (
	"errors"
	"fmt"

	"achilles/agents/accuracy"
)

// A Collective is subjects that respond as one: each takes the battery by itself, and a rule makes one answer of theirs.
// Where items ask nothing, the members vote on whether the item is passed.
type Collective struct {
	Members []string      `json:"members"` // names of subjects that are no collectives; one may stand several times
	Rule    accuracy.Rule `json:"rule"`
	Weights []float64     `json:"weights,omitempty"` // of a weighted vote, by member
}

// Check says what is wrong with a collective: no members, or weights that do not fit members and rule.
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
