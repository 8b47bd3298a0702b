package gridworld

import "slices"

// A Mode says which actions a world has.
type Mode uint8

const (
	Turning Mode = iota // four headings: turn left, turn right, forward, stay
	Eight               // a step to any of eight neighbours, never cutting a corner, or stay
)

var modeNames = [...]string{"turning", "eight"}

// String returns the name of m in lower case.
func (m Mode) String() string { return nameOf(modeNames[:], int(m)) }

// Rules are the properties of a world that are neither cells nor things.
type Rules struct {
	Move  Mode
	Limit int // ticks until the episode is over; 0: no limit
	Reach int // the actor touches things within this many king's steps, unless a solid cell is between; 0: in its cell only
}

// An Outcome says whether and how an episode ended.
type Outcome uint8

const (
	Running  Outcome = iota
	Finished         // a final thing was touched
	Died
	TimedOut
)

var outcomeNames = [...]string{"running", "finished", "died", "timed-out"}

// String returns the name of o in lower case.
func (o Outcome) String() string { return nameOf(outcomeNames[:], int(o)) }

// An Actor has the position and heading of the actor. In mode Turning the heading is orthogonal.
type Actor struct {
	Pos     Pos // Nowhere if there is no actor
	Heading Dir
}

// A World is a grid of cells with an actor, things and a schedule, at one tick.
// Use New or Parse to make one. The zero World has no cells: it may only become another world, by Reset, Read, UnmarshalBinary, CopyFrom, CopyLayout or Share.
type World struct {
	state
	schedule
	terrain
	events eventList
}

// A state is how the actor and the things are, and whether the episode is over.
type state struct {
	rules   Rules
	outcome Outcome
	actor   Actor
	things  []Thing
}

// A schedule is the time, and what happens at which time whatever the actor does.
type schedule struct {
	tick         int
	cues         []Cue // sorted by tick; never changed in place, so copies share it
	nextCue      int   // index of the first cue that has not been applied
	room         []Cue // memory for further cues
	dark, frozen []Window
}

// A terrain is cells that a world may share with others, until it changes them.
type terrain struct {
	*layout
	own *layout // the world's own; another world's cells are in use while they are shared
}

// A layout has the cells of a world, and what follows from them.
type layout struct {
	ground
	planes [planeCount]Board
	eight  bool // diagonal steps exist
	stale  bool // moves must be computed again from the planes
	moves  moves
	ramps  rampList // used by derive
}

// A ground is the cells themselves.
type ground struct {
	width, height int
	palette       []paint // the distinct cells; `cells` has indices into it
	cells         []uint8 // row by row from the south-west
}

// New returns a world of this size, all floor, without actor or things. It panics unless both sides are 1 … MaxSide and
// the rules are in range.
func New(width, height int, rules Rules) *World {
	w := &World{}
	w.Reset(width, height, rules)
	return w
}

// Reset makes w what New would return, reusing its memory.
func (w *World) Reset(width, height int, rules Rules) {
	if width < 1 || width > MaxSide || height < 1 || height > MaxSide {
		panic("gridworld: a side of the world is not 1 to 64 cells long")
	}
	if rules.Move > Eight || rules.Limit < 0 || rules.Reach < 0 {
		panic("gridworld: rules out of range")
	}
	w.ownLayout()
	rows := max(height, w.height)
	w.rules, w.width, w.height, w.eight = rules, width, height, rules.Move == Eight
	w.tick, w.outcome, w.nextCue = 0, Running, 0
	w.actor = Actor{Pos: Nowhere()}
	w.things, w.dark, w.frozen, w.cues = w.things[:0], w.dark[:0], w.frozen[:0], nil
	w.events = w.events[:0]
	w.palette = append(w.palette[:0], paintOf(Cell{}))
	w.cells = slices.Grow(w.cells[:0], width*height)[:width*height]
	clear(w.cells)
	for i := range w.planes {
		clear(w.planes[i][:rows])
	}
	for y := range height {
		w.planes[planeEnter][y] = ^uint64(0) >> (MaxSide - width)
		w.planes[planeLeave][y] = w.planes[planeEnter][y]
	}
	w.moves.clear(height, rows)
	w.stale = true
}

// Clone returns a copy of w; changing one does not change the other.
func (w *World) Clone() *World {
	c := &World{}
	c.CopyFrom(w)
	return c
}

// CopyFrom makes w a copy of src, reusing w's memory. It only reads src.
func (w *World) CopyFrom(src *World) {
	w.state.copyFrom(&src.state)
	w.schedule.copyFrom(&src.schedule)
	w.events.grow(len(w.things))
	w.ownLayout()
	w.layout.copyFrom(src.layout)
}

// Share makes w a copy of src that shares the cells of src, which must not change while w is in use. If w's cells change, w has cells of
// its own from then on.
func (w *World) Share(src *World) {
	src.ready()
	w.state.copyFrom(&src.state)
	w.schedule.copyFrom(&src.schedule)
	w.events.grow(len(w.things))
	w.layout = src.layout
}

func (s *state) copyFrom(src *state) {
	s.rules, s.outcome, s.actor = src.rules, src.outcome, src.actor
	s.things = append(s.things[:0], src.things...)
}

func (s *schedule) copyFrom(src *schedule) {
	s.tick, s.cues, s.nextCue = src.tick, src.cues, src.nextCue
	s.dark = append(s.dark[:0], src.dark...)
	s.frozen = append(s.frozen[:0], src.frozen...)
}

// ownLayout gives w its own layout, with any cells.
func (t *terrain) ownLayout() {
	if t.own == nil {
		t.own = &layout{}
	}
	t.layout = t.own
}

// unshare makes w's cells its own, before they change.
func (t *terrain) unshare() {
	if shared := t.layout; shared != t.own {
		t.ownLayout()
		t.layout.copyFrom(shared)
	}
}

func (l *layout) copyFrom(src *layout) {
	rows := max(src.height, l.height)
	l.width, l.height, l.eight = src.width, src.height, src.eight
	l.palette = append(l.palette[:0], src.palette...)
	l.cells = append(l.cells[:0], src.cells...)
	for i := range l.planes {
		copy(l.planes[i][:rows], src.planes[i][:rows])
	}
	l.stale = src.stale
	l.moves.copyFrom(&src.moves, rows)
}

// CopyLayout makes w a copy of the cells and rules of src, without actor, things or schedule, at tick 0, reusing w's
// memory: enough for planning without knowing what happens. It only reads src.
func (w *World) CopyLayout(src *World) {
	w.CopyFrom(src)
	w.tick, w.outcome, w.nextCue = 0, Running, 0
	w.actor = Actor{Pos: Nowhere()}
	w.things, w.dark, w.frozen, w.cues = w.things[:0], w.dark[:0], w.frozen[:0], nil
}

// Width returns the number of columns.
func (g *ground) Width() int { return g.width }

// Height returns the number of rows.
func (g *ground) Height() int { return g.height }

// Rules returns the rules of w.
func (s *state) Rules() Rules { return s.rules }

// Tick returns the number of steps taken.
func (s *schedule) Tick() int { return s.tick }

// Outcome says whether and how the episode ended.
func (s *state) Outcome() Outcome { return s.outcome }

// Actor returns the position and heading of the actor.
func (s *state) Actor() Actor { return s.actor }

// Inside says whether p is a cell of w.
func (g *ground) Inside(p Pos) bool { return uint(p.X) < uint(g.width) && uint(p.Y) < uint(g.height) }

// Dark says whether the lights are out at this tick.
func (s *schedule) Dark() bool { return within(s.dark, s.tick) }

// Frozen says whether an action at this tick will have no effect.
func (s *schedule) Frozen() bool { return within(s.frozen, s.tick) }

// Trapped says whether the actor is in a cell that it cannot leave.
func (w *World) Trapped() bool { return w.Inside(w.actor.Pos) && w.At(w.actor.Pos).Kind.Absorbing() }

// Carrying says whether the actor has a key.
func (s *state) Carrying() bool {
	for i := range s.things {
		if s.things[i].State == Carried {
			return true
		}
	}
	return false
}

// Gain returns the sum of the values of the things taken so far.
func (s *state) Gain() int {
	sum := 0
	for i := range s.things {
		if s.things[i].State == Taken {
			sum += s.things[i].Value
		}
	}
	return sum
}

// Cues returns the cues, in order of time. They must not be changed.
func (s *schedule) Cues() []Cue { return slices.Clip(s.cues) }

// Windows returns the windows of darkness and those in which the actor is frozen, sorted by time. They must not be changed, and are
// valid until w is.
func (s *schedule) Windows() (dark, frozen []Window) {
	return slices.Clip(s.dark), slices.Clip(s.frozen)
}

// Len returns the number of things, including taken ones.
func (s *state) Len() int { return len(s.things) }

// Thing returns thing i as it is now. Indices never change.
func (s *state) Thing(i int) Thing { return s.things[i] }
