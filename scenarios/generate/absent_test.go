package generate_test

import (
	"context"
	"testing"

	"achilles/agents"
	"achilles/gridworld"
	"achilles/scenarios/generate"
)

// absence is the error of a player that does not take a trial now but may take it later.
type absence struct{ excuse }

func (absence) Later() bool { return true }

// A guest is a player that takes the trials with numbers from `from` to `to`−1 of `of`, and is absent from all others.
type guest struct {
	from, to, of int
	took         *[]int
}

func (g guest) Reset(_ context.Context, first gridworld.Observation) error {
	number, of := first.Number()
	if number < g.from || number >= g.to || of != g.of {
		return absence{"not taken"}
	}
	*g.took = append(*g.took, number)
	return nil
}

func (guest) Act(context.Context, gridworld.Observation) (gridworld.Action, error) {
	return gridworld.TurnLeft, nil
}

func (guest) Close() error { return nil }

// TestAbsent checks that trials that a player did not take are unscored and offered again in the next run, and that
// trials that were taken are not offered again.
func TestAbsent(t *testing.T) {
	s := acting(t)
	s.Agents = append(s.Agents, agents.Spec{Name: "guest", Command: []string{"guest"}})
	var took []int
	config := generate.Config{Seed: 3, Journal: &journal{m: map[string][]byte{}}}
	for _, c := range []struct{ from, to, took, unscored int }{{0, 5, 5, 115}, {3, 8, 3, 112}, {50, 50, 0, 112}} {
		took = took[:0]
		config.Outside = func(*agents.Spec, generate.Journal) (generate.Player, error) {
			return guest{c.from, c.to, 120, &took}, nil
		}
		unscored := 0
		for r := range run(t, s, config).All() {
			if r.Unscored == "not taken" {
				unscored++
			}
		}
		if len(took) != c.took || unscored != c.unscored {
			t.Errorf("%d to %d: took %v, %d unscored; want %d and %d", c.from, c.to, took, unscored, c.took, c.unscored)
		}
	}
}
