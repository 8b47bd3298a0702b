package trajectory

import "achilles/gridworld"

// A way knows the cheapest legal steps to some cells, in ticks where the world has turns, else in steps.
type way struct {
	to    gridworld.Pos // Nowhere: to the nearest lava
	clear bool          // it keeps off the other places, where it can
	goals gridworld.Board
	avoid gridworld.Board
	turns bool
	turn  gridworld.TurnField
	step  gridworld.Field
}

// way returns the way to a cell, worked out the first time; to Nowhere: to the nearest lava.
func (s *Scene) way(to gridworld.Pos, clear bool) *way {
	for _, w := range s.ways {
		if w.to == to && w.clear == clear {
			return w
		}
	}
	w := &way{to: to, clear: clear, turns: s.turns}
	w.turn.Avoid, w.step.Avoid = &w.avoid, &w.avoid
	switch {
	case to == gridworld.Nowhere():
		w.goals = s.lava
	default:
		if w.goals = s.layout.Contact(to); w.goals.Empty() && s.layout.Inside(to) {
			w.goals = gridworld.BoardOf(to)
		}
	}
	if clear {
		w.avoid = s.watch
		w.avoid.Remove(&w.goals)
	}
	if w.plan(s); clear && !w.leads(s.start) {
		w.avoid = gridworld.Board{}
		w.plan(s)
	}
	s.ways = append(s.ways, w)
	return w
}

func (w *way) plan(s *Scene) {
	if w.turns {
		w.turn.Toward(&s.layout, &w.goals)
		return
	}
	w.step.Toward(&s.layout, &w.goals)
}

// leads says whether an actor can come to the end of the way.
func (w *way) leads(a gridworld.Actor) bool {
	_, ok := w.cost(a)
	return ok
}

// cost is what the way costs an actor; false where it leads nowhere.
func (w *way) cost(a gridworld.Actor) (int, bool) {
	if w.goals.Has(a.Pos) {
		return 0, true
	}
	if w.turns {
		return w.turn.Cost(a)
	}
	return w.step.Distance(a.Pos)
}

// next is the first action of the way and the direction in which it goes or turns: straight on where that is as good as
// any, else of equally good turns the left one, or the right one where that is asked for. At the end it is Stay.
func (w *way) next(a gridworld.Actor, right bool) (gridworld.Action, gridworld.Dir) {
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
func (w *way) passes(b *gridworld.Board, a gridworld.Actor, right bool) bool {
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

// toward is the action that brings an actor nearer to a step in direction d: the step itself, or a turn.
func (s *Scene) toward(a gridworld.Actor, d gridworld.Dir) gridworld.Action {
	switch {
	case !s.turns:
		return gridworld.Go(d)
	case d == a.Heading:
		return gridworld.Forward
	case d == a.Heading.Turn(2):
		return gridworld.TurnRight
	}
	return gridworld.TurnLeft
}

// nearest returns the cell that one can come to from p, and leave, which is nearest to a target; of equally near ones
// the first from the south-west.
func (s *Scene) nearest(p, target gridworld.Pos) gridworld.Pos {
	can := s.layout.Reachable(p)
	best := p
	for q := range can.All() {
		if q.Manhattan(target) < best.Manhattan(target) && !s.layout.At(q).Kind.Absorbing() {
			best = q
		}
	}
	return best
}
