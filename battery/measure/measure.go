// Package measure computes the features of items that are worlds from the worlds as built: by geometry, and by letting a
// full-information actor walk through them.
package measure

import (
	"context"
	"math/bits"
	"slices"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim"
)

// A Measurement has the properties of a built world. Lengths are in cells, times in ticks. The reward's end is the cell
// where it lies when the episode ends.
type Measurement struct {
	Finished     bool // the full-information actor reaches the reward in time
	Manhattan    int  // distance from the start to the reward's end, without diagonals
	Steps, Turns int  // numbers of steps forward and of turns on the Way
	Side         int  // side of the reward's end, seen along the first heading: −1 left, 0 in line, 1 right
	Hidden       int  // longest time for which the reward could not be seen
	Delay        int  // time from the last change of the reward until the actor may act
	Dark, Bounce bool // Dark: the lights go out at some tick; Bounce: the reward moves between ticks at which it is seen
	Displaced    bool // when the actor may first act, the reward is not where it was last seen

	Occluder          bool // the reward's end is out of sight from the start
	Positions, Places int  // Positions: the other places that are out of sight from the start, 0 if the reward's end is in sight; Places: all places
	Forced            bool // there are other places, and no way leads from any of them to the reward

	Lava, Ramp, Platform, Transparent bool // Lava: there is lava; Ramp: no way avoids all ramps; Platform: there is a ledge; Transparent: there is a clear wall
}

// A Meter measures worlds. It is for one goroutine at a time.
type Meter struct {
	Reward int // index of the reward among the things

	episode gridworld.World
	env     gridworld.Env
	actor   policy.Replay
	options gridworld.Options
	gaze    gaze
	field   gridworld.Field
	ramps   gridworld.Board
	Measurement

	last   gridworld.Thing // the reward at the last tick
	saw    bool            // the reward could be seen at the last tick
	met    bool            // it is there, or was; before, it is not out of sight
	at     gridworld.Pos   // where the reward was last seen
	unseen int             // number of ticks for which the reward has not been seen
	before int             // the last tick
	rest   int             // tick at which the reward last changed
	free   bool            // the actor may act
}

// Measure sets m.Measurement to the properties of a world at tick 0 whose thing m.Reward is the reward. The actor waits until it
// may act and then goes the way y.
func (m *Meter) Measure(w *gridworld.World, places []gridworld.Pos, y *Way) {
	m.Measurement = Measurement{Steps: y.Steps, Turns: y.Turns, Places: len(places)}
	start := w.Actor()
	m.perform(w, y)
	to := m.episode.Thing(m.Reward).Pos
	m.Manhattan, m.Side = start.Pos.Manhattan(to), sideOf(start, to)
	m.Occluder = !w.Sees(start.Pos, to)
	if m.Occluder {
		for _, p := range places {
			if p != to && !w.Sees(start.Pos, p) {
				m.Positions++
			}
		}
	}
	m.Lava, m.Transparent, m.Platform = w.Occurs(gridworld.Lava), w.Occurs(gridworld.ClearWall), w.HasLedge()
	m.Ramp = m.needsRamp(w, y, start.Pos, to)
	m.Forced = m.isForced(w, places, to)
}

// perform runs the episode: the actor waits until it may act and then performs the actions, and tick measures every tick.
// Whether the reward can be seen does not depend on the heading of the actor, because an actor could look round at any
// tick. So the reward can be seen if the lights are on, and the reward is in the air or on a free line of sight.
func (m *Meter) perform(w *gridworld.World, y *Way) {
	m.episode.Share(w)
	reward := m.episode.Thing(m.Reward)
	m.gaze = gaze{}
	m.met = false
	m.last, m.saw, m.at, m.unseen, m.before, m.rest, m.free = reward, true, reward.Pos, 0, -1, 0, false
	if m.options.Record == nil {
		m.env.World, m.env.Skips, m.options.Record = &m.episode, true, m.tick
	}
	m.actor = policy.Replay{Actions: y.Actions, Waits: true}
	// The only possible error is that the actor leaves at the end of its way; then it has not finished.
	_, _ = sim.Run(context.Background(), &m.env, &m.actor, m.options)
	m.Finished = m.episode.Outcome() == gridworld.Finished
}

// tick adds to the measurement what can be seen at the present tick, and at the ticks passed over before it, at which the
// same could be seen.
func (m *Meter) tick(gridworld.Observation, gridworld.Action) {
	e := &m.episode
	now := e.Thing(m.Reward)
	sees := m.gaze.sees(e, now)
	if now.Pos != m.last.Pos || now.State != m.last.State {
		m.rest = e.Tick()
		m.Bounce = m.Bounce || m.saw && sees && now.Pos != m.last.Pos
	}
	m.met = m.met || now.State != gridworld.Hidden
	if m.last, m.saw = now, sees; sees {
		m.unseen, m.at = 0, now.Pos
	} else if m.met {
		m.unseen += e.Tick() - m.before
	}
	m.before = e.Tick()
	m.Hidden, m.Dark = max(m.Hidden, m.unseen), m.Dark || e.Dark()
	if !m.free && !e.Frozen() {
		m.free, m.Delay, m.Displaced = true, e.Tick()-m.rest, m.at != now.Pos
	}
}

// A gaze caches the last line of sight, because at most ticks neither the actor nor the reward moves.
type gaze struct {
	from, to    gridworld.Pos
	known, free bool
}

func (g *gaze) sees(w *gridworld.World, t gridworld.Thing) bool {
	from := w.Actor().Pos
	switch {
	case w.Dark() || t.State > gridworld.Air:
		return false
	case t.State == gridworld.Air:
		return true
	}
	if !g.known || from != g.from || t.Pos != g.to {
		g.from, g.to, g.known, g.free = from, t.Pos, true, w.Sees(from, t.Pos)
	}
	return g.free
}

// needsRamp reports whether there is no way from the start to the reward without a ramp. It looks for one if neither the way y is one
// nor a row of ramps, as wide as the world, is between.
func (m *Meter) needsRamp(w *gridworld.World, y *Way, start, to gridworld.Pos) bool {
	m.ramps = w.Ramps()
	if m.ramps.Empty() || y.leads(start, to) && !m.ramps.Has(start) && !slices.ContainsFunc(y.Cells, m.ramps.Has) {
		return false
	}
	for row := min(start.Y, to.Y); row <= max(start.Y, to.Y); row++ {
		if bits.OnesCount64(m.ramps[row]) == w.Width() {
			return true
		}
	}
	m.field.Avoid = &m.ramps
	goal := gridworld.BoardOf(to)
	_, ok := m.field.Until(w, &goal, start)
	return !ok
}

// isForced reports whether there are other places, and no way leads from any of them to the reward.
func (m *Meter) isForced(w *gridworld.World, places []gridworld.Pos, to gridworld.Pos) bool {
	leads := func(p gridworld.Pos) bool { return p != to && !w.At(p).Kind.Absorbing() && w.Leads(p, to) }
	near, least := -1, 0
	for k, p := range places {
		if d := p.Manhattan(to); p != to && (near < 0 || d < least) {
			near, least = k, d
		}
	}
	// Most often a way leads from the nearest.
	return near >= 0 && !leads(places[near]) && !slices.ContainsFunc(places, leads)
}

// sideOf returns the side of p, seen along the heading of a: −1 left, 0 in line, 1 right.
func sideOf(a gridworld.Actor, p gridworld.Pos) int {
	right := gridworld.Pos{}.Add(a.Heading.Turn(2))
	offset := (p.X-a.Pos.X)*right.X + (p.Y-a.Pos.Y)*right.Y
	return max(-1, min(1, offset))
}
