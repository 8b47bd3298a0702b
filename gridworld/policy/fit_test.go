package policy_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim"
)

// TestAbilitiesByHand checks in worlds drawn by hand that a perfect agent finishes, that one which lacks the ability
// that the world asks for ends in the wrong place, and that one which has just enough of a graded ability finishes.
func TestAbilitiesByHand(t *testing.T) {
	for _, c := range []struct {
		name, world  string
		lacks, meets func(*policy.Parameters)
		cause        policy.Cause
		at           gridworld.Pos // where the agent that lacks the ability ends
	}{
		{"opening", `world 1
limit 60
legend O occluder colour 1,1,153
map
.........
.........
OO.OOO..O
..H...H..
.T.TTT.T.
.........
....A....

thing 0 2,5 reward air size 3 value 1 colour 0,255,0 final
dark 3 5
cue 3 thing 0 6,3 ground
freeze 0 8
`, func(p *policy.Parameters) { p.Openings = false }, nil, policy.Wrong, gridworld.Pos{X: 2, Y: 3}},
		{"cover", `world 1
limit 60
map
..H...H..
.T.TTT.T.
.........
....A....

thing 0 2,3 reward air size 3 value 1 colour 0,255,0 final
thing 1 2,3 shape air size 2.99 name cover
thing 2 6,3 shape air size 3 name cover
dark 3 5
cue 3 thing 0 6,3 ground
freeze 0 8
`, func(p *policy.Parameters) { p.Sizes = false }, nil, policy.Wrong, gridworld.Pos{X: 2, Y: 3}},
		{"number", `world 1
limit 60
map
..H...H..
.T.TTT.T.
.........
....A....

thing 0 6,3 reward air size 3 value 1 colour 0,255,0 final
thing 1 6,3 reward air size 3 value 1 colour 0,255,0
thing 2 2,3 reward air size 3 value 1 colour 0,255,0
cue 3 thing 0 6,3 ground
cue 3 thing 1 6,3 ground
cue 3 thing 2 2,3 ground
freeze 0 8
`, func(p *policy.Parameters) { p.Number = 1.9 }, func(p *policy.Parameters) { p.Number = 2 }, policy.Wrong, gridworld.Pos{X: 2, Y: 3}},
		{"perishes", `world 1
limit 60
map
.........
.........
.........
..H...H..
.T.TTT.T.
.........
....A....

thing 0 6,3 reward air size 3 value 1 colour 255,0,0 final
thing 1 2,3 reward air size 3 value 2 colour 0,255,0
thing 2 4,6 reward air size 3 value 0 colour 0,255,0
cue 3 thing 0 6,3 ground
cue 3 thing 1 2,3 ground
cue 6 thing 1 2,3 hidden
cue 6 thing 2 4,6 hidden
freeze 0 8
`, func(p *policy.Parameters) { p.When = false }, nil, policy.Wrong, gridworld.Pos{X: 2, Y: 3}},
		{"largest cover", `world 1
limit 60
map
..H...H..
.T.TTT.T.
.........
....A....

thing 0 6,3 reward air size 3 value 1 colour 0,255,0 final
thing 1 2,3 shape air size 5 name cover
thing 2 6,3 shape air size 4 name cover
cue 3 thing 0 6,3 ground
freeze 0 8
`, func(p *policy.Parameters) { p.Goal = policy.LargestCover }, nil, policy.Wrong, gridworld.Pos{X: 2, Y: 3}},
		{"emptied", `world 1
limit 60
map
.........
.........
..H.H.H..
.T.T.T.T.
.........
....A....

thing 0 6,3 reward air size 3 value 1 colour 0,255,0 final
thing 1 2,3 reward air size 3 value 1 colour 0,255,0
cue 3 thing 0 6,3 ground
cue 3 thing 1 2,3 ground
cue 5 thing 1 2,3 air
cue 6 thing 1 2,5 air
cue 8 thing 1 2,5 hidden
freeze 0 12
`, func(p *policy.Parameters) { p.Visits = 0.9 }, func(p *policy.Parameters) { p.Visits = 1 }, policy.Wrong, gridworld.Pos{X: 2, Y: 3}},
		{"unbaited", `world 1
limit 60
map
.........
.........
..H.H.H..
.T.T.T.T.
.........
....A....

thing 0 6,3 reward air size 3 value 1 colour 0,255,0 final
thing 1 2,3 reward air size 3 value 1 colour 0,255,0
cue 3 thing 0 6,3 ground
cue 3 thing 1 2,3 ground
cue 5 thing 1 2,3 air
cue 6 thing 1 2,5 air
cue 8 thing 1 2,5 hidden
freeze 0 12
`, func(p *policy.Parameters) { p.Unbaited = 0.9 }, func(p *policy.Parameters) { p.Unbaited = 1 }, policy.Wrong, gridworld.Pos{X: 4, Y: 3}},
		{"barrier", `world 1
limit 60
legend g floor + reward final
map
....g....
.........
.TTTTTTT.
.T..A..T.
.T.....T.
.........
`, func(p *policy.Parameters) { p.Retreat = 5.9 }, func(p *policy.Parameters) { p.Retreat = 6 }, policy.Barred, gridworld.Pos{}},
	} {
		cause, _ := act(t, c.world, func(*policy.Parameters) {})
		if cause != policy.None {
			t.Errorf("%s: a perfect agent fails: %s", c.name, cause)
		}
		if cause, at := act(t, c.world, c.lacks); cause != c.cause || c.at != (gridworld.Pos{}) && at != c.at {
			t.Errorf("%s: without the ability an agent ends at %s (%s), want %s (%s)", c.name, at, cause, c.at, c.cause)
		}
		if c.meets != nil {
			if cause, _ := act(t, c.world, c.meets); cause != policy.None {
				t.Errorf("%s: with just enough of the ability an agent fails: %s", c.name, cause)
			}
		}
	}
}

// act lets an agent act that is perfect except for a limit. It returns why it failed, and where it ended.
func act(t *testing.T, text string, limit func(*policy.Parameters)) (policy.Cause, gridworld.Pos) {
	t.Helper()
	w, err := gridworld.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	holes := w.Where(gridworld.Hole)
	var places []gridworld.Pos
	for p := range holes.All() {
		places = append(places, p)
	}
	var room policy.Room
	room.Enter(w, places, policy.DefaultUnits())
	a := &policy.Agent{Room: &room, Parameters: policy.Perfect(policy.Reward)}
	limit(&a.Parameters)
	if _, err := sim.Run(context.Background(), &gridworld.Env{World: w, Places: places}, a, gridworld.Options{}); err != nil && !errors.Is(err, sim.ErrLeft) {
		t.Fatal(err)
	}
	return a.Cause(w), w.Actor().Pos
}

// TestNoBarrierNoRetreat checks that an agent that never goes away from its target finishes where no way leads away.
func TestNoBarrierNoRetreat(t *testing.T) {
	cause, _ := act(t, "world 1\nlimit 30\nlegend g floor + reward final\nmap\n....g\n.....\nA....\n", func(p *policy.Parameters) { p.Retreat = math.Inf(-1) })
	if cause != policy.None {
		t.Errorf("the agent fails: %s", cause)
	}
}
