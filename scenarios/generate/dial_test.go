package generate_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"achilles/battery/bib"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/scenario"
	"achilles/sim/record"
)

// TestMixedChoices checks that actors take the other object in familiarisation trials as often as the design says, in trials that tests do not
// repeat, and that outcomes of tests, and tasks that do not need the preference, stay as they are.
func TestMixedChoices(t *testing.T) {
	const chance, episodes = 0.3, 48
	for _, c := range []struct {
		task bib.Task
		free int // number of trials that are drawn
	}{{bib.Preference, 7}, {bib.MultiAgent, 8}, {bib.InaccessibleGoal, 0}} {
		made := func(dials ...bib.Dial) []bib.Episode {
			return generatetest.Episodes(t, scenario.Episodes{Design: bib.Design{Episodes: episodes, Tasks: []bib.Task{c.task}, Motion: bib.Ideal, Dials: dials}}, 503)
		}
		others, different := 0, 0
		plain := made()
		for i, e := range made(bib.Dial{Mixed: chance}) {
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

// TestDialsTakeTurns checks that dozens of episodes have the dials of a design in turn, each episode as if its dial were the only one,
// and that labels say which.
func TestDialsTakeTurns(t *testing.T) {
	made := func(dials ...bib.Dial) []bib.Episode {
		return generatetest.Episodes(t, scenario.Episodes{Design: bib.Design{Episodes: 24, Tasks: []bib.Task{bib.MultiAgent}, Motion: bib.Ideal, Dials: dials}}, 503)
	}
	dials := []bib.Dial{{Mixed: 0.4, Trials: 3}, {Distractors: 1}}
	both := made(dials...)
	for k, q := range dials {
		for i, e := range made(q) {
			if i/12%2 == k && !reflect.DeepEqual(both[i], e) {
				t.Errorf("episode %d is not that of dial %+v: its label says %+v", i, q, both[i].Dial)
			}
		}
	}
}

// TestDialsKeepLayouts checks what each dial changes and what it leaves: fewer trials are some of all of them, in order; distractors are
// objects at places that nobody comes near, the same in both outcomes, in no fixed place of the list; noise leaves tests alone where
// actors choose; and a hidden end is a walk that stops short of all objects, in its last frame.
func TestDialsKeepLayouts(t *testing.T) {
	for _, task := range []bib.Task{bib.Preference, bib.InaccessibleGoal, bib.ConstrainedPreference} {
		made := func(d ...bib.Dial) []bib.Episode {
			return generatetest.Episodes(t, scenario.Episodes{Design: bib.Design{Episodes: 6, Tasks: []bib.Task{task}, Dials: d}}, 503)
		}
		plain := made()
		for i, e := range made(bib.Dial{Trials: 3}) {
			at := -1
			for _, f := range e.Expected.Familiarisation {
				next := slices.IndexFunc(plain[i].Expected.Familiarisation, func(g record.SceneTrial) bool { return reflect.DeepEqual(f, g) })
				if next <= at {
					t.Errorf("%s, episode %d: a trial that is not one of all, or out of order", task, i)
				}
				at = next
			}
			if len(e.Expected.Familiarisation) != 3 || !reflect.DeepEqual(e.Expected.Test, plain[i].Expected.Test) {
				t.Errorf("%s, episode %d: %d trials, or another test", task, i, len(e.Expected.Familiarisation))
			}
		}
		other := 0
		for i, e := range made(bib.Dial{Noise: 1, Hidden: 0.5}) {
			if !reflect.DeepEqual(e.Expected.Test, plain[i].Expected.Test) || !reflect.DeepEqual(e.Unexpected.Test, plain[i].Unexpected.Test) {
				other++ // a layout in which a noisy walk has no room is drawn anew
			}
			for k := range e.Expected.Familiarisation {
				s := show(&e.Expected.Familiarisation[k])
				n := len(s.Path)
				if s.Path[n-1] == s.Path[n-2] || slices.ContainsFunc(s.Scene.Objects, func(o record.Shape) bool { return touches(s.end(), centre(o)) }) {
					t.Errorf("%s, episode %d, trial %d: an end that is shown", task, i, k)
				}
			}
		}
		if other > 2 && task != bib.InaccessibleGoal {
			t.Errorf("%s: the tests of %d of 6 episodes changed with noise", task, other)
		}
		if task == bib.ConstrainedPreference {
			continue
		}
		first := map[string]bool{}
		for i, e := range made(bib.Dial{Distractors: 2}) {
			if len(e.Expected.Test.Scene.Objects) != 4 || !reflect.DeepEqual(e.Expected.Test.Scene.Objects, e.Unexpected.Test.Scene.Objects) || !reflect.DeepEqual(e.Expected.Test.Path, plain[i].Expected.Test.Path) {
				t.Errorf("%s, episode %d: the tests have %d objects, or other walks", task, i, len(e.Expected.Test.Scene.Objects))
			}
			old := plain[i].Expected.Test.Scene.Objects
			first[fmt.Sprint(slices.ContainsFunc(old, func(o record.Shape) bool { return o.Icon == e.Expected.Test.Scene.Objects[0].Icon }))] = true
		}
		if len(first) != 2 {
			t.Errorf("%s: distractors are always listed last, or always first", task)
		}
	}
}

// TestNats checks log odds worked by hand. After eight choices of nine they are log 9 in preference; with two distractors 1 of 4
// stands against 9 of 12 and 1 of 12; after two trials log 3. In inaccessible_goal the expected outcome is certain. With the end hidden
// they are less than when it is shown, and more if less is hidden.
func TestNats(t *testing.T) {
	made := func(task bib.Task, d bib.Dial) []bib.Episode {
		return generatetest.Episodes(t, scenario.Episodes{Design: bib.Design{Episodes: 6, Tasks: []bib.Task{task}, Dials: []bib.Dial{d}}}, 503)
	}
	for _, c := range []struct {
		task bib.Task
		dial bib.Dial
		want [2]float64 // of even and of odd episodes
	}{
		{bib.Preference, bib.Dial{}, [2]float64{math.Log(9), math.Log(9)}},
		{bib.Preference, bib.Dial{Trials: 2, Distractors: 2}, [2]float64{math.Log(3), math.Log(3)}},
		{bib.MultiAgent, bib.Dial{Distractors: 2}, [2]float64{math.Log(9. / 12 * 4), math.Log(12. / 4)}},
		{bib.InaccessibleGoal, bib.Dial{}, [2]float64{math.Log(10), math.Log(10)}},
		{bib.ConstrainedPreference, bib.Dial{}, [2]float64{math.Log(4), math.Log(4)}},
	} {
		for i, e := range made(c.task, c.dial) {
			if e.Nats == nil || math.Abs(*e.Nats-c.want[i%2]) > 1e-9 {
				t.Errorf("%s, %+v, episode %d: %v nats, want %v", c.task, c.dial, i, e.Nats, c.want[i%2])
			}
		}
	}
	for _, e := range made(bib.EfficiencyTime, bib.Dial{Trials: 2}) {
		if e.Nats != nil {
			t.Errorf("%v nats of a walk that no rational actor makes", *e.Nats)
		}
	}
	sum := map[float64]float64{}
	for _, hidden := range []float64{0, 0.5, 0.9} {
		for _, e := range made(bib.Preference, bib.Dial{Noise: 2, Hidden: hidden}) {
			sum[hidden] += *e.Nats / 6
		}
	}
	if !(sum[0] > sum[0.5] && sum[0.5] > sum[0.9] && sum[0.9] > 0) {
		t.Errorf("mean nats by what is hidden are %v", sum)
	}
}

// TestUnderway checks episodes of inaccessible_goal that hide where the actor goes: both outcomes have the same walk, which touches nothing;
// in every other two it is as expected where nothing encloses an object. The chance of what is seen, over all that could be seen, is 1: so
// the mean of e^−nats is at most 1 in the former, 10/9 in the latter, where the ideal observer gives the preferred object 9 of 10. It
// is more sure if less is hidden. Means of 48 may be twice as large by chance.
func TestUnderway(t *testing.T) {
	made := func(d bib.Dial) []bib.Episode {
		return generatetest.Episodes(t, scenario.Episodes{Design: bib.Design{Episodes: 96, Tasks: []bib.Task{bib.InaccessibleGoal}, Dials: []bib.Dial{d}}}, 504)
	}
	nats := map[float64]float64{}
	for _, hidden := range []float64{0.5, 0.9} {
		var odds [2]float64
		for i, e := range made(bib.Dial{Noise: 4, Hidden: hidden}) {
			kind := i / 2 % 2
			if !reflect.DeepEqual(e.Expected.Test.Path, e.Unexpected.Test.Path) {
				t.Fatalf("episode %d: two walks", i)
			}
			if shut := len(e.Expected.Test.Scene.Walls) > len(e.Unexpected.Test.Scene.Walls); shut != (kind == 0) {
				t.Fatalf("episode %d: an object is enclosed where that is expected: %v", i, shut)
			}
			s := show(&e.Expected.Test)
			if slices.ContainsFunc(s.Scene.Objects, func(o record.Shape) bool { return touches(s.end(), centre(o)) }) {
				t.Errorf("episode %d: the end is shown", i)
			}
			odds[kind] += math.Exp(-*e.Nats) / 48
			nats[hidden] += *e.Nats / 96
		}
		if odds[0] > 2 || odds[1] > 2 {
			t.Errorf("hidden %v: mean odds against what is expected %v", hidden, odds)
		}
	}
	if !(nats[0.5] > nats[0.9] && nats[0.9] > 0) {
		t.Errorf("mean nats by what is hidden: %v", nats)
	}
}
