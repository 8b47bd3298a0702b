package policy

import (
	"context"

	"achilles/gridworld"
	"achilles/sim"
	"achilles/sim/rng"
)

// An Agent acts by its Parameters in the Room of an episode. Both are set before the episode and stay until its end; an
// Agent is used for one episode after the other, by one goroutine at a time, and must not be copied.
type Agent struct {
	Room *Room
	Parameters
	Draws   *rng.Rand // whence comes what is left to chance; nil: from the key of the episode
	Beliefs *Beliefs  // that are kept of what it believes; nil: none are
	Leaves  bool      // it leaves an episode when it stands still and nothing more is to come that could change that

	state
}

// A state is what an Agent knows of an episode, and its plans in it.
type state struct {
	draws *rng.Rand
	own   rng.Rand
	eyes  gridworld.Viewer
	view  gridworld.View

	traces  []trace
	emptied []int  // tick at which a place was last seen empty, by place; −1: never
	visited []bool // by place: it has been there
	demands Demands

	chosen     bool // it has set off for a reward
	sure       bool // … that was in sight then
	committed  bool // it goes to target, whatever it sees
	target     gridworld.Pos
	strayed    bool            // … which is not where the reward would be
	wish, near gridworld.Pos   // the last cell that it wanted to come near to, and the one that it can come to
	rest       []gridworld.Pos // the places where a sweeping agent has not been
	sweep      *Route          // to the nearest of them

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

var _ gridworld.Agent = (*Agent)(nil)

// Reset begins an episode, at tick 0 of the world for which the room was entered. There is no error.
func (a *Agent) Reset(_ context.Context, first gridworld.Observation) error {
	room := a.Room
	a.state = state{
		draws: a.Draws, view: a.view, eyes: a.Eyes(),
		traces: cleared(a.traces, room.things), emptied: cleared(a.emptied, len(room.places)), visited: cleared(a.visited, len(room.places)),
		demands: Demands{Others: a.demands.Others[:0]}, rest: append(a.rest[:0], room.places...), sweep: a.sweep,
		last: room.start.Pos, wish: gridworld.Nowhere(), looked: -1,
	}
	if a.draws == nil {
		a.own = first.Key().Rand()
		a.draws = &a.own
	}
	for k := range a.emptied {
		a.emptied[k] = -1
	}
	if a.Beliefs != nil {
		a.Beliefs.list = a.Beliefs.list[:0]
	}
	switch {
	case a.Goal == Nothing:
		a.quit(Lapsed)
	case a.blind():
		a.quit(NotSeen)
	}
	return nil
}

// CopyFrom makes a know what src knows in its episode so far. The parameters stay those of a: so one who is held can watch
// for many who differ in what they do once they are free.
func (a *Agent) CopyFrom(src *Agent) {
	old := a.state
	a.state = src.state
	a.traces, a.emptied, a.visited = append(old.traces[:0], src.traces...), append(old.emptied[:0], src.emptied...), append(old.visited[:0], src.visited...)
	a.rest, a.demands.Others = append(old.rest[:0], src.rest...), append(old.demands.Others[:0], src.demands.Others...)
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

// blind says whether the agent will never see a reward and would stay where it is.
func (a *Agent) blind() bool {
	switch a.Goal {
	case Reward, LastSeen, Motion, NearestVisible:
		return a.HalfAngle == 0 && !a.discerns(a.Room.largest)
	}
	return false
}

// Act looks at the world where that matters, and decides on an action. The error is sim.ErrLeft where the agent leaves.
func (a *Agent) Act(_ context.Context, now gridworld.Observation) (gridworld.Action, error) {
	if self := now.Self(); self.Pos != a.last {
		a.last = self.Pos
		a.steps++
		if a.after != None {
			a.quit(a.after)
		}
	}
	a.demands.Unseen = 0
	if a.done {
		if t := now.Tick(); a.Leaves && t > 0 && t >= a.Room.settled { // the first step may bring contact, as every cue may
			return gridworld.Stay, sim.ErrLeft
		}
		return gridworld.Stay, nil
	}
	if a.waits && a.Leaves {
		return gridworld.Stay, sim.ErrLeft
	}
	if a.sleeps(now) {
		return gridworld.Stay, nil
	}
	if a.looks() {
		now.View(a.viewer(), &a.view)
		a.perceive(&a.view)
	}
	a.visit(a.last)
	action := a.decide(now)
	if a.Beliefs != nil {
		a.Beliefs.note(a, now.Tick())
	}
	a.looked = now.Tick()
	a.waits = action == gridworld.Stay && a.looked > 0 && a.looked >= a.Room.over()
	return action, nil
}

// sleeps says whether the agent need not look: it is held, and the schedule changes nothing at the next tick.
func (a *Agent) sleeps(now gridworld.Observation) bool {
	t := now.Tick()
	if t > 0 && t >= a.wake && now.Frozen() {
		a.wake = a.Room.quiet(t)
	}
	return t < a.wake
}

// decide is what the agent does now.
func (a *Agent) decide(now gridworld.Observation) gridworld.Action {
	self := now.Self()
	switch {
	case now.Frozen(), now.Dark() && a.Goal != Oracle && a.Goal != Random:
		return gridworld.Stay
	case a.Goal == Random:
		return a.wander()
	case a.Goal == Ahead:
		return a.Room.step(self, a.Room.start.Heading)
	}
	target, ok := a.aim(self)
	if !ok {
		return a.lookRound()
	}
	return a.walk(self, target)
}

// wander is a random action.
func (a *Agent) wander() gridworld.Action {
	switch {
	case a.Moves != nil:
		return a.Moves[a.draws.IntN(len(a.Moves))]
	case !a.Room.turns:
		return gridworld.Go(gridworld.Dir(a.draws.IntN(gridworld.Directions)))
	}
	return [...]gridworld.Action{gridworld.Forward, gridworld.Forward, gridworld.TurnLeft, gridworld.TurnRight}[a.draws.IntN(4)]
}

// lookRound turns once around, where the agent does not see all round and has seen no reward yet.
func (a *Agent) lookRound() gridworld.Action {
	if a.done || a.turned == 4 || !a.Room.turns || a.HalfAngle == 0 {
		return gridworld.Stay
	}
	for i := range a.traces {
		if a.traces[i].known {
			return gridworld.Stay
		}
	}
	a.turned++
	return gridworld.TurnRight
}

// Done says whether the agent has given up: it will stay where it is for the rest of the episode.
func (a *Agent) Done() bool { return a.done }

// Demands are what the episode has asked of the agent so far.
func (a *Agent) Demands() *Demands { return &a.demands }
