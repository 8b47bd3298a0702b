package policy

import (
	"achilles/gridworld"
	"achilles/sim/rng"
)

// A state is what an Agent knows of an episode, and its plans in it.
type state struct {
	draws *rng.Rand
	own   rng.Rand
	eyes  gridworld.Viewer
	view  gridworld.View

	traces  []trace
	emptied []int  // tick at which a place was last seen empty, by place; −1: never
	visited []bool // by place: it has been there
	hidings []int  // by place: how often a reward was hidden there and found before it set off
	demands Demands

	chosen    bool // it has set off for a reward
	sure      bool // … that was in sight then
	committed bool // it goes to target, whatever it sees
	target    gridworld.Pos
	strayed   bool // … which is not where the reward would be

	sought, near gridworld.Pos   // the cell that it sought last, and the nearest one that it can come to
	unswept      []gridworld.Pos // the places where a sweeping agent has not been
	sweep        *Route          // to the nearest of them

	underway bool
	toLava   bool    // lava draws it aside
	reach    float64 // distance after which it is tired
	last     gridworld.Pos
	steps    int
	turned   int // to look round
	falling  bool
	into     gridworld.Dir // of a step that ends all attempts
	after    Cause         // why it gives up after the next step
	done     bool          // it has given up
	cause    Cause

	waits  bool // it stands still until the end
	looked int  // the tick at which it looked last; −1: it has not
	wake   int  // it need not look before this tick: nothing that it sees can be new
}

// CopyFrom makes a know what src knows in its episode so far. The parameters stay those of a: so one who is held can watch
// for many who differ in what they do once they are free.
func (a *Agent) CopyFrom(src *Agent) {
	old := a.state
	a.state = src.state
	a.traces, a.emptied, a.visited = append(old.traces[:0], src.traces...), append(old.emptied[:0], src.emptied...), append(old.visited[:0], src.visited...)
	a.hidings = append(old.hidings[:0], src.hidings...)
	a.unswept, a.demands.Others = append(old.unswept[:0], src.unswept...), append(old.demands.Others[:0], src.demands.Others...)
	a.view, a.sweep, a.eyes = old.view, old.sweep, a.Eyes()
	if src.draws == &src.own {
		a.draws = &a.own
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
