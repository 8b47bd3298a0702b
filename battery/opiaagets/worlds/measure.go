package worlds

import "achilles/gridworld"

// A measurement is what was found on a built world.
type measurement struct {
	finished     bool // the full-information actor reaches the reward in time
	manhattan    int  // cells from the start to where the reward ends, without diagonals
	steps, turns int  // of the way
	side         int  // of where the reward ends, seen along the first heading
	hidden       int  // ticks of the longest stretch in which the reward could not be seen
	delay        int  // ticks from when the reward has come to rest until the actor may act
	dark, bounce bool // the lights go out; the reward is seen to move
	displaced    bool // it ends elsewhere than it was last seen before the actor may act

	occluder          bool // the reward's cell is out of sight from the start
	positions, places int  // places out of sight besides the right one; all places
	forced            bool // from no other place there is a way to the reward

	lava, ramp, platform, transparent bool
}

// A meter measures worlds. It is for one goroutine at a time.
type meter struct {
	episode gridworld.World
	field   gridworld.Field
	goal    gridworld.Board
	slopes  gridworld.Board
	measurement
}

// measure measures a world at tick 0 in which thing 0 is the reward, along a way.
func (m *meter) measure(w *gridworld.World, places []gridworld.Pos, y *way) {
	m.measurement = measurement{steps: y.steps, turns: y.turns, places: len(places)}
	start := w.Actor()
	m.perform(w, y.actions)
	to := m.episode.Thing(0).Pos
	m.manhattan, m.side = start.Pos.Manhattan(to), sideOf(start, to)
	m.occluder = !w.Sees(start.Pos, to)
	if m.occluder {
		for _, p := range places {
			m.positions += is(p != to && !w.Sees(start.Pos, p))
		}
	}
	m.goal = gridworld.BoardOf(to)
	m.scan(w)
	m.ramp = m.needsRamp(w, start.Pos)
	m.forced = m.isForced(w, places, to)
}

// perform lets the actor wait until it may act and then go its way, and measures what can be seen meanwhile. It could
// look round at any tick: that the reward can be seen means that it is in the air or on a free line, and in light.
func (m *meter) perform(w *gridworld.World, actions []gridworld.Action) {
	e := &m.episode
	e.CopyFrom(w)
	var g gaze
	last, saw, at := e.Thing(0), true, e.Thing(0).Pos
	unseen, rest, free := 0, 0, false
	for e.Outcome() == gridworld.Running {
		now, sees := e.Thing(0), g.sees(e)
		if now.Pos != last.Pos || now.State != last.State {
			rest = e.Tick()
			m.bounce = m.bounce || saw && sees && now.Pos != last.Pos
		}
		if last, saw = now, sees; sees {
			unseen, at = 0, now.Pos
		} else {
			unseen++
		}
		m.hidden, m.dark = max(m.hidden, unseen), m.dark || e.Dark()
		if e.Frozen() {
			e.Step(gridworld.Stay)
			continue
		}
		if !free {
			free, m.delay, m.displaced = true, e.Tick()-rest, at != now.Pos
		}
		if len(actions) == 0 {
			return
		}
		e.Step(actions[0])
		actions = actions[1:]
	}
	m.finished = e.Outcome() == gridworld.Finished
}

// A gaze remembers the last line of sight: for most ticks neither the actor nor the reward has moved.
type gaze struct {
	from, to    gridworld.Pos
	known, free bool
}

func (g *gaze) sees(w *gridworld.World) bool {
	t, from := w.Thing(0), w.Actor().Pos
	if w.Dark() || t.State > gridworld.Air {
		return false
	}
	if !g.known || from != g.from || t.Pos != g.to {
		g.from, g.to, g.known, g.free = from, t.Pos, true, w.Sees(from, t.Pos)
	}
	return t.State == gridworld.Air || g.free
}

// scan looks at every cell: for lava, clear walls, ramps, and for ledges, where raised ground ends without a ramp.
func (m *meter) scan(w *gridworld.World) {
	var high, floor gridworld.Board
	m.slopes = gridworld.Board{}
	for y := range w.Height() {
		for x := range w.Width() {
			c := w.At(gridworld.Pos{X: x, Y: y})
			switch {
			case c.Kind == gridworld.ClearWall:
				m.transparent = true
			case c.Kind.Sloped():
				m.slopes[y] |= 1 << x
			case !c.Kind.Passable():
			case c.Height > 0:
				high[y] |= 1 << x
			default:
				floor[y] |= 1 << x
			}
			m.lava = m.lava || c.Kind.Lethal()
		}
	}
	for y := range w.Height() {
		m.platform = m.platform || high[y]&(floor[y]<<1|floor[y]>>1) != 0 ||
			y > 0 && (high[y]&floor[y-1]|high[y-1]&floor[y]) != 0
	}
}

// needsRamp says whether there is no way to the reward without a ramp.
func (m *meter) needsRamp(w *gridworld.World, start gridworld.Pos) bool {
	if m.slopes.Empty() {
		return false
	}
	m.field.Avoid = &m.slopes
	_, ok := m.field.Until(w, &m.goal, start)
	return !ok
}

// isForced says whether there are other places, and from none of them a way to the reward.
func (m *meter) isForced(w *gridworld.World, places []gridworld.Pos, to gridworld.Pos) bool {
	if len(places) < 2 {
		return false
	}
	m.field.Avoid = nil
	m.field.Toward(w, &m.goal)
	back := m.field.Cells()
	for _, p := range places {
		if p != to && back.Has(p) {
			return false
		}
	}
	return true
}

// sideOf is the side of p, seen along the heading of a.
func sideOf(a gridworld.Actor, p gridworld.Pos) int {
	right := gridworld.Pos{}.Add(a.Heading.Turn(2))
	offset := (p.X-a.Pos.X)*right.X + (p.Y-a.Pos.Y)*right.Y
	return max(-1, min(1, offset))
}
