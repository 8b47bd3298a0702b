package embodied

import (
	"achilles/gridworld"
	"achilles/sim/rng"
)

// An Actor is a body in an episode. The zero Actor is ready to begin one, and to begin another when it is over: it
// keeps its memory. It must not be used by two goroutines at once.
type Actor struct {
	policy *Policy
	room   *Room
	luck   luck
	rand   rng.Rand
	goal   Goal
	eye    gridworld.Viewer
	view   gridworld.View

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
}

// Begin puts a body into a room. All that is left to chance in the episode comes from r: the same room, policy and
// stream give the same actions.
func (a *Actor) Begin(p *Policy, room *Room, r rng.Rand) {
	*a = Actor{policy: p, room: room, rand: r, goal: p.goal, view: a.view, traces: a.traces, emptied: a.emptied, visited: a.visited, held: a.held[:0], gaze: -1, last: room.start.Pos, wish: gridworld.Nowhere()}
	a.luck = p.draw(&a.rand)
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
		return a.eye.HalfAngle == 0 && !a.discerns(a.room.largest)
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

// Viewer is how the body looks at the world now. It watches the places while it may have to find out in which of them
// a reward is.
func (a *Actor) Viewer() gridworld.Viewer {
	v := a.eye
	if a.committed || a.sure {
		v.Watch = nil
	}
	return v
}

// Done says whether the body has given up: it will stay where it is for the rest of the episode.
func (a *Actor) Done() bool { return a.done }

// Act decides on an action, given what the body's Viewer shows. It must be asked at every tick at which something
// that it sees may be new; the view is only read.
func (a *Actor) Act(v *gridworld.View) gridworld.Action {
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
		return a.room.step(v.Self, a.room.start.Heading)
	}
	target, ok := a.aim(v)
	if !ok {
		return a.lookRound()
	}
	return a.walk(v, target)
}

// wander is a random action: in mode Turning a step as often as a turn.
func (a *Actor) wander() gridworld.Action {
	if !a.room.turns {
		return gridworld.Go(gridworld.Dir(a.rand.IntN(gridworld.Directions)))
	}
	return [4]gridworld.Action{gridworld.Forward, gridworld.Forward, gridworld.TurnLeft, gridworld.TurnRight}[a.rand.IntN(4)]
}

// lookRound turns once around, where the body does not see all round and has seen no reward yet.
func (a *Actor) lookRound() gridworld.Action {
	if a.done || a.looked == 4 || !a.room.turns || a.eye.HalfAngle == 0 {
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

// Play lets the body act in w until the episode is over, appending its actions to dst, and says why it did not pass.
// The body must have begun in the room of that world, which stands at tick 0.
func (a *Actor) Play(w *gridworld.World, dst []gridworld.Action) ([]gridworld.Action, Cause) {
	for w.Outcome() == gridworld.Running {
		action := gridworld.Stay
		if !a.done {
			w.View(a.Viewer(), &a.view)
			action = a.Act(&a.view)
			a.hold(a.view.Tick)
		}
		dst = append(dst, action)
		w.Step(action)
		for last := a.idle(w); w.Outcome() == gridworld.Running && w.Tick() < last; w.Step(gridworld.Stay) {
			dst = append(dst, gridworld.Stay)
		}
	}
	return dst, a.Cause(w)
}

// idle is the tick until which a body need not look: one that has given up, until the end; one that is frozen, until
// the schedule changes something.
func (a *Actor) idle(w *gridworld.World) int {
	switch {
	case a.done:
		return w.Rules().Limit
	case w.Frozen():
		return a.room.quiet(w.Tick())
	}
	return w.Tick()
}
