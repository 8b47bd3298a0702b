package trial_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/render/palette"
	"achilles/render/play"
	"achilles/render/study/trial"
	"achilles/sim/rng"
)

// take takes a practice trial whose reward falls into a hole, by actions separated by spaces after those while the actor is held.
func take(t *testing.T, hole int, actions string) *trial.Trial {
	t.Helper()
	x, err := trial.Open(trial.Pack(play.PracticeWorld(gridworld.Turning, hole)))
	if err != nil {
		t.Fatal(err)
	}
	for range x.Frame().Held {
		if err := x.Step("stay"); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range strings.Fields(actions) {
		if err := x.Step(a); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

// TestPlaces checks, on the practice trial, that the first place that was visited is known: a wrong hole first is wrong, whatever
// follows, and the hole with the reward is right.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		hole                   int
		actions                string
		first, outcome         string
		trapped, over, blocked bool
	}{
		{2, "right forward forward left forward forward forward forward", trial.Right, "finished", false, true, false},
		{2, "left forward right forward forward forward forward", trial.Wrong, "running", true, false, false},
		{1, "left forward right forward forward forward forward", trial.Right, "finished", false, true, false},
		{2, "right forward", "", "running", false, false, false},
		{2, "right forward forward forward forward forward forward forward", "", "running", false, false, true}, // into the wall
		{0, "", "", "running", false, false, false},
	} {
		x := take(t, c.hole, c.actions)
		f := x.Frame()
		if f.First != c.first || f.Outcome != c.outcome || f.Trapped != c.trapped || x.Over() != c.over || x.Passed() != (c.outcome == "finished") || f.Blocked != c.blocked || f.Held != 0 || f.Limit != 60 || f.Move != "turning" {
			f.SVG = ""
			t.Errorf("%d, %q: %+v", c.hole, c.actions, f)
		}
	}
	if f := take(t, 2, "stay stay").Frame(); f.Tick != 11 || f.Dark {
		t.Errorf("the tick is %d", f.Tick)
	}
}

// TestHiddenIsNotDrawn checks that the picture has the reward while it is seen, and not when it lies in a hole.
func TestHiddenIsNotDrawn(t *testing.T) {
	x, err := trial.Open(trial.Pack(play.PracticeWorld(gridworld.Turning, 2)))
	if err != nil {
		t.Fatal(err)
	}
	ball := "#" + strings.ToLower(palette.Green.Hex()[1:])
	before, after := x.Frame(), take(t, 2, "").Frame()
	if !strings.Contains(before.SVG, ball) || strings.Contains(after.SVG, ball) {
		t.Errorf("a ball is drawn: %t before it falls, %t after", strings.Contains(before.SVG, ball), strings.Contains(after.SVG, ball))
	}
	if before.Held != 9 {
		t.Errorf("the actor is held for %d ticks, want 9", before.Held)
	}
}

// TestLikeTheWorld checks on many worlds that a trial goes as the world does, that its actions replay, and that what is left out or
// changed is noticed.
func TestLikeTheWorld(t *testing.T) {
	trials := gridtest.Trials()
	over := 0
	for k := range 3 * len(trials) {
		r := rng.Stream(uint64(k), "actions")
		w := trials[k%len(trials)].Open()
		packed := trial.Pack(w, nil)
		got, err := trial.Open(packed)
		if err != nil {
			continue // a world without an actor
		}
		var legal []gridworld.Action
		for a := range gridworld.Action(gridworld.Actions) {
			if w.Rules().Move.Legal(a) {
				legal = append(legal, a)
			}
		}
		var actions []string
		for w.Outcome() == gridworld.Running && len(actions) < 400 {
			a := legal[r.IntN(len(legal))]
			w.Step(a)
			actions = append(actions, a.String())
			if err := got.Step(a.String()); err != nil {
				t.Fatal(err)
			}
		}
		f := got.Frame()
		if f.Tick != w.Tick() || f.Outcome != w.Outcome().String() || got.Passed() != (w.Outcome() == gridworld.Finished) {
			t.Fatalf("tick %d, %s; want %d, %s", f.Tick, f.Outcome, w.Tick(), w.Outcome())
		}
		if !got.Over() {
			continue
		}
		over++
		all := strings.Join(actions, " ")
		if passed, err := trial.Replay(packed, all); err != nil || passed != got.Passed() {
			t.Fatalf("replayed: %t, %v", passed, err)
		}
		if _, err := trial.Replay(packed, strings.Join(actions[:len(actions)-1], " ")); err == nil {
			t.Fatal("a trial that goes on is taken for one that is over")
		}
		if _, err := trial.Replay(packed, all+" stay"); err == nil {
			t.Fatal("an action after the end is taken")
		}
	}
	if over < len(trials) {
		t.Errorf("only %d trials came to an end", over)
	}
}

func TestBad(t *testing.T) {
	good := trial.Pack(play.PracticeWorld(gridworld.Turning, 2))
	for name, x := range map[string]trial.World{
		"no base 64": {World: "?"}, "no world": {World: "AAAA"}, "a place outside": {World: good.World, Places: [][2]int{{99, 0}}},
	} {
		if _, err := trial.Open(x); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	x := take(t, 2, "")
	for _, a := range []string{"fly", "north", ""} {
		if x.Step(a) == nil {
			t.Errorf("%q is an action", a)
		}
	}
	if _, err := trial.Replay(good, "fly"); err == nil {
		t.Error("fly replays")
	}
	var f trial.Frame
	if err := json.Unmarshal([]byte(x.Frame().JSON()), &f); err != nil || f.Tick != 9 || !slices.Contains([]string{"turning"}, f.Move) {
		t.Errorf("%+v (%v)", f, err)
	}
}
