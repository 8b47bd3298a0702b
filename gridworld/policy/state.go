package policy

import (
	"achilles/gridworld"
	"achilles/sim/rng"
)

// A state is what an Agent knows and plans in an episode.
type state struct {
	draws *rng.Rand
	own   rng.Rand
	eyes  gridworld.Viewer
	view  gridworld.View

	traces  []trace
	emptied []int  // by place: tick at which it was last seen empty; −1: never
	visited []bool // by place: the agent has been there
	hidings []int  // by place: number of times that a reward was hidden there and found before the agent set off
	demands Demands

	chosen    bool // the agent has set off for a reward
	sure      bool // the reward was in sight when it set off
	committed bool // the agent goes to target, whatever it sees
	target    gridworld.Pos
	strayed   bool // target is a place where the reward should not be

	sought, near gridworld.Pos // the cell that the agent last wanted to reach, and the nearest that it can
	tour         tour          // of an agent with the goal Sweep

	located []gridworld.Pos // by reward: where it is by all that the agent knows, when it last chose

	underway bool
	toward   gridworld.Pos // the cell to which least refers
	least    int           // least distance from that cell, without diagonals, since the agent set off for it
	toLava   bool          // the agent walks to lava instead of to its target
	reach    float64       // largest distance that the agent walks
	last     gridworld.Pos // cell of the agent when it last acted
	steps    int
	turned   int // number of turns made to look round
	falling  bool
	into     gridworld.Dir // direction of the step after which the agent gives up
	after    Cause         // cause for which the agent gives up after the next step; None: it does not
	done     bool          // the agent has given up
	cause    Cause

	waits  bool // the agent stays until the end
	looked int  // tick at which the agent last looked; −1: never
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
	a.view, a.located, a.eyes = old.view, old.located, a.Eyes()
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
