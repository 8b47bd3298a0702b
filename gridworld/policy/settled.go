package policy

import (
	"achilles/gridworld"
	"achilles/sim/rng"
)

// WalksInto says whether an agent with the parameters Perfect(g), which knows what a knows of its episode and acts from now
// on in w, enters one of the cells before the time limit. It follows the agent without an episode. The other arguments are
// for the goal Random: the agent's Moves and its source of random choices.
//
// known is false if an episode is needed to know: if w has no turns, if its schedule has not ended or, for a goal that needs sight, unless
// the only thing in w is a reward that rests where a last saw it. w must have no keys, which change the layout.
func (a *Agent) WalksInto(w *gridworld.World, cells *gridworld.Board, g Goal, moves []gridworld.Action, draws rng.Rand) (into, known bool) {
	r := a.Room
	if w.Tick() < r.over() || !r.turns {
		return false, false
	}
	switch g {
	case Left, Right, NearestPlace:
		side, _ := g.side()
		k := r.Nearest(side)
		return k != NoPlace && r.enters(w, cells, r.toward(r.start, r.places[k])), true
	case Ahead:
		return r.enters(w, cells, r.ahead), true
	case Random:
		return r.enters(w, cells, func(gridworld.Actor) gridworld.Action { return moves[draws.IntN(len(moves))] }), true
	case LastSeen, NearestVisible, Sweep:
		p, seen, rests := a.resting(w)
		switch {
		case !rests || g == LastSeen && !seen:
			return false, false
		case g == LastSeen:
			return r.enters(w, cells, r.toward(w.Actor(), p)), true
		case g == NearestVisible:
			return r.enters(w, cells, r.inSight(w, p)), true
		}
		return r.enters(w, cells, r.sweeping(w, p)), true
	}
	return false, false
}

// A walk returns the next action of an actor; Stay means that it stays for good.
type walk func(gridworld.Actor) gridworld.Action

// enters says whether the actor of w comes into one of the cells by a walk before the time limit.
func (r *Room) enters(w *gridworld.World, cells *gridworld.Board, next walk) bool {
	self := w.Actor()
	for range r.layout.Rules().Limit - w.Tick() {
		action := next(self)
		if action == gridworld.Stay {
			return false
		}
		if self = r.after(self, action); cells.Has(self.Pos) {
			return true
		}
	}
	return false
}

// after returns where an actor is after an action of mode Turning.
func (r *Room) after(self gridworld.Actor, action gridworld.Action) gridworld.Actor {
	switch action {
	case gridworld.TurnLeft:
		self.Heading = self.Heading.Turn(-2)
	case gridworld.TurnRight:
		self.Heading = self.Heading.Turn(2)
	case gridworld.Forward:
		if r.layout.CanStep(self.Pos, self.Heading) {
			self.Pos = self.Pos.Add(self.Heading)
		}
	}
	return self
}

// ahead is the walk of the goal Ahead. The actor stays for good when it cannot go on.
func (r *Room) ahead(self gridworld.Actor) gridworld.Action {
	if !r.layout.CanStep(self.Pos, r.start.Heading) {
		return gridworld.Stay
	}
	return r.step(self, r.start.Heading)
}

// toward returns the walk of an actor to p or, if it cannot reach p, to the nearest cell that it can reach.
func (r *Room) toward(self gridworld.Actor, p gridworld.Pos) walk {
	way := r.routeTo(r.approach(self, p), false)
	return func(self gridworld.Actor) gridworld.Action {
		r.reaches(way, self)
		action, _ := way.Next(self, false)
		return action
	}
}

// inSight returns the walk to a reward that rests at p, for as long as it is in sight.
func (r *Room) inSight(w *gridworld.World, p gridworld.Pos) walk {
	var on walk
	return func(self gridworld.Actor) gridworld.Action {
		if !w.Sees(self.Pos, p) {
			return gridworld.Stay
		}
		if on == nil {
			on = r.toward(self, p)
		}
		return on(self)
	}
}

// sweeping returns the walk from place to place until the reward that rests at p is in sight, and then to p.
func (r *Room) sweeping(w *gridworld.World, p gridworld.Pos) walk {
	r.tour.left = append(r.tour.left[:0], r.places...)
	underway := false
	var on walk
	return func(self gridworld.Actor) gridworld.Action {
		if on == nil && w.Sees(self.Pos, p) {
			on = r.toward(self, p)
		}
		if on != nil {
			return on(self)
		}
		r.tour.plan(&r.layout, self, underway)
		underway = true
		action, _ := r.tour.way.Next(self, false)
		return action
	}
}

// resting returns the cell of the only thing in w, and whether the agent has seen it. rests is true if the thing is a reward
// on the ground, which the agent either has not seen or saw in the same cell.
func (a *Agent) resting(w *gridworld.World) (p gridworld.Pos, seen, rests bool) {
	if w.Len() != 1 {
		return p, false, false
	}
	t, known := w.Thing(0), &a.traces[0]
	rests = t.Kind == gridworld.Reward && t.State == gridworld.Ground && (!known.known || known.thing.Pos == t.Pos)
	return t.Pos, known.known, rests
}
