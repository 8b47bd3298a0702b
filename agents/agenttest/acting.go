package agenttest

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"achilles/agents"
	"achilles/agents/embodied"
	"achilles/gridworld"
	"achilles/sim/rng"
)

// Acts checks the bodies of an agent on stages: their traits are legal, their actions exist in the world, the same
// stream gives the same actions, neither world nor view is changed, a cause is given exactly where the reward was not
// reached, and the truth is what the traits say. Scale has the maximum of each capability in the unit of its trait.
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
		p, err := embodied.New(b.Body)
		if err != nil {
			t.Fatalf("agent %s: %v", s.Name, err)
		}
		for _, stage := range stages {
			act(t, s.Name, p, stage)
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
		case name == "op" && fraction == 0 && s.Body[0].Goal != "" && s.Body[0].Goal != embodied.Reward:
		case !limited && fraction != 1:
			t.Errorf("agent %s: its truth %s is %v, and its body has no limit", s.Name, name, fraction)
		case limited && math.Abs(level-float64(fraction*scale[name])) > 1e-9*scale[name]:
			t.Errorf("agent %s: its truth %s is %v of %v, and its body has %v", s.Name, name, fraction, scale[name], level)
		}
	}
}

func act(t testing.TB, name string, p *embodied.Policy, stage Stage) {
	t.Helper()
	var room embodied.Room
	var one, two embodied.Actor
	w := stage.Open()
	before := w.String()
	for root := range uint64(20) {
		room.Enter(w, stage.Places, embodied.DefaultUnits())
		one.Begin(p, &room, rng.Stream(root, "acts"))
		first, cause := one.Play(w.Clone(), nil)
		room.Enter(w, stage.Places, embodied.DefaultUnits())
		two.Begin(p, &room, rng.Stream(root, "acts"))
		e := w.Clone()
		second := watched(t, name, stage, &two, e)
		if !slices.Equal(first, second) || two.Cause(e) != cause {
			t.Fatalf("agent %s, stage %s, root %d: the same stream gives %v (%s) and %v (%s)", name, stage.Name, root, first, cause, second, two.Cause(e))
		}
		if (e.Outcome() == gridworld.Finished) != (cause == embodied.None) {
			t.Fatalf("agent %s, stage %s, root %d: outcome %s for the cause %q", name, stage.Name, root, e.Outcome(), cause)
		}
	}
	if w.String() != before {
		t.Fatalf("agent %s changes the world of stage %s", name, stage.Name)
	}
}

// watched plays tick by tick, without leaving out any, and looks at every view and action.
func watched(t testing.TB, name string, stage Stage, a *embodied.Actor, w *gridworld.World) (actions []gridworld.Action) {
	t.Helper()
	for w.Outcome() == gridworld.Running {
		var view, same gridworld.View
		w.View(a.Viewer(), &view)
		w.View(a.Viewer(), &same)
		action := a.Act(&view)
		if !reflect.DeepEqual(view, same) {
			t.Fatalf("agent %s, stage %s, tick %d: the view is changed", name, stage.Name, w.Tick())
		}
		if !w.Rules().Move.Legal(action) {
			t.Fatalf("agent %s, stage %s, tick %d: %s is no action of this world", name, stage.Name, w.Tick(), action)
		}
		if a.Done() && action != gridworld.Stay {
			t.Fatalf("agent %s, stage %s, tick %d: it has given up, and yet: %s", name, stage.Name, w.Tick(), action)
		}
		w.Step(action)
		actions = append(actions, action)
	}
	return actions
}
