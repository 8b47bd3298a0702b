package embodied

import "achilles/gridworld"

// A route knows the cheapest legal ways to one cell, in ticks where the world has turns, else in steps.
type route struct {
	to    gridworld.Pos
	clear bool // it keeps off the other places
	lava  bool // it leads to the nearest lava instead
	goals gridworld.Board
	avoid gridworld.Board

	turns bool
	whole bool // the field is known everywhere, not only as far as the start
	turn  gridworld.TurnField
	step  gridworld.Field
}

// to returns the route to a cell, planning it the first time. A clear one keeps off the other places, if it can.
func (r *Room) to(p gridworld.Pos, clear bool) *route {
	for _, w := range r.routes[:r.used] {
		if w.to == p && w.clear == clear && !w.lava {
			return w
		}
	}
	w := r.spare()
	w.to, w.clear, w.lava = p, clear, false
	if w.goals = r.layout.Contact(p); w.goals.Empty() && r.layout.Inside(p) {
		w.goals = gridworld.BoardOf(p) // lava: it can be walked to, and no farther
	}
	w.avoid = gridworld.Board{}
	if clear {
		w.avoid = r.watch
		w.avoid.Remove(&w.goals)
	}
	if r.plan(w, false); clear && !w.leads(r.start) {
		w.avoid = gridworld.Board{}
		r.plan(w, false)
	}
	return w
}

// toLava returns the route to the nearest lava.
func (r *Room) toLava() *route {
	for _, w := range r.routes[:r.used] {
		if w.lava {
			return w
		}
	}
	w := r.spare()
	w.lava, w.goals, w.avoid = true, r.lava, gridworld.Board{}
	r.plan(w, true)
	return w
}

// spare returns an unused route.
func (r *Room) spare() *route {
	if r.used == len(r.routes) {
		w := &route{}
		w.turn.Avoid, w.step.Avoid = &w.avoid, &w.avoid
		r.routes = append(r.routes, w)
	}
	w := r.routes[r.used]
	w.turns = r.turns
	r.used++
	return w
}

// plan computes the field of w, at first only as far as the start: most bodies never leave the way from there.
func (r *Room) plan(w *route, whole bool) {
	w.whole = whole
	switch {
	case w.turns && whole:
		w.turn.Toward(&r.layout, &w.goals)
	case w.turns:
		w.turn.Until(&r.layout, &w.goals, r.start)
	default:
		w.whole = true
		w.step.Toward(&r.layout, &w.goals)
	}
}

// leads says whether w has a way for an actor, as far as it is known.
func (w *route) leads(a gridworld.Actor) bool {
	if w.goals.Has(a.Pos) {
		return true
	}
	if !w.turns {
		return w.step.Descents(a.Pos) != 0
	}
	ahead, left, right := w.turn.Best(a)
	return ahead || left || right
}

// reaches says whether there is a way for an actor.
func (r *Room) reaches(w *route, a gridworld.Actor) bool {
	if !w.leads(a) && !w.whole {
		r.plan(w, true)
	}
	return w.leads(a)
}

// cost is what the way costs an actor; false where there is none.
func (r *Room) cost(w *route, a gridworld.Actor) (int, bool) {
	if !r.reaches(w, a) {
		return 0, false
	}
	if w.turns {
		return w.turn.Cost(a)
	}
	return w.step.Distance(a.Pos)
}

// arrived says whether p is an end of the way.
func (w *route) arrived(p gridworld.Pos) bool { return w.goals.Has(p) }

// next is the first action of the way for an actor, and the direction in which it goes or turns: straight on where that
// is as good as any, else of equally good turns the left or the right one. Without a way it is Stay.
func (w *route) next(a gridworld.Actor, right bool) (gridworld.Action, gridworld.Dir) {
	if !w.turns {
		ways := w.step.Descents(a.Pos)
		switch {
		case ways == 0:
			return gridworld.Stay, a.Heading
		case ways.Has(a.Heading):
			return gridworld.Go(a.Heading), a.Heading
		}
		return gridworld.Go(ways.First()), ways.First()
	}
	switch ahead, toLeft, toRight := w.turn.Best(a); {
	case ahead:
		return gridworld.Forward, a.Heading
	case toLeft && !(toRight && right):
		return gridworld.TurnLeft, a.Heading.Turn(-2)
	case toRight:
		return gridworld.TurnRight, a.Heading.Turn(2)
	}
	return gridworld.Stay, a.Heading
}

// passes says whether an actor that goes this way comes to a cell of b.
func (w *route) passes(b *gridworld.Board, a gridworld.Actor, right bool) bool {
	for !b.Has(a.Pos) {
		action, d := w.next(a, right)
		if action == gridworld.Stay {
			return false
		}
		if a.Heading = d; action == gridworld.Forward || !w.turns {
			a.Pos = a.Pos.Add(d)
		}
	}
	return true
}

// step is the action with which an actor comes nearer to a step in direction d: the step itself, or a turn.
func (r *Room) step(a gridworld.Actor, d gridworld.Dir) gridworld.Action {
	switch {
	case !r.turns:
		return gridworld.Go(d)
	case d == a.Heading:
		return gridworld.Forward
	case d == a.Heading.Turn(2):
		return gridworld.TurnRight
	}
	return gridworld.TurnLeft
}

// nearest returns the cell that one can come to from p, and leave, which is nearest to a target, without diagonals; of
// equally near ones the first from the south-west.
func (r *Room) nearest(p, target gridworld.Pos) gridworld.Pos {
	can := r.layout.Reachable(p)
	best := p
	for q := range can.All() {
		if q.Manhattan(target) < best.Manhattan(target) && !r.layout.At(q).Kind.Absorbing() {
			best = q
		}
	}
	return best
}
