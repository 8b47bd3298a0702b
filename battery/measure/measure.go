// Package measure measures items that are worlds, by geometry and by letting a full-information actor walk through them:
// what a battery says of its items is found on the worlds as they were built.
package measure

import (
	"context"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim"
)

// A Measurement is what was found on a built world. Lengths are in cells, times in ticks.
type Measurement struct {
	Finished     bool // the full-information actor reaches the reward in time
	Manhattan    int  // from the start to where the reward ends, without diagonals
	Steps, Turns int  // of the way
	Side         int  // of where the reward ends, seen along the first heading: −1 left, 0 in line, 1 right
	Hidden       int  // the longest stretch in which the reward could not be seen
	Delay        int  // from when the reward has come to rest until the actor may act
	Dark, Bounce bool // the lights go out; the reward is seen to move
	Displaced    bool // it ends elsewhere than it was last seen before the actor may act

	Occluder          bool // the reward's cell is out of sight from the start
	Positions, Places int  // places out of sight besides the right one, where that is; all places
	Forced            bool // there are other places, and from none of them a way to the reward

	Lava, Ramp, Platform, Transparent bool // Ramp: there is no way without; Platform: a ledge; Transparent: a clear wall
}

// A Meter measures worlds. It is for one goroutine at a time.
type Meter struct {
	episode gridworld.World
	env     gridworld.Env
	actor   policy.Replay
	options gridworld.Options
	gaze    gaze
	field   gridworld.Field
	goal    gridworld.Board
	slopes  gridworld.Board
	Measurement

	last   gridworld.Thing // the reward, as it was at the last tick
	saw    bool            // it could be seen then
	at     gridworld.Pos   // where it was last seen
	unseen int             // ticks since
	rest   int             // the tick at which it came to rest
	free   bool            // the actor may act
}

// Measure measures a world at tick 0 in which thing 0 is the reward, along a way.
func (m *Meter) Measure(w *gridworld.World, places []gridworld.Pos, y *Way) {
	m.Measurement = Measurement{Steps: y.Steps, Turns: y.Turns, Places: len(places)}
	start := w.Actor()
	m.perform(w, y.Actions)
	to := m.episode.Thing(0).Pos
	m.Manhattan, m.Side = start.Pos.Manhattan(to), sideOf(start, to)
	m.Occluder = !w.Sees(start.Pos, to)
	if m.Occluder {
		for _, p := range places {
			if p != to && !w.Sees(start.Pos, p) {
				m.Positions++
			}
		}
	}
	m.goal = gridworld.BoardOf(to)
	m.scan(w)
	m.Ramp = m.needsRamp(w, start.Pos)
	m.Forced = m.isForced(w, places, to)
}

// perform lets the actor wait until it may act and then go its way, and measures what can be seen meanwhile. It could
// look round at any tick: that the reward can be seen means that it is in the air or on a free line, and in light.
func (m *Meter) perform(w *gridworld.World, actions []gridworld.Action) {
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
	m.Finished = m.episode.Outcome() == gridworld.Finished
}

// tick measures what can be seen at one tick.
func (m *Meter) tick(gridworld.Observation, gridworld.Action) {
	e := &m.episode
	now, sees := e.Thing(0), m.gaze.sees(e)
	if now.Pos != m.last.Pos || now.State != m.last.State {
		m.rest = e.Tick()
		m.Bounce = m.Bounce || m.saw && sees && now.Pos != m.last.Pos
	}
	if m.last, m.saw = now, sees; sees {
		m.unseen, m.at = 0, now.Pos
	} else {
		m.unseen++
	}
	m.Hidden, m.Dark = max(m.Hidden, m.unseen), m.Dark || e.Dark()
	if !m.free && !e.Frozen() {
		m.free, m.Delay, m.Displaced = true, e.Tick()-m.rest, m.at != now.Pos
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
func (m *Meter) scan(w *gridworld.World) {
	var high, floor gridworld.Board
	m.slopes = gridworld.Board{}
	for y := range w.Height() {
		for x := range w.Width() {
			c := w.At(gridworld.Pos{X: x, Y: y})
			switch {
			case c.Kind == gridworld.ClearWall:
				m.Transparent = true
			case c.Kind.Sloped():
				m.slopes[y] |= 1 << x
			case !c.Kind.Passable():
			case c.Height > 0:
				high[y] |= 1 << x
			default:
				floor[y] |= 1 << x
			}
			m.Lava = m.Lava || c.Kind.Lethal()
		}
	}
	for y := range w.Height() {
		m.Platform = m.Platform || high[y]&(floor[y]<<1|floor[y]>>1) != 0 ||
			y > 0 && (high[y]&floor[y-1]|high[y-1]&floor[y]) != 0
	}
}

// needsRamp says whether there is no way to the reward without a ramp.
func (m *Meter) needsRamp(w *gridworld.World, start gridworld.Pos) bool {
	if m.slopes.Empty() {
		return false
	}
	m.field.Avoid = &m.slopes
	_, ok := m.field.Until(w, &m.goal, start)
	return !ok
}

// isForced says whether there are other places, and from none of them a way to the reward.
func (m *Meter) isForced(w *gridworld.World, places []gridworld.Pos, to gridworld.Pos) bool {
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
