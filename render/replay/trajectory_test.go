package replay_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"achilles/gridworld"
	"achilles/render/replay"
	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// cups is a world with two occluders, O. The reward, g, is first in the air behind the right occluder, where it can be
// seen. At tick 3 it falls to the ground, and the occluder hides it. The lights are out for ticks 5 and 6, and the
// actor, A, may not act before tick 8. Lava, L, is to the left of the actor.
const cups = `// find it
// places 0,4 4,4
world 1
limit 20
legend g floor + reward air size 2 value 1 final
map
....g
O...O
.....
.....
.LA..

cue 3 thing 0 4,4 ground
dark 5 7
freeze 0 8
`

// walk returns the trajectory of an actor that takes the actions from tick from on, in the world that text describes.
func walk(t *testing.T, text string, from int, actions ...gridworld.Action) *record.Trajectory {
	t.Helper()
	w, err := gridworld.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	tr := &record.Trajectory{Viewer: "eyes", Scale: 1}
	for w.Outcome() == gridworld.Running {
		p := w.Actor().Pos
		step := record.Step{Tick: int32(w.Tick()), X: int32(p.X), Y: int32(p.Y)}
		action := gridworld.Stay
		if i := w.Tick() - from; i >= 0 && i < len(actions) {
			action = actions[i]
			step.Action = action.String()
		}
		if action != gridworld.Stay || w.Tick() == 0 {
			tr.Steps = append(tr.Steps, step)
		}
		w.Step(action)
	}
	p := w.Actor().Pos
	tr.Steps = append(tr.Steps, record.Step{Tick: int32(w.Tick()), X: int32(p.X), Y: int32(p.Y)})
	return tr
}

const (
	forward = gridworld.Forward
	left    = gridworld.TurnLeft
	right   = gridworld.TurnRight
)

func TestEventsByHand(t *testing.T) {
	for _, c := range []struct {
		why     string
		actions []gridworld.Action
		cause   string
		want    string
	}{
		{"it goes round the right wall", []gridworld.Action{forward, right, forward, left, forward, forward, forward, right, forward},
			"", "3 hidden, 5 lights out, 7 lights on, 8 may act, 10 choice, 14 in sight, 17 reached"},
		{"it stays", nil, "not-seen", "3 hidden, 5 lights out, 7 lights on, 8 may act, 8 stop not-seen, 20 time out"},
		{"it goes to the left place", []gridworld.Action{forward, forward, forward, forward, left, forward, forward},
			"wrong-place", "3 hidden, 5 lights out, 7 lights on, 8 may act, 10 in sight, 13 choice, 15 stop wrong-place, 20 time out"},
		{"it turns to the lava", []gridworld.Action{left, forward}, "burnt", "3 hidden, 5 lights out, 7 lights on, 8 may act, 10 died"},
	} {
		_, events, err := replay.Replay(cups, walk(t, cups, 8, c.actions...), nil, c.cause)
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, e := range events {
			words = append(words, strings.TrimSpace(fmt.Sprintf("%d %s %s", e.Tick, e.Kind, e.Note)))
		}
		if got := strings.Join(words, ", "); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.why, got, c.want)
		}
	}
}

func TestStates(t *testing.T) {
	f, _, err := replay.Replay(cups, walk(t, cups, 8, forward, forward, forward), nil, "")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.Places, []gridworld.Pos{{X: 0, Y: 4}, {X: 4, Y: 4}}) || len(f.States)-1 != 20 {
		t.Errorf("places %v, last %d", f.Places, len(f.States)-1)
	}
	for tick, want := range map[int]string{
		0:  "2,0 air true frozen light", // the reward is in the air
		3:  "2,0 ground false frozen light",
		5:  "2,0 ground false frozen dark",
		8:  "2,0 ground false free light",
		9:  "2,1 ground false free light",
		10: "2,2 ground true free light", // the occluder no longer hides the reward
	} {
		fr := f.States[tick]
		words := []string{fr.Actor.Pos.String(), fr.Things[0].State.String(), fmt.Sprint(fr.InSight[0]), "free", "light"}
		if fr.Frozen {
			words[3] = "frozen"
		}
		if fr.Dark {
			words[4] = "dark"
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("tick %d: %s, want %s", tick, got, want)
		}
	}
	if !f.States[8].Seen.Has(gridworld.Pos{X: 2, Y: 4}) || f.States[8].Seen.Has(gridworld.Pos{X: 4, Y: 4}) || f.States[5].Seen.Len() != 0 {
		t.Error("what is in sight at tick 8 or in the dark is wrong")
	}
}

// TestReplayRefuses checks that replaying a record returns an error if its positions or actions do not fit its world.
func TestReplayRefuses(t *testing.T) {
	good := walk(t, cups, 8, forward, forward)
	for why, change := range map[string]func(*record.Trajectory){
		"another place":  func(t *record.Trajectory) { t.Steps[2].X++ },
		"another action": func(t *record.Trajectory) { t.Steps[1].Action = "left" },
		"no action":      func(t *record.Trajectory) { t.Steps[1].Action = "jump" },
	} {
		bad := *good
		bad.Steps = slices.Clone(good.Steps)
		change(&bad)
		if _, _, err := replay.Replay(cups, &bad, nil, ""); err == nil {
			t.Errorf("%s is accepted", why)
		}
	}
	if _, _, err := replay.Replay("// places 1;2\n"+cups, good, nil, ""); err == nil {
		t.Error("a place without a comma is accepted")
	}
}

// TestEyes checks that weak eyes see less, and that the events do not depend on the eyes.
func TestEyes(t *testing.T) {
	tr := walk(t, cups, 8, forward, forward)
	perfect, events, err := replay.Replay(cups, tr, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		why          string
		eyes         seal.Eyes
		behind       bool // whether the eyes see the cell behind the actor
		far, reward0 bool // whether the eyes see the reward: far at tick 0, in the air, and reward0 at tick 10
	}{
		{"perfect", seal.Eyes{}, true, true, true},
		{"ahead only", seal.Eyes{HalfAngle: 60}, false, true, true},
		{"for large things", seal.Eyes{Smallest: 201}, true, false, false},
		{"near things only", seal.Eyes{Acuity: 150}, true, false, true}, // up to 3 cells; the reward is √20 cells away, then √8
	} {
		f, got, err := replay.Replay(cups, tr, &c.eyes, "")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, events) {
			t.Errorf("%s: events %v, want %v", c.why, got, events)
		}
		fr := &f.States[10]
		if fr.Seen.Has(gridworld.Pos{X: 2, Y: 1}) != c.behind || f.States[0].InSight[0] != c.far || fr.InSight[0] != c.reward0 || !slices.Equal(fr.Visible, perfect.States[10].Visible) {
			t.Errorf("%s: behind %v, reward at tick 0 %v, at tick 10 %v", c.why, fr.Seen.Has(gridworld.Pos{X: 2, Y: 1}), f.States[0].InSight[0], fr.InSight[0])
		}
	}
}
