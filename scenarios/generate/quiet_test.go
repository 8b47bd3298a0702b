package generate_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"achilles/agents/embodied"
	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

// TestBodiesActAsTickByTick checks that bodies whose held ticks, and ticks after they have given up, are passed over do what the same
// bodies do that are asked at every tick.
func TestBodiesActAsTickByTick(t *testing.T) {
	items := 30
	if longtest.On() {
		items = 150
	}
	n := fmt.Sprint("battery.items=", items)
	for name, settings := range map[string][]string{
		"embodied": {n, "responses.repetitions=2"}, "quickstart-bodies": nil, "tradeoffs": {n}, "permanence": {n}, "radial": {n}, "physical": {n}, "deficits": {n}, "learners": {n}, "imitators": {n},
	} {
		sameAsTickByTick(t, name, open(t, name, settings...))
	}
	for _, of := range [][2]string{{"permanence", "paradigms"}, {"permanence", "comparative"}, {"permanence", "physical"}, {"opiaagets", "worlds"}} {
		sameAsTickByTick(t, fmt.Sprint(of), goals(t, of[0], of[1], items))
	}
}

// goals returns a scenario with bodies of every goal, some of which forget where a reward is while they stand still.
func goals(t *testing.T, suite, coding string, items int) *scenario.Scenario {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "name = \"goals\"\nseed = 1\n[battery]\nsuite = %q\ncoding = %q\nitems = %d\n", suite, coding, items)
	for _, goal := range embodied.Goals() {
		for i, lost := range embodied.Fallbacks() {
			fmt.Fprintf(&text, "[[agent]]\nname = \"%s %d\"\nbody = { goal = %q, lost = %q, memory = %v }\n", goal, i, goal, lost, []float64{0.4, 1.44, 3}[i%3])
		}
	}
	s, err := scenario.Parse("goals.toml", text.String())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sameAsTickByTick runs a scenario of bodies, and compares its episodes with those of bodies that are asked at every tick.
func sameAsTickByTick(t *testing.T, name string, s *scenario.Scenario) {
	t.Helper()
	c := generate.Config{Seed: 7}
	out := run(t, s, c)
	want, passes := generate.TickByTick(t, s, c)
	passed := map[string]bool{}
	key := func(subject, item, trial, repetition int) string { return fmt.Sprint(subject, item, trial, repetition) }
	for r := range out.All() {
		passed[key(r.Subject, r.Item, r.Trial, r.Repetition)] = r.Value == 1
	}
	got := map[string]generate.Episode{}
	for _, e := range generate.Acted(t, out) {
		got[key(e.Subject, e.Item, e.Trial, e.Repetition)] = e
	}
	for i, e := range want {
		k := key(e.Subject, e.Item, e.Trial, e.Repetition)
		if got[k] != e || passed[k] != passes[i] {
			t.Fatalf("%s: %+v, passed %v, and tick by tick %+v, %v", name, got[k], passed[k], e, passes[i])
		}
	}
	if len(got) != len(want) || len(want) == 0 {
		t.Errorf("%s: %d episodes, %d tick by tick", name, len(got), len(want))
	}
}

// TestTrajectoriesOfAllTicks checks, in random worlds and for random moves with long stays, that a trajectory is the same whether
// the ticks at which nothing can happen are replayed or not.
func TestTrajectoriesOfAllTicks(t *testing.T) {
	expired := 0
	n := 1000
	if longtest.On() {
		n = 3000
	}
	for i := range n {
		mode := []gridworld.Mode{gridworld.Turning, gridworld.Eight}[i%2]
		r := rng.Stream(1, "trajectories of all ticks", fmt.Sprint(i))
		w := gridtest.Random(&r, mode, 9, i%4 < 2)
		var moves []gridworld.Action
		stay := r.IntN(40)
		for v := w.Clone(); v.Outcome() == gridworld.Running && len(moves) < 150; {
			a := gridworld.Stay
			if stay--; stay < 0 {
				if a = gridworld.Action(r.IntN(gridworld.Actions)); r.IntN(6) == 0 {
					stay = r.IntN(200)
				}
			}
			v.Step(a)
			if moves = append(moves, a); v.Outcome() == gridworld.TimedOut {
				expired++
			}
		}
		got, want := generate.Trajectory(t, w, moves, false), generate.Trajectory(t, w, moves, true)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("world %d:\n%s\nmoves %v\n%+v\nof all ticks\n%+v", i, w, moves, got, want)
		}
	}
	if expired < n/6 {
		t.Errorf("only %d episodes ran out of time, so that the test shows too little", expired)
	}
}
