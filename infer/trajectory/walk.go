package trajectory

import "achilles/gridworld"

// walk is the next action on the way to a target, with what goes wrong on it.
func (m *mover) walk(self gridworld.Actor, target gridworld.Pos) gridworld.Action {
	if m.plunging {
		return m.scene.toward(self, m.into)
	}
	if !m.underway {
		m.setOff(self, target)
	}
	w := m.way(target)
	if d, ok := m.mishap(self.Pos, w); ok {
		m.plunging, m.into, m.last = true, d, true
		return m.scene.toward(self, d)
	}
	if m.done {
		return gridworld.Stay
	}
	action, d := w.next(self, m.rightFirst(w))
	switch {
	case action == gridworld.Stay:
		if m.walker != Informed && (m.committed || !m.seen.inSight) { // else it waits for what moves or hangs in the air
			m.quit()
		}
		return gridworld.Stay
	case m.scene.turns && action != gridworld.Forward:
		return action
	}
	return m.dare(self.Pos.Add(d), w, action)
}

// setOff notes on which side the target lies, and whether lava draws the walker aside: who does not master it and would
// not come past any walks to it.
func (m *mover) setOff(self gridworld.Actor, target gridworld.Pos) {
	m.underway = true
	m.course.side = m.scene.side(target)
	if m.lava && !m.scene.lava.Empty() {
		w := m.way(target)
		m.doomed = !w.passes(&m.scene.brink, self, m.rightFirst(w)) && m.scene.way(gridworld.Nowhere(), false).leads(self)
	}
}

// way is the way that the walker takes. Who goes to a wrong place keeps off the others.
func (m *mover) way(target gridworld.Pos) *way {
	if m.doomed {
		return m.scene.way(gridworld.Nowhere(), false)
	}
	return m.scene.way(target, m.strayed)
}

// rightFirst says whether, of equally good turns, the walker takes the right one: to a reward west of the start, so that
// mirrored worlds have mirrored ways.
func (m *mover) rightFirst(w *way) bool {
	return (m.walker == Capable || m.walker == Informed) && w.to != gridworld.Nowhere() && w.to.X < m.scene.start.Pos.X
}

// dare is the step to q by an action, unless the walker gets stuck there.
func (m *mover) dare(q gridworld.Pos, w *way, action gridworld.Action) gridworld.Action {
	if m.ramp && m.scene.layout.At(q).Kind.Sloped() {
		if w.goals.Has(q) {
			m.quit()
			return gridworld.Stay
		}
		m.last = true
	}
	return action
}

// mishap says in which direction the walker goes astray from p: into lava that it does not master, or off a ledge.
func (m *mover) mishap(p gridworld.Pos, w *way) (gridworld.Dir, bool) {
	if m.lava && m.scene.brink.Has(p) {
		if d, ok := m.neighbour(p, nil, func(q gridworld.Pos) bool { return m.scene.layout.At(q).Kind.Lethal() }); ok {
			return d, true
		}
	}
	if !m.platform {
		return 0, false
	}
	off := func(q gridworld.Pos) bool { return m.drop(p, q) }
	if d, ok := m.neighbour(p, &w.goals, off); ok {
		return d, true
	}
	if _, ok := m.neighbour(p, nil, off); ok { // it would fall where it wants to be
		m.quit()
	}
	return 0, false
}

// drop says whether a legal step from p to q leads off a ledge.
func (m *mover) drop(p, q gridworld.Pos) bool {
	here, there := m.scene.layout.At(p), m.scene.layout.At(q)
	return !here.Kind.Sloped() && !there.Kind.Sloped() && here.Height > there.Height
}

// neighbour returns the first direction in which a legal step from p leads to a cell of which a claim holds and that is
// not to be spared.
func (m *mover) neighbour(p gridworld.Pos, spare *gridworld.Board, claim func(q gridworld.Pos) bool) (gridworld.Dir, bool) {
	for d := gridworld.North; d < gridworld.Directions; d++ {
		if m.scene.layout.CanStep(p, d) && (spare == nil || !spare.Has(p.Add(d))) && claim(p.Add(d)) {
			return d, true
		}
	}
	return 0, false
}
