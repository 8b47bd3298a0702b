package policy

import "achilles/gridworld"

// A Route has the cheapest legal ways to some cells, its goals: by ticks if the world has turns, else by steps. It is
// invalid once a cell of the world changes. The zero Route is ready for Plan, which may be called again.
type Route struct {
	to    gridworld.Pos   // the cell to be touched; Nowhere if the route was planned to given goals
	clear bool            // the route avoids all places except `to`, if possible
	goals gridworld.Board // the cells in which the route ends
	avoid gridworld.Board // the cells that the route does not enter

	turns bool
	whole bool // the ways were computed from everywhere, not only as far as the actor needed
	turn  gridworld.TurnField
	step  gridworld.Field
}

// Plan makes r the route to some cells of w, computed as far as the actor needs. It returns false if there is no way.
func (r *Route) Plan(w *gridworld.World, goals *gridworld.Board, from gridworld.Actor) bool {
	r.goals, r.avoid = *goals, gridworld.Board{}
	r.plan(w, from)
	return r.leads(from)
}

// plan computes the ways as far as an actor needs, because most actors never leave the way from their start.
func (r *Route) plan(w *gridworld.World, from gridworld.Actor) {
	r.keepOff()
	if r.turns = w.Rules().Move == gridworld.Turning; r.turns {
		r.whole = false
		r.turn.Until(w, &r.goals, from)
		return
	}
	r.whole = true
	r.step.Toward(w, &r.goals)
}

// planWhole computes the ways from everywhere.
func (r *Route) planWhole(w *gridworld.World) {
	r.keepOff()
	r.whole = true
	if r.turns = w.Rules().Move == gridworld.Turning; r.turns {
		r.turn.Toward(w, &r.goals)
		return
	}
	r.step.Toward(w, &r.goals)
}

func (r *Route) keepOff() {
	r.turn.Avoid, r.step.Avoid = nil, nil
	if !r.avoid.Empty() {
		r.turn.Avoid, r.step.Avoid = &r.avoid, &r.avoid
	}
}

// leads says whether a way from actor a is known, as far as the ways were computed.
func (r *Route) leads(a gridworld.Actor) bool {
	if r.goals.Has(a.Pos) {
		return true
	}
	if !r.turns {
		return r.step.Descents(a.Pos) != 0
	}
	ahead, left, right := r.turn.Best(a)
	return ahead || left || right
}

// ends says whether p is a goal.
func (r *Route) ends(p gridworld.Pos) bool { return r.goals.Has(p) }

// Next returns the first action of the way for an actor, and the direction in which this action goes or turns. It
// prefers going straight on; of two equally good turns it takes the left one, or the right one if right is true. It
// returns Stay at the end of the way or if there is no way.
func (r *Route) Next(a gridworld.Actor, right bool) (gridworld.Action, gridworld.Dir) {
	if !r.turns {
		ways := r.step.Descents(a.Pos)
		switch {
		case ways == 0:
			return gridworld.Stay, a.Heading
		case ways.Has(a.Heading):
			return gridworld.Go(a.Heading), a.Heading
		}
		return gridworld.Go(ways.First()), ways.First()
	}
	switch ahead, toLeft, toRight := r.turn.Best(a); {
	case ahead:
		return gridworld.Forward, a.Heading
	case toLeft && !(toRight && right):
		return gridworld.TurnLeft, a.Heading.Turn(-2)
	case toRight:
		return gridworld.TurnRight, a.Heading.Turn(2)
	}
	return gridworld.Stay, a.Heading
}

// passes says whether an actor that takes this route enters a cell of b.
func (r *Route) passes(b *gridworld.Board, a gridworld.Actor, right bool) bool {
	for !b.Has(a.Pos) {
		action, d := r.Next(a, right)
		if action == gridworld.Stay {
			return false
		}
		if a.Heading = d; action == gridworld.Forward || !r.turns {
			a.Pos = a.Pos.Add(d)
		}
	}
	return true
}

// routeTo returns the route to a cell, and plans it the first time. If clear is true the route avoids the other places,
// if possible.
func (r *Room) routeTo(p gridworld.Pos, clear bool) *Route {
	w, fresh := r.route(p, clear)
	if !fresh {
		return w
	}
	w.goals = r.touching(p)
	w.avoid = gridworld.Board{}
	if clear {
		w.avoid = r.watch
		w.avoid.Remove(&w.goals)
	}
	if w.plan(&r.layout, r.start); clear && !w.leads(r.start) {
		w.avoid = gridworld.Board{}
		w.plan(&r.layout, r.start)
	}
	return w
}

// routeToLava returns the route to the nearest lava.
func (r *Room) routeToLava() *Route {
	w, fresh := r.route(gridworld.Nowhere(), false)
	if fresh {
		lava, _ := r.allLava()
		w.goals, w.avoid = *lava, gridworld.Board{}
		w.planWhole(&r.layout)
	}
	return w
}

// route returns the cached route to a cell, or a fresh one that must be planned.
func (r *Room) route(to gridworld.Pos, clear bool) (w *Route, fresh bool) {
	for _, w := range r.routes[:r.used] {
		if w.to == to && w.clear == clear {
			return w, false
		}
	}
	if r.used == len(r.routes) {
		r.routes = append(r.routes, &Route{})
	}
	w = r.routes[r.used]
	w.to, w.clear = to, clear
	r.used++
	return w, true
}

// reaches says whether route w has a way for actor a. It computes the rest of the route if necessary.
func (r *Room) reaches(w *Route, a gridworld.Actor) bool {
	if !w.leads(a) && !w.whole {
		w.planWhole(&r.layout)
	}
	return w.leads(a)
}

// approach returns p if actor a can reach p; otherwise the cell nearest to p that it can reach.
func (r *Room) approach(a gridworld.Actor, p gridworld.Pos) gridworld.Pos {
	if !r.reaches(r.routeTo(p, false), a) {
		return r.nearest(a.Pos, p)
	}
	return p
}

// cost returns the cost of the way for an actor, and false if there is no way.
func (r *Room) cost(w *Route, a gridworld.Actor) (int, bool) {
	if !r.reaches(w, a) {
		return 0, false
	}
	if w.turns {
		return w.turn.Cost(a)
	}
	return w.step.Distance(a.Pos)
}

// step returns the next action of an actor that wants to step in direction d: the step, or a turn towards d.
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
