package cli

import (
	"sync"

	"achilles/infer/adaptive"
	taking "achilles/scenarios/adaptive"
	"achilles/scenarios/scenario"
)

// choosing says how items are chosen for the subjects of a scenario: by its section adaptive, the layout that measures its
// subjects, and its bank.
func choosing(a *app, s *scenario.Scenario) (taking.Choice, error) {
	c := taking.Choice{Settings: adaptive.Settings(*s.Adaptive)}
	var err error
	if c.Layout, err = a.layout(s.Inference.Text("layout")); err != nil {
		return c, err
	}
	c.Bank, err = readBank(s.Inference.Text(s.Inference.Renamed("candidates", "bank")))
	return c, err
}

// stops has the largest posterior SD of each subject that took all its items and did not get below adaptive.sd.
type stops struct {
	mutex         sync.Mutex
	n             int
	lowest, worst float64
}

func (s *stops) add(sd float64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.n++; s.n == 1 {
		s.lowest, s.worst = sd, sd
	}
	s.lowest, s.worst = min(s.lowest, sd), max(s.worst, sd)
}

// note says how many subjects did not reach the SD that was wanted, if any, and what they reached.
func (s *stops) note(a *app, of *scenario.Scenario) {
	if s != nil && s.n > 0 {
		a.note("warning: adaptive.sd = %v was not reached within %d items by %d subjects: the posterior SD of their least precisely estimated capability is %.2f to %.2f of its range; raise adaptive.sd or adaptive.items", of.Adaptive.SD, of.Adaptive.Items, s.n, s.lowest, s.worst)
	}
}
