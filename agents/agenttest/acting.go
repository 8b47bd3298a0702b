package agenttest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"achilles/agents"
	"achilles/agents/embodied"
	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim"
	"achilles/sim/rng"
)

// Acts checks the bodies of an agent on stages: their traits are legal, their actions exist in the world, the same
// stream gives the same actions, also where they look at every tick, the world is not changed, a cause is given exactly
// where the reward was not reached, and the truth is what the traits say. Scale has the maximum of each capability in the
// unit of its trait.
func Acts(t testing.TB, s agents.Spec, stages []Stage, scale map[string]float64) {
	t.Helper()
	if err := s.Truth.Check(scale); err != nil {
		t.Errorf("agent %s: truth: %v", s.Name, err)
	}
	if len(s.Body) == 0 {
		t.Fatalf("agent %s has no body", s.Name)
	}
	honest(t, s, scale)
	for _, b := range s.Body {
		d, err := embodied.New(b.Body)
		if err != nil {
			t.Fatalf("agent %s: %v", s.Name, err)
		}
		for _, stage := range stages {
			act(t, s.Name, d, stage)
		}
	}
}

// honest compares the truth of the first body with its traits: a fraction of the maximum, or the maximum and more. Only
// a body that goes for something else than the reward may have no object permanence without a trait that says so.
func honest(t testing.TB, s agents.Spec, scale map[string]float64) {
	t.Helper()
	for name, fraction := range s.Truth.Capability {
		level, limited := s.Body[0].Trait[name]
		switch {
		case name == "op" && fraction == 0 && s.Body[0].Goal != "" && s.Body[0].Goal != policy.Reward:
		case !limited && fraction != 1:
			t.Errorf("agent %s: its truth %s is %v, and its body has no limit", s.Name, name, fraction)
		case limited && math.Abs(level-float64(fraction*scale[name])) > 1e-9*scale[name]:
			t.Errorf("agent %s: its truth %s is %v of %v, and its body has %v", s.Name, name, fraction, scale[name], level)
		}
	}
}

func act(t testing.TB, name string, d *embodied.Disposition, stage Stage) {
	t.Helper()
	var room policy.Room
	one, two := embodied.Actor{Disposition: d}, embodied.Actor{Disposition: d}
	one.Room, two.Room = &room, &room
	w := stage.Open()
	for root := range uint64(20) {
		key := rng.NewKey(root, "acts")
		room.Enter(w, stage.Places, policy.DefaultUnits())
		e := stage.env(w, key)
		first := play(t, name, stage, &one, e)
		busy := bustle(w)
		room.Enter(busy, stage.Places, policy.DefaultUnits())
		f := stage.env(busy, key)
		second := play(t, name, stage, &two, f)
		if !slices.Equal(first, second) || one.Cause(e.World) != two.Cause(f.World) {
			t.Fatalf("agent %s, stage %s, root %d: the same stream gives %v (%s), and %v (%s) where it always looks", name, stage.Name, root, first, one.Cause(e.World), second, two.Cause(f.World))
		}
		if (e.World.Outcome() == gridworld.Finished) != (one.Cause(e.World) == policy.None) {
			t.Fatalf("agent %s, stage %s, root %d: outcome %s for the cause %q", name, stage.Name, root, e.World.Outcome(), one.Cause(e.World))
		}
	}
}

// env is an episode in a copy of w.
func (s Stage) env(w *gridworld.World, key rng.Key) *gridworld.Env {
	return &gridworld.Env{World: w.Clone(), Places: s.Places, Key: key}
}

// bustle is w with something that nobody sees and that the schedule changes at every tick, so that a body which looks
// when something may be new always looks.
func bustle(w *gridworld.World) *gridworld.World {
	b := w.Clone()
	k := b.Add(gridworld.Thing{Kind: gridworld.Shape, State: gridworld.Hidden, Pos: b.Actor().Pos, Size: 1})
	for tick := range b.Rules().Limit {
		b.Script(gridworld.Cue{Tick: tick + 1, Thing: k, Pos: b.Actor().Pos, State: gridworld.Hidden})
	}
	return b
}

// A witness is a body whose every act is looked at.
type witness struct {
	*embodied.Actor
	t    testing.TB
	what string
}

// Act checks that the action exists in the world, and that a body stays once it has given up.
func (w witness) Act(ctx context.Context, now gridworld.Observation) (gridworld.Action, error) {
	w.t.Helper()
	action, err := w.Actor.Act(ctx, now)
	switch {
	case err != nil:
		w.t.Fatalf("%s, tick %d: %v", w.what, now.Tick(), err)
	case !now.Rules().Move.Legal(action):
		w.t.Fatalf("%s, tick %d: %s is no action of this world", w.what, now.Tick(), action)
	case w.Done() && action != gridworld.Stay:
		w.t.Fatalf("%s, tick %d: it has given up, and yet: %s", w.what, now.Tick(), action)
	}
	return action, nil
}

// play runs an episode and returns its actions, which alone have changed the world.
func play(t testing.TB, name string, stage Stage, a *embodied.Actor, e *gridworld.Env) (actions []gridworld.Action) {
	t.Helper()
	again := e.World.Clone()
	w := witness{a, t, fmt.Sprintf("agent %s, stage %s", name, stage.Name)}
	_, err := sim.Run(context.Background(), e, w, gridworld.Options{
		Record: func(_ gridworld.Observation, action gridworld.Action) { actions = append(actions, action) },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, action := range actions {
		again.Step(action)
	}
	if !again.Equal(e.World) {
		t.Fatalf("agent %s changes the world of stage %s", name, stage.Name)
	}
	return actions
}
