package worlds

import (
	"context"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim"
)

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
	env     gridworld.Env
	actor   policy.Replay
	options gridworld.Options
	gaze    gaze
	field   gridworld.Field
	goal    gridworld.Board
	slopes  gridworld.Board
	measurement

	last   gridworld.Thing // the reward, as it was at the last tick
	saw    bool            // it could be seen then
	at     gridworld.Pos   // where it was last seen
	unseen int             // ticks since
	rest   int             // the tick at which it came to rest
	free   bool            // the actor may act
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
	m.episode.CopyFrom(w)
	reward := m.episode.Thing(0)
	m.gaze = gaze{}
	m.last, m.saw, m.at, m.unseen, m.rest, m.free = reward, true, reward.Pos, 0, 0, false
	m.actor = policy.Replay{Actions: actions, Waits: true}
	if m.options.Record == nil {
		m.env.World, m.options.Record = &m.episode, m.tick
	}
	// The error is that the actor leaves at the end of its way; then it has not finished.
	_, _ = sim.Run(context.Background(), &m.env, &m.actor, m.options)
	m.finished = m.episode.Outcome() == gridworld.Finished
}

// tick measures what can be seen at one tick.
func (m *meter) tick(gridworld.Observation, gridworld.Action) {
	e := &m.episode
	now, sees := e.Thing(0), m.gaze.sees(e)
	if now.Pos != m.last.Pos || now.State != m.last.State {
		m.rest = e.Tick()
		m.bounce = m.bounce || m.saw && sees && now.Pos != m.last.Pos
	}
	if m.last, m.saw = now, sees; sees {
		m.unseen, m.at = 0, now.Pos
	} else {
		m.unseen++
	}
	m.hidden, m.dark = max(m.hidden, m.unseen), m.dark || e.Dark()
	if !m.free && !e.Frozen() {
		m.free, m.delay, m.displaced = true, e.Tick()-m.rest, m.at != now.Pos
	}
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
