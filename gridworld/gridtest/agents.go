package gridtest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"achilles/gridworld"
	"achilles/sim"
	"achilles/sim/rng"
)

// A Maker returns a new agent for episodes of a trial. It may read w, the trial's world at tick 0, but not change it.
type Maker func(t Trial, w *gridworld.World) gridworld.Agent

// Conform checks that agents behave as sim.Agent says, with `keys` random keys in each trial. Their actions exist in
// the world's mode; the same key gives the same actions; only their actions change the world; episodes keep the time
// limit; earlier episodes, whether ended, truncated or cancelled, have no influence; and a cancelled episode returns
// the context's error. An agent may leave.
func Conform(t testing.TB, name string, trials []Trial, keys int, make Maker) {
	t.Helper()
	for _, trial := range trials {
		w := trial.Open()
		c := conformance{TB: t, what: name + ", trial " + trial.Name, trial: trial, world: w, agent: make(trial, w)}
		for k := range uint64(keys) {
			key := rng.NewKey(k, "conform")
			want := c.play(c.agent, key, 0)
			if again := c.play(make(trial, w), key, 0); !slices.Equal(again, want) {
				t.Fatalf("%s: the same key gives %v and %v", c.what, want, again)
			}
			c.play(c.agent, rng.NewKey(k, "another"), 1+len(want)/2) // truncated
			if again := c.play(c.agent, key, 0); !slices.Equal(again, want) {
				t.Fatalf("%s: after another episode it does %v, not %v", c.what, again, want)
			}
			if k == 0 && len(want) > 1 {
				c.cancel(want, key)
			}
		}
	}
}

// A conformance tests one agent in one trial.
type conformance struct {
	testing.TB
	what  string
	trial Trial
	world *gridworld.World // at tick 0
	agent gridworld.Agent
}

// env returns a new episode of the trial, in a copy of its world.
func (c *conformance) env(key rng.Key) *gridworld.Env {
	return &gridworld.Env{Brief: "Touch the reward.", World: c.world.Clone(), Places: slices.Clone(c.trial.Places), Key: key, Of: 1}
}

// play runs an episode of at most `limit` actions (0: no limit), checks it, and returns the actions.
func (c *conformance) play(a gridworld.Agent, key rng.Key, limit int) (actions []gridworld.Action) {
	c.Helper()
	e := c.env(key)
	_, err := sim.Run(context.Background(), e, a, gridworld.Options{Limit: limit, Record: func(now gridworld.Observation, x gridworld.Action) {
		if !now.Rules().Move.Legal(x) {
			c.Fatalf("%s, tick %d: %s is no action of this world", c.what, now.Tick(), x)
		}
		actions = append(actions, x)
	}})
	if err != nil && !errors.Is(err, sim.ErrLeft) {
		c.Fatalf("%s: %v", c.what, err)
	}
	if !c.world.Equal(c.trial.Open()) {
		c.Fatalf("%s: the world in which it was made is changed", c.what)
	}
	again := c.env(key)
	for _, x := range actions {
		again.Step(x)
	}
	if !again.World.Equal(e.World) || !slices.Equal(e.Places, c.trial.Places) {
		c.Fatalf("%s: it changes what it observes", c.what)
	}
	if most := c.world.Rules().Limit; len(actions) > most || limit > 0 && len(actions) > limit {
		c.Fatalf("%s: %d actions in an episode of %d ticks, of which %d were asked for", c.what, len(actions), most, limit)
	}
	return actions
}

// cancel cancels an episode half-way, and checks that the next one is not affected.
func (c *conformance) cancel(want []gridworld.Action, key rng.Key) {
	c.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	_, err := sim.Run(ctx, c.env(key), c.agent, gridworld.Options{Record: func(gridworld.Observation, gridworld.Action) {
		if n++; n == len(want)/2 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || n != len(want)/2 {
		c.Fatalf("%s: cancelled after %d actions, it ends after %d with %v", c.what, len(want)/2, n, err)
	}
	if again := c.play(c.agent, key, 0); !slices.Equal(again, want) {
		c.Fatalf("%s: after a cancelled episode it does %v, not %v", c.what, again, want)
	}
}
