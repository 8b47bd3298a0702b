package embodied

import (
	"context"

	"achilles/gridworld"
	"achilles/sim/rng"
)

// An Actor is a body in an episode. It is an agent for episodes in the room in which it stands; both can be changed
// between two episodes.
type Actor struct {
	Policy *Policy
	Room   *Room

	luck luck
	rand rng.Rand
	goal Goal
	eye  gridworld.Viewer
	view gridworld.View

	traces  []trace
	emptied []int  // tick at which a place was last seen empty, by place; −1: never
	visited []bool // by place: it has been there

	chosen     bool // it has set its mind on a reward
	sure       bool // … that was in sight then
	underway   bool
	committed  bool          // it goes to target, whatever it sees
	target     gridworld.Pos // of a committed body
	wish, near gridworld.Pos // the last cell that it wanted to come near to, and the one that it can come to
	strayed    bool          // … which is not where the reward would be

	last     gridworld.Pos // where it stood when it was last asked
	steps    int
	reach    float64 // distance after which it is tired
	looked   int     // turns made to look round
	doomed   bool    // drawn to lava
	plunging bool    // on a step that ends all attempts, in direction into
	into     gridworld.Dir
	after    Cause // why it gives up after the next step

	done  bool // it has given up
	cause Cause

	held []Belief // what it held, as it changed
	gaze int      // the tick at which it looked last; −1: it has not
	wake int      // it need not look before this tick: nothing that it sees can be new
}

var _ gridworld.Agent = (*Actor)(nil)

// Reset begins an episode in the body's room, at tick 0. All that is left to chance comes from the key of the
// observation: the same room, policy and key give the same actions. There is no error.
func (a *Actor) Reset(_ context.Context, first gridworld.Observation) error {
	*a = Actor{Policy: a.Policy, Room: a.Room, rand: first.Key().Rand(), goal: a.Policy.goal, view: a.view, traces: a.traces, emptied: a.emptied, visited: a.visited, held: a.held[:0], gaze: -1, last: a.Room.start.Pos, wish: gridworld.Nowhere()}
	a.begin()
	return nil
}

func (a *Actor) begin() {
	room := a.Room
	a.luck = a.Policy.draw(&a.rand)
	a.eye = a.eyes()
	a.traces = cleared(a.traces, room.things)
	a.emptied = cleared(a.emptied, len(room.places))
	a.visited = cleared(a.visited, len(room.places))
	for k := range a.emptied {
		a.emptied[k] = -1
	}
	switch {
	case a.luck.lapse && a.luck.heads:
		a.goal = Oracle
	case a.luck.lapse || a.goal == Nothing:
		a.quit(Lapsed)
	case a.blind():
		a.quit(NotSeen)
	}
}

// blind says whether the body will never see a reward and would stay where it is.
func (a *Actor) blind() bool {
	switch a.goal {
	case Reward, LastSeen, Motion, NearestVisible:
		return a.eye.HalfAngle == 0 && !a.discerns(a.Room.largest)
	}
	return false
}

func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// viewer is how the body looks at the world now. It watches the places while it may have to find out in which of them
// a reward is.
func (a *Actor) viewer() gridworld.Viewer {
	v := a.eye
	if a.committed || a.sure {
		v.Watch = nil
	}
	return v
}

// Done says whether the body has given up: it will stay where it is for the rest of the episode.
func (a *Actor) Done() bool { return a.done }

// Act looks at the world and decides on an action. There is no error.
func (a *Actor) Act(_ context.Context, now gridworld.Observation) (gridworld.Action, error) {
	if a.done || a.sleeps(now) {
		return gridworld.Stay, nil
	}
	now.View(a.viewer(), &a.view)
	action := a.decide(&a.view)
	a.hold(a.view.Tick)
	return action, nil
}

// sleeps says whether the body need not look: it is held, and the schedule changes nothing at the next tick.
func (a *Actor) sleeps(now gridworld.Observation) bool {
	t := now.Tick()
	if t > 0 && t >= a.wake && now.Frozen() {
		a.wake = a.Room.quiet(t)
	}
	return t < a.wake
}

// decide is what the body does, given what it sees.
func (a *Actor) decide(v *gridworld.View) gridworld.Action {
	if v.Self.Pos != a.last {
		a.last = v.Self.Pos
		a.steps++
		if a.after != None {
			a.quit(a.after)
		}
	}
	if a.done {
		return gridworld.Stay
	}
	a.perceive(v)
	switch {
	case v.Frozen, v.Dark && a.goal != Oracle && a.goal != Random:
		return gridworld.Stay
	case a.goal == Random:
		return a.wander()
	case a.goal == Ahead:
		return a.Room.step(v.Self, a.Room.start.Heading)
	}
	target, ok := a.aim(v)
	if !ok {
		return a.lookRound()
	}
	return a.walk(v, target)
}

// wander is a random action: in mode Turning a step as often as a turn.
func (a *Actor) wander() gridworld.Action {
	if !a.Room.turns {
		return gridworld.Go(gridworld.Dir(a.rand.IntN(gridworld.Directions)))
	}
	return [4]gridworld.Action{gridworld.Forward, gridworld.Forward, gridworld.TurnLeft, gridworld.TurnRight}[a.rand.IntN(4)]
}

// lookRound turns once around, where the body does not see all round and has seen no reward yet.
func (a *Actor) lookRound() gridworld.Action {
	if a.done || a.looked == 4 || !a.Room.turns || a.eye.HalfAngle == 0 {
		return gridworld.Stay
	}
	for i := range a.traces {
		if a.traces[i].known {
			return gridworld.Stay
		}
	}
	a.looked++
	return gridworld.TurnRight
}

// Cause says why the episode that ended in w was not passed; None where it was.
func (a *Actor) Cause(w *gridworld.World) Cause {
	switch {
	case w.Outcome() == gridworld.Finished:
		return None
	case a.cause != None:
		return a.cause
	case w.Outcome() == gridworld.Died:
		return Burnt
	case a.after != None:
		return a.after
	case w.Trapped():
		return Wrong
	}
	return a.unfinished()
}

// unfinished says why a body had not come to a reward when the time was out.
func (a *Actor) unfinished() Cause {
	known := false
	for i := range a.traces {
		known = known || a.traces[i].known
	}
	switch a.goal {
	case Reward, LastSeen, Motion, NearestVisible:
		if !known {
			return NotSeen
		}
		if a.goal == NearestVisible && !a.inView() {
			return OutOfMind
		}
	}
	return TimeOut
}
