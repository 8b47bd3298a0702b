package policy

import "achilles/gridworld"

// A gait is how an agent goes where it has chosen to go.
type gait struct {
	choice
	toward  gridworld.Pos // the cell to which least refers
	least   int           // least distance from that cell, without diagonals, since the agent set off for it
	toLava  bool          // the agent walks to lava instead of to its target
	reach   float64       // largest distance that the agent walks
	last    gridworld.Pos // cell of the agent when it last acted
	steps   int
	falling bool
	into    gridworld.Dir // direction of the step after which the agent gives up
	after   Cause         // cause for which the agent gives up after the next step; None: it does not
}

// walk returns the next action on the way to target, including mishaps.
func (a *gait) walk(self gridworld.Actor, target gridworld.Pos) gridworld.Action {
	if a.falling {
		return a.room.step(self, a.into)
	}
	if !a.underway {
		a.setOff(self, target)
	}
	w := a.route(self, target)
	if d, c := a.mishap(self.Pos, w); c != None {
		a.falling, a.into, a.after = true, d, c
		return a.room.step(self, d)
	}
	if a.done {
		return gridworld.Stay
	}
	action, d := w.Next(self, a.rightFirst(w))
	if action == gridworld.Stay {
		a.stand(self, w)
		return gridworld.Stay
	}
	if a.room.turns && action != gridworld.Forward {
		return action
	}
	if a.Goal != Oracle && !a.dares(self.Pos.Add(d), w) {
		return gridworld.Stay
	}
	return action
}

// setOff decides how far the agent can walk, and whether it walks to lava instead: it does if it cannot handle lava and
// no cell of its way is beside lava. It runs once, when the agent first goes somewhere.
func (a *gait) setOff(self gridworld.Actor, target gridworld.Pos) {
	a.underway = true
	a.demands.Side = a.room.Side(target)
	a.reach = a.Endurance + float64(a.RightLeft*a.demands.Side)
	if a.Lava || a.Goal == Oracle {
		return
	}
	if lava, beside := a.room.allLava(); !lava.Empty() {
		w := a.route(self, target)
		past := w.passes(beside, self, a.rightFirst(w))
		a.toLava = !past && a.room.routeToLava().leads(self)
	}
}

// route returns the route that the agent takes. An agent that has strayed avoids the other places.
func (a *gait) route(self gridworld.Actor, target gridworld.Pos) *Route {
	switch {
	case a.toLava:
		return a.room.routeToLava()
	case a.Goal == Sweep && !a.chosen:
		return a.tour.way
	}
	w := a.room.routeTo(target, a.strayed)
	a.room.reaches(w, self)
	return w
}

// rightFirst says whether the agent takes the right one of two equally good turns. It does if the reward is west of the
// start, so that it walks mirrored ways in mirrored worlds.
func (a *gait) rightFirst(w *Route) bool {
	return (a.Goal == Reward || a.Goal == Oracle) && w.to != gridworld.Nowhere() && w.to.X < a.room.start.Pos.X
}

// stand decides whether an agent that has reached the end of its way, or has no way, waits or gives up.
func (a *gait) stand(self gridworld.Actor, w *Route) {
	switch {
	case a.Goal == Oracle: // the reward may still have to arrive
	case !a.committed && a.inView(): // the reward may still move or come down
	case w.ends(self.Pos):
		a.quit(Wrong)
	default:
		a.quit(NoWay)
	}
}

// inView says whether the agent sees a reward.
func (a *memory) inView() bool {
	for i := range a.traces {
		if a.traces[i].inSight {
			return true
		}
	}
	return false
}

// retreats says whether the step to q leads farther away from `to` than the agent is ready to go: by more than Retreat
// cells farther than it was at its closest.
func (a *gait) retreats(q, to gridworld.Pos) bool {
	if to == gridworld.Nowhere() {
		return false
	}
	if to != a.toward {
		a.toward, a.least = to, a.last.Manhattan(to)
	}
	away := q.Manhattan(to) - a.least
	a.least += min(away, 0)
	return away > 0 && (float64(away) > a.Retreat || !a.Reach && a.sure)
}

// dares says whether the agent takes the step to q. If not, the agent has given up: it is tired, would have to go too far
// round something, or is stuck on a ramp.
func (a *gait) dares(q gridworld.Pos, w *Route) bool {
	if float64(a.steps+1)*a.room.units.PerCell > a.reach {
		a.quit(Tired)
		return false
	}
	if a.retreats(q, w.to) {
		a.quit(Barred)
		return false
	}
	if !a.Ramp && a.room.layout.At(q).Kind.Sloped() {
		if w.ends(q) {
			a.quit(Stuck)
			return false
		}
		a.after = Stuck
	}
	a.demands.Steps = a.steps + 1
	return true
}

// mishap returns the direction and the cause of a false step from p: into lava that the agent cannot handle, off the
// edge of a platform, or into a hole by a slip. The cause is None if the agent makes no false step.
func (a *gait) mishap(p gridworld.Pos, w *Route) (gridworld.Dir, Cause) {
	if a.Goal == Oracle {
		return 0, None
	}
	if !a.Lava {
		if _, beside := a.room.allLava(); beside.Has(p) {
			if d, ok := a.neighbour(p, nil, func(_ gridworld.Dir, c gridworld.Cell) bool { return c.Kind.Lethal() }); ok {
				return d, Burnt
			}
		}
	}
	if !a.Edge {
		off := func(d gridworld.Dir, _ gridworld.Cell) bool { return a.room.drop(p, d) }
		if d, ok := a.neighbour(p, &w.goals, off); ok {
			return d, Fell
		}
		if _, ok := a.neighbour(p, nil, off); ok { // every drop leads to where the agent wants to go: it stops before the drop
			a.quit(Fell)
			return 0, None
		}
	}
	if a.Slip > 0 {
		trap := func(_ gridworld.Dir, c gridworld.Cell) bool { return c.Kind.Absorbing() }
		if d, ok := a.neighbour(p, &w.goals, trap); ok && a.draws.Bernoulli(a.Slip) {
			return d, Slipped
		}
	}
	return 0, None
}

// neighbour returns the first direction in which a legal step from p leads to a cell that satisfies claim and is not in
// spare.
func (a *gait) neighbour(p gridworld.Pos, spare *gridworld.Board, claim func(gridworld.Dir, gridworld.Cell) bool) (gridworld.Dir, bool) {
	for d := gridworld.North; d < gridworld.Directions; d++ {
		if !a.room.layout.CanStep(p, d) || spare != nil && spare.Has(p.Add(d)) {
			continue
		}
		if claim(d, a.room.layout.At(p.Add(d))) {
			return d, true
		}
	}
	return 0, false
}
