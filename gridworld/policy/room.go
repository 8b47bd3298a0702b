package policy

import (
	"slices"

	"achilles/gridworld"
)

// Units convert steps, ticks and sizes to the units of a battery's demands.
type Units struct {
	PerCell      float64 // distance per step
	TicksPerTime float64 // ticks per unit of time
	Largest      float64 // size of the largest reward
}

// DefaultUnits returns the units of the worlds of O-PIAAGETS (docs/reference/worlds.md): a step is 2 arena units, a
// unit of time 50 ticks, and the largest reward has size 5.
func DefaultUnits() Units { return Units{PerCell: 2, TicksPerTime: 50, Largest: 5} }

// A Room is what an agent knows of a trial before it begins, prepared once for all agents: the cells, the places in
// which a reward could lie, and routes that were planned. It also has the place where the reward will end, for agents
// with full information. The zero Room is ready for Enter. A Room is for one goroutine at a time.
type Room struct {
	ground
	timetable
	units  Units
	start  gridworld.Actor
	places []gridworld.Pos
	watch  gridworld.Board // the places, as a set
	ends   []end           // the ends of tubes
	turns  bool

	things  int // number of things in the world
	largest int // size of the largest reward, in hundredths

	goal  int           // index of the most valuable thing that ends the episode; −1: there is none
	final gridworld.Pos // where the goal will lie after the last cue

	nearestKnown [3]struct { // by side: what Nearest returns, if it is known
		is    bool
		place int
	}

	openings []int // by place: number of cells of the opening beside it; 0: none
	opens    bool  // a place has an opening

	strips gridworld.Board // the cells of strips, and of what lies beside them; empty: there are none
	pulled gridworld.Board // those of strips that lead to a place in one piece

	watched gridworld.Board // the places, and the gaps between tubes and holes
	mouth   gridworld.Pos   // cell of the tube whose exits are cached
	exits   []outlet

	routes []*Route // routes[:used] are in use, the others spare
	used   int

	followed followed
}

// Enter prepares the room of a trial. It only reads w, the trial's world at tick 0. places must not change while the
// room is in use. It panics if the world has no actor or no time limit.
func (r *Room) Enter(w *gridworld.World, places []gridworld.Pos, u Units) {
	r.layout.CopyLayout(w)
	if !w.Inside(w.Actor().Pos) || w.Rules().Limit == 0 {
		panic("policy: a room without an actor or without a time limit")
	}
	r.units, r.places, r.start, r.used = u, places, w.Actor(), 0
	r.followed.known, r.followed.gazes = false, false
	clear(r.nearestKnown[:])
	r.turns = w.Rules().Move == gridworld.Turning
	r.watch = gridworld.Board{}
	for _, p := range places {
		r.watch.Set(p)
	}
	r.findEnds()
	r.findStrips()
	r.findOpenings()
	r.lavaKnown = false
	r.things, r.largest = w.Len(), 0
	for i := range w.Len() {
		if t := w.Thing(i); t.Kind == gridworld.Reward {
			r.largest = max(r.largest, t.Size)
		}
	}
	cues := w.Cues()
	r.findFinal(w, cues)
	r.timetable.read(w, cues)
}

// findFinal finds the goal: the most valuable of the things that end the episode and lie on the ground after the last
// cue.
func (r *Room) findFinal(w *gridworld.World, cues []gridworld.Cue) {
	r.goal = -1
	best := 0
	for i := range w.Len() {
		t := w.Thing(i)
		if !t.Final {
			continue
		}
		for _, c := range cues {
			if c.Thing == i {
				t.Pos, t.State = c.Pos, c.State
			}
		}
		if t.State == gridworld.Ground && (r.goal < 0 || t.Value > best) {
			r.goal, r.final, best = i, t.Pos, t.Value
		}
	}
}

// Free returns the first tick at which an action has an effect: until then the actor is frozen.
func (r *Room) Free() int { return r.free }

// Units returns the units of the battery.
func (r *Room) Units() Units { return r.units }

// Layout returns a world with the cells and rules only. It must not be changed.
func (r *Room) Layout() *gridworld.World { return &r.layout }

// Places returns the cells in which a reward could lie. They must not be changed.
func (r *Room) Places() []gridworld.Pos { return r.places }

// Start returns the position and heading of the actor at tick 0.
func (r *Room) Start() gridworld.Actor { return r.start }

// Goal returns the most valuable thing that ends the episode, and where it will lie after the last cue; ok is false if
// there is none.
func (r *Room) Goal() (thing int, at gridworld.Pos, ok bool) { return r.goal, r.final, r.goal >= 0 }

// index returns the index of the place at p. It returns NoPlace if p is no place, or is not among the first maxPlaces.
func (r *Room) index(p gridworld.Pos) int {
	if !r.watch.Has(p) {
		return NoPlace
	}
	return slices.Index(r.places[:min(len(r.places), maxPlaces)], p)
}

// lateral returns how many cells p is to the right of the line along which the actor looks at the start; a negative
// number means to the left.
func (r *Room) lateral(p gridworld.Pos) int {
	ahead := gridworld.Pos{}.Add(r.start.Heading)
	dx, dy := p.X-r.start.Pos.X, p.Y-r.start.Pos.Y
	return dx*ahead.Y - dy*ahead.X
}

// Side returns −1 if p is on the left of the line along which the actor looks at the start, 1 if on the right, else 0.
func (r *Room) Side(p gridworld.Pos) float64 {
	switch l := r.lateral(p); {
	case l < 0:
		return -1
	case l > 0:
		return 1
	}
	return 0
}

// Nearest returns the index of the place nearest to the start, among those on the left (side −1), on the right (1) or
// all (0). Of equally near places it takes the one closest to straight ahead, then the first of r.places. It returns
// NoPlace if there is none.
func (r *Room) Nearest(side int) int {
	known := &r.nearestKnown[side+1]
	if !known.is {
		known.is, known.place = true, r.findNearest(side)
	}
	return known.place
}

func (r *Room) findNearest(side int) int {
	best, near, off := NoPlace, 0, 0
	for k, p := range r.places {
		l := r.lateral(p)
		if l*side < 0 || l == 0 && side != 0 {
			continue
		}
		if d, o := p.Manhattan(r.start.Pos), max(l, -l); best < 0 || d < near || d == near && o < off {
			best, near, off = k, d, o
		}
	}
	return best
}
