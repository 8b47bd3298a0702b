// Package goaldirected has the actor of the episodes that observers watch. It plans a whole walk before the first
// frame; it is not asked for one action after another, as a sim.Agent is.
package goaldirected

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"achilles/gridworld/lattice"
)

// An Actor walks on a cheapest path to the thing that it wants most among those it can reach, and stops when it touches
// this thing. If a barrier is in the way it first fetches the key and brings it to the lock. The zero Actor is not
// usable; see Default.
type Actor struct {
	Name    string `json:"name"`
	Doc     string `json:"doc,omitempty"`
	Manner  Manner `json:"manner"`
	Contact int    `json:"contact"` // largest distance, in pixels, between the centres of actor and thing at which they touch
	Pace    int    `json:"pace"`    // unit steps per frame; the first frame has one
}

// A Manner says how an actor walks to its goal.
type Manner string

const (
	// Direct actors take a cheapest path.
	Direct Manner = "direct"
	// Detour actors also go round the imagined walls of a problem (Problem.Ghost).
	Detour Manner = "detour"
)

// Default returns an actor that moves like those of the Baby Intuitions Benchmark (Gandhi et al. 2021): two unit steps
// per frame, stopping about twelve pixels from the centre of its goal.
func Default(name string, m Manner) Actor {
	return Actor{Name: name, Manner: m, Contact: 12, Pace: 2}
}

// Check returns an error for the first fault of a.
func (a *Actor) Check() error {
	switch {
	case a.Name == "":
		return errors.New("an actor needs a name")
	case a.Manner != Direct && a.Manner != Detour:
		return fmt.Errorf("actor %s: manner %q; it must be %q or %q", a.Name, a.Manner, Direct, Detour)
	case a.Contact < 1 || a.Contact > 15:
		return fmt.Errorf("actor %s: contact %d; it must be 1 to 15 pixels, where the squares of actor and object touch", a.Name, a.Contact)
	case a.Pace < 1 || a.Pace > 8:
		return fmt.Errorf("actor %s: pace %d; it must be 1 to 8 steps per frame", a.Name, a.Pace)
	}
	return nil
}

// Walk returns the actor's walk in s. ok is false if the actor can reach nothing that it wants, or only by touching
// something else. The planner l computes the maps of costs that are needed, and keeps them.
func (a *Actor) Walk(l *lattice.Planner, s *lattice.Problem) (w lattice.Walk, ok bool) {
	for _, thing := range s.Wants {
		t := trip{Actor: a, Planner: l, problem: s, at: s.Start, goal: s.Things[thing], contact: cmp.Or(s.Contact, a.Contact)}
		t.walk = lattice.Walk{Took: -1, Opened: -1, Thing: thing}
		if t.possible() {
			return t.walk, t.make()
		}
	}
	return lattice.Walk{}, false
}

// A trip is a walk that is being planned.
type trip struct {
	*Actor
	*lattice.Planner
	problem *lattice.Problem
	walk    lattice.Walk
	at      lattice.Point
	goal    lattice.Point
	contact int
	fetch   bool // the actor is to fetch the key, and so may touch it
}

// standing returns the map of where the actor can be before anything is unlocked.
func (t *trip) standing() *lattice.Map {
	if t.problem.Shut != nil {
		return t.problem.Shut
	}
	return t.problem.Open
}

// direct reports whether the goal can be reached without a key. If there is a barrier it searches from the goal, because
// the area inside a barrier is small.
func (t *trip) direct() bool {
	from, to := t.at, t.goal
	if t.problem.Shut != nil {
		from, to = to, from
	}
	_, ok := t.From(t.standing(), from).Cost(to)
	return ok
}

// possible reports whether the goal can be reached, if necessary with the key.
func (t *trip) possible() bool {
	if t.direct() {
		return true
	}
	if !t.problem.Locked || t.problem.Shut == nil {
		return false
	}
	_, ok := t.From(t.problem.Shut, t.at).Cost(t.problem.Key)
	return ok
}

func (t *trip) make() bool {
	m := t.standing()
	if !t.direct() || t.problem.Fetch && t.problem.Locked {
		return t.unlock() && t.leg(t.problem.Open, t.goal, t.touches(t.goal))
	}
	if t.Manner == Detour && t.problem.Ghost != nil {
		cheapest, _ := t.From(m, t.at).Cost(t.goal)
		imagined, ok := t.From(t.problem.Ghost, t.at).Cost(t.goal)
		t.walk.Excess += imagined - cheapest
		m = t.problem.Ghost
		if !ok {
			return false
		}
	}
	return t.via(m) && t.leg(m, t.goal, t.touches(t.goal))
}

// via adds to the walk the way to Problem.Via, if there is such a place. It reports whether there is such a way.
func (t *trip) via(m *lattice.Map) bool {
	if t.problem.Via == nil {
		return true
	}
	by, start := *t.problem.Via, t.at
	if !t.leg(m, by, func(p lattice.Point) bool { return p == by }) {
		return false
	}
	to := t.From(m, t.goal)
	cheapest, ok := to.Cost(start)
	rest, also := to.Cost(by)
	there, _ := t.From(m, start).Cost(by)
	t.walk.Excess += there + rest - cheapest
	return ok && also
}

// unlock adds to the walk the way to the key and then to the lock. It reports whether there is such a way.
func (t *trip) unlock() bool {
	t.fetch = true
	if !t.leg(t.problem.Shut, t.problem.Key, t.touches(t.problem.Key)) {
		return false
	}
	t.walk.Took = len(t.walk.Track)
	door, ok := t.door()
	if !ok || !t.leg(t.problem.Shut, door, func(p lattice.Point) bool { return p == door }) {
		return false
	}
	t.walk.Opened = len(t.walk.Track)
	return true
}

// door returns the place at the lock through which the way to the goal is cheapest; ok is false if there is none.
func (t *trip) door() (lattice.Point, bool) {
	here, reach := t.From(t.problem.Shut, t.at), t.problem.Reach
	var beyond *lattice.Field
	best, least := lattice.Point{}, -1
	for k := -reach; k <= reach; k++ {
		for _, p := range [4]lattice.Point{{X: k, Y: reach}, {X: k, Y: -reach}, {X: reach, Y: k}, {X: -reach, Y: k}} {
			p = t.problem.Lock.Add(p)
			c, ok := here.Cost(p)
			if !ok || least >= 0 && c+lattice.Octile(p, t.goal) >= least {
				continue
			}
			if beyond == nil {
				beyond = t.From(t.problem.Open, t.goal)
			}
			if rest, ok := beyond.Cost(p); ok && (least < 0 || c+rest < least) {
				best, least = p, c+rest
			}
		}
	}
	return best, least >= 0
}

// touches returns a function that reports whether an actor at p touches the thing at centre.
func (t *trip) touches(centre lattice.Point) func(p lattice.Point) bool {
	return func(p lattice.Point) bool { return lattice.Square(p, centre) <= t.contact*t.contact }
}

// leg adds to the walk the way in m towards the node `to`, until stop is true after a frame. If the cheapest path touches
// things that must not be touched, it takes a path round them. It reports whether there is such a way.
func (t *trip) leg(m *lattice.Map, to lattice.Point, stop func(lattice.Point) bool) bool {
	track, cost, ok := t.frames(m, to, stop)
	if !ok {
		return false
	}
	if t.collides(track) {
		round := 0
		if track, round, ok = t.round(m, to, stop); !ok {
			return false
		}
		t.walk.Excess += round - cost
	}
	t.walk.Track = append(t.walk.Track, track...)
	if n := len(t.walk.Track); n > 0 {
		t.at = t.walk.Track[n-1]
	}
	return true
}

// round returns what frames returns for the cheapest way that keeps Problem.Room from the things that must not be
// touched or, if there is none, for the cheapest one that does not touch them.
func (t *trip) round(m *lattice.Map, to lattice.Point, stop func(lattice.Point) bool) (track []lattice.Point, cost int, ok bool) {
	if r := t.problem.Room; r > 0 {
		if track, cost, ok = t.frames(t.without(m, func(clear *lattice.Map, c lattice.Point) { clear.Block(c.X-r, c.Y-r, c.X+r, c.Y+r) }), to, stop); ok {
			return track, cost, true
		}
	}
	track, cost, ok = t.frames(t.without(m, func(clear *lattice.Map, c lattice.Point) { clear.BlockDisc(c, t.contact*t.contact) }), to, stop)
	return track, cost, ok && !slices.ContainsFunc(t.unwanted(), func(c lattice.Point) bool { return slices.ContainsFunc(track, t.touches(c)) })
}

// without returns a copy of m in which block has closed the nodes around every thing that must not be touched.
func (t *trip) without(m *lattice.Map, block func(clear *lattice.Map, thing lattice.Point)) *lattice.Map {
	clear := t.Map(m)
	for _, c := range t.unwanted() {
		block(clear, c)
	}
	return clear
}

// frames returns the actor's place after every frame of the way to a node of m, until stop is true, and the cost of the
// whole way. ok is false if there is no way, or it ends before stop is true.
func (t *trip) frames(m *lattice.Map, to lattice.Point, stop func(lattice.Point) bool) (track []lattice.Point, cost int, ok bool) {
	f := t.From(m, t.at)
	if cost, ok = f.Cost(to); !ok {
		return nil, 0, false
	}
	way, corners := f.Taut(nil, to, t.at) // from the goal to the actor; the loop goes backwards through it
	at := len(way) - 1
	for p := t.at; !stop(p); p = way[at] {
		step := t.Pace
		if len(track) == 0 && len(t.walk.Track) == 0 {
			step = 1
		}
		next := max(at-step, 0)
		if t.problem.Legs {
			next = max(next, legEnd(corners, at))
		}
		if at = next; way[at] == p {
			return nil, 0, false // the actor is at the node and touches nothing
		}
		track = append(track, way[at])
	}
	return track, cost, true
}

// cut is the number of steps by which actors of the benchmark cut corners: a leg ends so far from a corner, and a short leg
// leads to the next line. Measured in its published episodes.
const cut = 3

// legEnd returns the index of the way, counted from its goal, at which the leg ends that an actor at index at is on.
func legEnd(corners []int, at int) int {
	end := 0
	for _, c := range corners[:max(len(corners)-1, 0)] { // the last one is the start of the walk
		if c < at {
			end = c
		}
		if c+cut < at {
			end = c + cut
		}
	}
	return end
}

// wanted reports whether the thing with index k may be touched.
func (t *trip) wanted(k int) bool {
	return k == t.walk.Thing || t.fetch && t.problem.Things[k] == t.problem.Key
}

// unwanted returns the centres of the things that must not be touched.
func (t *trip) unwanted() []lattice.Point {
	var centres []lattice.Point
	for k, c := range t.problem.Things {
		if !t.wanted(k) {
			centres = append(centres, c)
		}
	}
	return centres
}

// collides reports whether one of the places touches a thing that is not wanted, or is within Problem.Room of it.
func (t *trip) collides(track []lattice.Point) bool {
	for _, c := range t.unwanted() {
		touches := t.touches(c)
		for _, p := range track {
			if touches(p) || lattice.Chebyshev(p, c) < t.problem.Room {
				return true
			}
		}
	}
	return false
}
