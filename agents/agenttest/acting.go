package agenttest

import (
	"context"
	"math"
	"slices"
	"testing"

	"achilles/agents"
	"achilles/agents/embodied"
	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/gridworld/policy"
	"achilles/sim"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

// Acts checks the bodies of an agent in trials: that they conform (gridtest.Conform), that their traits are legal, that
// looking at every tick does not change what they do, that an episode has a cause of failure exactly if the reward was not
// reached, and that the truth agrees with the traits. scale has the maximum of each capability, in the unit of its trait.
func Acts(t testing.TB, s agents.Spec, trials []gridtest.Trial, scale map[string]float64) {
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
		for _, trial := range trials {
			act(t, s.Name, d, trial)
		}
	}
}

// honest checks that the truth of each capability is the body's trait, or the asymptote or rate of what it learns (of one of several traits
// its name with Late or Rate), as a fraction of the maximum in scale, or 1 if the body has no such trait. A body whose goal is not the reward may have the truth op 0 without a trait op.
func honest(t testing.TB, s agents.Spec, scale map[string]float64) {
	t.Helper()
	for name, fraction := range s.Truth.Capability {
		level, limited := s.Body[0].Trait[name]
		for l := s.Body[0].Learning; l != nil; l = l.And {
			switch name {
			case "asymptote", l.Trait + "Late":
				level, limited = l.Asymptote, true
			case "rate", l.Trait + "Rate":
				level, limited = l.Rate, true
			}
		}
		switch {
		case name == "op" && fraction == 0 && s.Body[0].Goal != "" && s.Body[0].Goal != policy.Reward:
		case !limited && fraction != 1:
			t.Errorf("agent %s: its truth %s is %v, and its body has no limit", s.Name, name, fraction)
		case limited && math.Abs(level-float64(fraction*scale[name])) > 1e-9*scale[name]:
			t.Errorf("agent %s: its truth %s is %v of %v, and its body has %v", s.Name, name, fraction, scale[name], level)
		}
	}
}

// act lets a body take a trial once for each of six keys of random numbers (-long: 20). It checks that the body does the same if it
// looks at every tick, and that there is a cause of failure exactly if the reward was not reached.
func act(t testing.TB, name string, d *embodied.Disposition, trial gridtest.Trial) {
	t.Helper()
	w := trial.Open()
	still, busy := newBody(d, trial, w), newBody(d, trial, bustle(w))
	roots, conform := uint64(6), 2
	if longtest.On() {
		roots, conform = 20, 5
	}
	for root := range roots {
		key := rng.NewKey(root, "acts")
		actions := still.act(t, key)
		if always := busy.act(t, key); !slices.Equal(actions, always) || still.cause() != busy.cause() {
			t.Fatalf("agent %s, trial %s, root %d: %v (%s), and where it always looks %v (%s)", name, trial.Name, root, actions, still.cause(), always, busy.cause())
		}
		if outcome := still.env.World.Outcome(); (outcome == gridworld.Finished) != (still.cause() == policy.None) {
			t.Fatalf("agent %s, trial %s, root %d: outcome %s for the cause %q", name, trial.Name, root, outcome, still.cause())
		}
	}
	gridtest.Conform(t, "agent "+name, []gridtest.Trial{trial}, conform, func(trial gridtest.Trial, w *gridworld.World) gridworld.Agent {
		return &newBody(d, trial, w).Actor
	})
}

// A body is an actor that takes episodes of one trial.
type body struct {
	embodied.Actor
	room  policy.Room
	world *gridworld.World // at tick 0
	env   gridworld.Env    // environment of the last episode
}

func newBody(d *embodied.Disposition, trial gridtest.Trial, w *gridworld.World) *body {
	b := &body{world: w, env: gridworld.Env{Places: trial.Places}}
	b.Disposition, b.Room = d, &b.room
	b.room.Enter(w, trial.Places, policy.DefaultUnits())
	return b
}

// act runs an episode and returns its actions. It checks that a body that has given up stays.
func (b *body) act(t testing.TB, key rng.Key) (actions []gridworld.Action) {
	t.Helper()
	b.env.World, b.env.Key = b.world.Clone(), key
	_, err := sim.Run(context.Background(), &b.env, &b.Actor, gridworld.Options{Record: func(now gridworld.Observation, action gridworld.Action) {
		if b.Done() && action != gridworld.Stay {
			t.Fatalf("tick %d: it has given up, and yet: %s", now.Tick(), action)
		}
		actions = append(actions, action)
	}})
	if err != nil {
		t.Fatal(err)
	}
	return actions
}

func (b *body) cause() policy.Cause { return b.Cause(b.env.World) }

// bustle returns w with a hidden thing that the schedule changes at every tick, so that a body, which looks only if
// something may have changed, looks at every tick.
func bustle(w *gridworld.World) *gridworld.World {
	b := w.Clone()
	k := b.Add(gridworld.Thing{Kind: gridworld.Shape, State: gridworld.Hidden, Pos: b.Actor().Pos, Size: 1})
	for tick := range b.Rules().Limit {
		b.Script(gridworld.Cue{Tick: tick + 1, Thing: k, Pos: b.Actor().Pos, State: gridworld.Hidden})
	}
	return b
}
