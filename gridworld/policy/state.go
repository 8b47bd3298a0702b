package policy

import (
	"achilles/sim/rng"
)

// A state is what an Agent knows, wants and does in an episode. Each layer uses those below it, and none above: the gait goes
// where the choice leads, which reasons over what memory has of what was in sight.
type state struct {
	gait

	turned int  // number of turns made to look round
	waits  bool // the agent stays until the end
	wake   int  // the agent need not look before this tick, because it can see nothing new
}

// CopyFrom makes a know what src knows of its episode so far; a keeps its parameters. With it, one agent can
// watch while the actor is frozen, for many agents that differ in what they do later.
func (a *Agent) CopyFrom(src *Agent) {
	old := a.state
	a.state = src.state
	a.traces, a.emptied, a.visited = append(old.traces[:0], src.traces...), append(old.emptied[:0], src.emptied...), append(old.visited[:0], src.visited...)
	a.hidings = append(old.hidings[:0], src.hidings...)
	a.tour, a.demands.Others = tour{append(old.tour.left[:0], src.tour.left...), old.tour.way}, append(old.demands.Others[:0], src.demands.Others...)
	a.located, a.sight = old.located, sight{a.Room, &a.Parameters, a.Eyes(), &a.view}
	if src.draws == &src.own {
		a.draws = &a.own
	}
}

// Reseed lets a make its random choices from the key of its episode, from the first one on.
func (a *Agent) Reseed(key rng.Key) {
	if a.draws == &a.own {
		a.own = key.Rand()
	}
}

func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
