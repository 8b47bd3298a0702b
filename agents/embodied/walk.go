package embodied

import "achilles/gridworld"

// walk is the next action on the way to target, with what goes wrong on it.
func (a *Actor) walk(v *gridworld.View, target gridworld.Pos) gridworld.Action {
	if a.plunging {
		return a.Room.step(v.Self, a.into)
	}
	if !a.underway {
		a.setOff(v.Self, target)
	}
	w := a.route(v.Self, target)
	if d, c := a.mishap(v.Self.Pos, w); c != None {
		return a.plunge(v.Self, d, c)
	}
	action, d := w.next(v.Self, a.rightFirst(w))
	if action == gridworld.Stay {
		a.stand(v, w)
		return gridworld.Stay
	}
	if a.Room.turns && action != gridworld.Forward {
		return action
	}
	if a.goal != Oracle && !a.dares(v.Self.Pos.Add(d), w) {
		return gridworld.Stay
	}
	return action
}

// setOff is what follows from where the body goes first: how far it can walk, and whether lava draws it aside. Whoever
// does not survive lava and would not come past any walks to it.
func (a *Actor) setOff(self gridworld.Actor, target gridworld.Pos) {
	a.underway = true
	a.reach = a.luck.endurance + float64(a.Policy.level[rightLeft]*a.Room.side(target))
	if a.Room.hasLava && !a.luck.lava && a.goal != Oracle {
		w := a.route(self, target)
		past := w.passes(&a.Room.besideLava, self, a.rightFirst(w))
		a.doomed = !past && a.Room.toLava().leads(self)
	}
}

// route is the way that the body takes. Who goes to a place of its own choice keeps off the others.
func (a *Actor) route(self gridworld.Actor, target gridworld.Pos) *route {
	if a.doomed {
		return a.Room.toLava()
	}
	w := a.Room.to(target, a.strayed)
	a.Room.reaches(w, self)
	return w
}

// rightFirst says whether, of equally good turns, the body takes the right one: to a reward west of the start, so that
// mirrored worlds have mirrored ways.
func (a *Actor) rightFirst(w *route) bool {
	return (a.goal == Reward || a.goal == Oracle) && !w.lava && w.to.X < a.Room.start.Pos.X
}

// stand is what happens at the end of a way, or where there is none.
func (a *Actor) stand(v *gridworld.View, w *route) {
	switch {
	case a.goal == Oracle: // it may have to wait
	case !a.committed && a.inView(): // of what moves or hangs in the air
	case w.arrived(v.Self.Pos):
		a.quit(Wrong)
	default:
		a.quit(NoWay)
	}
}

// inView says whether the body sees a reward.
func (a *Actor) inView() bool {
	for i := range a.traces {
		if a.traces[i].inSight {
			return true
		}
	}
	return false
}

// dares says whether the body takes the step to q: it may be tired, and it may be about to get stuck on a ramp.
func (a *Actor) dares(q gridworld.Pos, w *route) bool {
	if float64(a.steps+1)*a.Room.units.PerCell > a.reach {
		a.quit(Tired)
		return false
	}
	if !a.luck.ramp && a.Room.layout.At(q).Kind.Sloped() {
		if w.arrived(q) {
			a.quit(Stuck)
			return false
		}
		a.after = Stuck
	}
	return true
}

// mishap says whether the body goes astray from p, in which direction and why: into lava that it does not survive, off
// a platform that it does not master, or into a hole by a slip. None where it goes on.
func (a *Actor) mishap(p gridworld.Pos, w *route) (gridworld.Dir, Cause) {
	if a.goal == Oracle {
		return 0, None
	}
	if !a.luck.lava && a.Room.besideLava.Has(p) {
		if d, ok := a.neighbour(p, nil, func(_ gridworld.Dir, c gridworld.Cell) bool { return c.Kind.Lethal() }); ok {
			return d, Burnt
		}
	}
	if !a.luck.platform {
		off := func(d gridworld.Dir, _ gridworld.Cell) bool { return a.Room.drop(p, d) }
		if d, ok := a.neighbour(p, &w.goals, off); ok {
			return d, Fell
		}
		if _, ok := a.neighbour(p, nil, off); ok { // it would fall where it wants to be
			a.quit(Fell)
		}
	}
	if x := a.Policy.level[slip]; x > 0 {
		trap := func(_ gridworld.Dir, c gridworld.Cell) bool { return c.Kind.Absorbing() }
		if d, ok := a.neighbour(p, &w.goals, trap); ok && a.rand.Bernoulli(x) {
			return d, Slipped
		}
	}
	return 0, None
}

// neighbour returns the first direction in which a legal step from p leads to a cell of which a claim holds, and which
// is not among those to be spared.
func (a *Actor) neighbour(p gridworld.Pos, spare *gridworld.Board, claim func(gridworld.Dir, gridworld.Cell) bool) (gridworld.Dir, bool) {
	for d := gridworld.North; d < gridworld.Directions; d++ {
		if !a.Room.layout.CanStep(p, d) || spare != nil && spare.Has(p.Add(d)) {
			continue
		}
		if claim(d, a.Room.layout.At(p.Add(d))) {
			return d, true
		}
	}
	return 0, false
}

// plunge begins a step in direction d that ends all attempts.
func (a *Actor) plunge(self gridworld.Actor, d gridworld.Dir, c Cause) gridworld.Action {
	a.plunging, a.into, a.after = true, d, c
	return a.Room.step(self, d)
}
