package generate_test

import (
	"math"
	"reflect"
	"testing"

	"achilles/battery/bib"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/scenario"
)

// TestMixedChoices checks that actors take the other object in familiarisation trials as often as the design says, in trials that tests do not
// repeat, and that outcomes of tests, and tasks that do not need the preference, stay as they are.
func TestMixedChoices(t *testing.T) {
	const chance, episodes = 0.3, 48
	for _, c := range []struct {
		task bib.Task
		free int // number of trials that are drawn
	}{{bib.Preference, 7}, {bib.MultiAgent, 8}, {bib.InaccessibleGoal, 0}} {
		made := func(mixed ...float64) []bib.Episode {
			return generatetest.Episodes(t, scenario.Episodes{Design: bib.Design{Episodes: episodes, Tasks: []bib.Task{c.task}, Motion: bib.Ideal, Mixed: mixed}}, 503)
		}
		others, different := 0, 0
		plain := made()
		for i, e := range made(chance) {
			for k := range e.Expected.Familiarisation {
				s := show(&e.Expected.Familiarisation[k])
				if len(s.Scene.Objects) == 2 && touches(s.end(), s.object(1)) {
					others++
				}
			}
			if x, u := show(&e.Expected.Test), show(&e.Unexpected.Test); c.task == bib.Preference && (!touches(x.end(), x.object(0)) || !touches(u.end(), u.object(1))) {
				t.Errorf("%s, episode %d: outcomes do not end where they should", c.task, i)
			}
			if !samePath(show(&e.Expected.Test), show(&plain[i].Expected.Test)) {
				different++
			}
		}
		// Four standard deviations: a false alarm in 16,000 tests of a task.
		if mean, sd := chance*episodes*float64(c.free), math.Sqrt(chance*(1-chance)*episodes*float64(c.free)); math.Abs(float64(others)-mean) > 4*sd {
			t.Errorf("%s: the other object in %d of %d trials, want %.0f ± %.0f", c.task, others, 8*episodes, mean, sd)
		}
		if c.free == 0 && different > 0 || different > episodes/3 {
			t.Errorf("%s: the tests of %d of %d episodes changed", c.task, different, episodes)
		}
	}
}

// TestLevelsTakeTurns checks that dozens of episodes have the levels of mixed in turn, each episode as if its level were the only one,
// and that labels say which, where there are several.
func TestLevelsTakeTurns(t *testing.T) {
	made := func(mixed ...float64) []bib.Episode {
		return generatetest.Episodes(t, scenario.Episodes{Design: bib.Design{Episodes: 36, Tasks: []bib.Task{bib.MultiAgent}, Motion: bib.Ideal, Mixed: mixed}}, 503)
	}
	levels := []float64{0.4, 0}
	both := made(levels...)
	for k, q := range levels {
		for i, e := range made(q) {
			if i/12%2 != k {
				continue
			}
			if got := both[i]; got.Mixed == nil || *got.Mixed != q || e.Mixed != nil || !reflect.DeepEqual(got.Expected, e.Expected) || !reflect.DeepEqual(got.Unexpected, e.Unexpected) {
				t.Errorf("episode %d is not that of level %v, or its label says %v", i, q, got.Mixed)
			}
		}
	}
}
