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

// others returns what other subjects did on the trial of an episode, in the order of the rows, at most mostOthers of them.
func (a *Archive) others(e *Episode) (out []Other, err error) {
	for i := range a.acts.Len() {
		k := a.keys[i]
		if k.Item != e.Key.Item || k.Trial != e.Key.Trial || k.Repetition != e.Key.Repetition || k.Subject == e.Key.Subject || len(out) == mostOthers {
			continue
		}
		t, err := a.acts.At(i)
		if err != nil {
			return nil, err
		}
		tr, err := replay(e.Trajectory.text, t, nil)
		if err != nil {
			return nil, fmt.Errorf("episode of %s: %w", k, err)
		}
		out = append(out, Other{Subject: a.Rows[i].Subject, Outcome: a.Rows[i].Outcome, Path: tr.Path()})
	}
	return out, nil
}
