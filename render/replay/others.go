package replay

import (
	"fmt"

	"achilles/gridworld"
)

// An Other is what another subject did on the same trial of the same item.
type Other struct {
	Subject string // as rows name it
	Outcome string
	Path    []gridworld.Pos // by tick
}

// mostOthers is the largest number of other subjects whose paths an episode has.
const mostOthers = 40

// others adds to an episode what other subjects did on its trial: how many took and passed it, and the paths of the first in the order of the rows, at
// most mostOthers of them.
func (a *Archive) others(e *Episode) error {
	for i := range a.acts.Len() {
		k := a.keys[i]
		if k.Item != e.Key.Item || k.Trial != e.Key.Trial || k.Repetition != e.Key.Repetition || k.Subject == e.Key.Subject {
			continue
		}
		e.Took++
		if a.Rows[i].Outcome == OutcomePassed {
			e.Passed++
		}
		if len(e.Others) == mostOthers {
			continue
		}
		t, err := a.acts.At(i)
		if err != nil {
			return err
		}
		tr, err := replay(e.Trajectory.text, t, nil)
		if err != nil {
			return fmt.Errorf("episode of %s: %w", k, err)
		}
		e.Others = append(e.Others, Other{Subject: a.Rows[i].Subject, Outcome: a.Rows[i].Outcome, Path: tr.Path()})
	}
	return nil
}
