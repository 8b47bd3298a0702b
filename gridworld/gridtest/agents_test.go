package gridtest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/sim/rng"
)

// A witness replaces the testing.TB of a test that is expected to fail, and keeps its message.
type witness struct {
	testing.TB
	said string
}

func (w *witness) Helper() {}

func (w *witness) Fatalf(format string, args ...any) {
	w.said = fmt.Sprintf(format, args...)
	panic(w)
}

// An agent acts at random, and breaks the rule that fault names.
type agent struct {
	world *gridworld.World
	fault string
	rand  rng.Rand
	first gridworld.Observation
	seen  int
}

var made int

func (a *agent) Reset(_ context.Context, first gridworld.Observation) error {
	a.rand, a.first = first.Key().Rand(), first
	switch a.fault {
	case "has moods":
		made++
		a.rand = rng.Stream(uint64(made))
	case "remembers":
		a.seen++
	default:
		a.seen = 0
	}
	return nil
}

func (a *agent) Act(_ context.Context, now gridworld.Observation) (gridworld.Action, error) {
	if a.seen++; a.fault == "remembers" && a.seen > 100 {
		return gridworld.Stay, nil
	}
	switch a.fault {
	case "leaves the mode":
		return gridworld.Go(gridworld.North), nil
	case "moves a place":
		now.Places()[0] = gridworld.Pos{}
	case "changes its world":
		a.world.Step(gridworld.TurnLeft)
	case "breaks":
		return gridworld.Stay, fmt.Errorf("it breaks")
	}
	return [...]gridworld.Action{gridworld.Forward, gridworld.TurnLeft, gridworld.TurnRight}[a.rand.IntN(3)], nil
}

// TestConform checks that Conform accepts a sound agent and names the fault of every other agent.
func TestConform(t *testing.T) {
	trials := gridtest.Trials()[2:3]
	for fault, want := range map[string]string{
		"":                  "",
		"leaves the mode":   "north is no action of this world",
		"has moods":         "the same key gives",
		"remembers":         "after another episode it does",
		"moves a place":     "it changes what it observes",
		"changes its world": "the world in which it was made is changed",
		"breaks":            "it breaks",
	} {
		w := &witness{TB: t}
		func() {
			defer func() {
				if r := recover(); r != nil && r != any(w) {
					panic(r)
				}
			}()
			gridtest.Conform(w, "agent", trials, 2, func(_ gridtest.Trial, w *gridworld.World) gridworld.Agent {
				return &agent{world: w, fault: fault}
			})
		}()
		if (w.said == "") != (want == "") || !strings.Contains(w.said, want) {
			t.Errorf("%q: the suite says %q, want %q", fault, w.said, want)
		}
	}
}
