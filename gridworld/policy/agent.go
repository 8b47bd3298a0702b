package policy

import (
	"context"
	"slices"

	"achilles/gridworld"
	"achilles/sim"
	"achilles/sim/rng"
)

// An Agent acts by its Parameters in the Room of an episode. Both must be set before the episode and not change until
// its end. An Agent acts in one episode after another, in one goroutine at a time, and must not be copied.
type Agent struct {
	Room *Room
	Parameters
	Draws   *rng.Rand // source of random choices; nil: a stream from the key of the episode
	Beliefs *Beliefs  // records what the agent believes; nil: nothing is recorded
	Past    *Past     // what it did in the trials before this one of a block; nil: the trial stands alone
	Leaves  bool      // the agent leaves an episode as soon as it stands still and nothing can make it move or, with Beliefs, believe something else

	view gridworld.View // what it saw last
	state
}

var _ gridworld.Agent = (*Agent)(nil)

// Reset begins an episode at tick 0 of the world for which the room was entered. The error is always nil.
func (a *Agent) Reset(_ context.Context, first gridworld.Observation) error {
	room := a.Room
	old := &a.state
	a.state = state{gait: gait{last: room.start.Pos, toward: gridworld.Nowhere(), choice: choice{
		draws: a.Draws, sought: gridworld.Nowhere(), tour: tour{append(old.tour.left[:0], room.places...), old.tour.way},
		reasoning: reasoning{located: old.located, memory: memory{
			sight:  sight{room, &a.Parameters, a.Eyes(), &a.view},
			traces: cleared(old.traces, room.things), emptied: cleared(old.emptied, len(room.places)),
			visited: cleared(old.visited, len(room.places)), hidings: cleared(old.hidings, len(room.places)),
			demands: Demands{Others: old.demands.Others[:0]}, past: a.Past, looked: -1,
		}},
	}}}
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

// blind says whether the agent will never see a reward, and so would never move.
func (a *Agent) blind() bool {
	return a.Goal.needsReward() && a.HalfAngle == 0 && !a.discerns(a.Room.largest)
}

// Act looks at the world if anything depends on it, and decides on an action. The error is sim.ErrLeft when the agent
// leaves.
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
		if t := now.Tick(); a.Leaves && t > 0 && t >= a.Room.settled { // before the last cue, a thing may come to the agent
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
	a.waits = action == gridworld.Stay && a.looked > a.Room.over() && (a.Beliefs == nil || !a.wonders())
	return action, nil
}

// wonders says whether what the agent believes may change although it sees nothing new: it may forget a reward that is out of sight, or
// infer that it has moved on.
func (a *memory) wonders() bool {
	return slices.ContainsFunc(a.traces, func(t trace) bool { return t.known && !t.inSight && !t.forgotten })
}

// sleeps says whether the agent need not look at this tick. This is so while it cannot act and the schedule will change
// nothing at the next tick.
func (a *Agent) sleeps(now gridworld.Observation) bool {
	t := now.Tick()
	if t > 0 && t >= a.wake && now.Frozen() {
		a.wake = a.Room.quiet(t)
	}
	return t < a.wake
}

// decide returns the action for this tick.
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

// wander returns a random action.
func (a *Agent) wander() gridworld.Action {
	switch {
	case a.Moves != nil:
		return a.Moves[a.draws.IntN(len(a.Moves))]
	case !a.Room.turns:
		return gridworld.Go(gridworld.Dir(a.draws.IntN(gridworld.Directions)))
	}
	return [...]gridworld.Action{gridworld.Forward, gridworld.Forward, gridworld.TurnLeft, gridworld.TurnRight}[a.draws.IntN(4)]
}

// lookRound turns the agent once around if it does not see in every direction and has seen no reward yet.
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

// Done says whether the agent has given up and will stay where it is for the rest of the episode.
func (a *Agent) Done() bool { return a.done }

// Demands returns what the episode has asked of the agent so far.
func (a *Agent) Demands() *Demands { return &a.demands }
