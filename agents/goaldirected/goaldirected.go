// Package goaldirected has the actor of the episodes that observers watch. It plans a whole walk before the first
// frame; it is not asked for one action after another, as a sim.Agent is.
package goaldirected

import (
	"errors"
	"fmt"

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
		return fmt.Errorf("actor %s: pace %d; it must be 1 to 8 steps a frame", a.Name, a.Pace)
	}
	return nil
}

// Walk returns the actor's walk in s. ok is false if the actor can reach nothing that it wants, or only by touching
// something else. The planner l computes the maps of costs that are needed, and keeps them.
func (a *Actor) Walk(l *lattice.Planner, s *lattice.Problem) (w lattice.Walk, ok bool) {
	for _, thing := range s.Wants {
		t := trip{Actor: a, Planner: l, problem: s, at: s.Start, goal: s.Things[thing]}
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
		return ok && t.leg(t.problem.Ghost, t.goal, t.touches(t.goal))
	}
	return t.leg(m, t.goal, t.touches(t.goal))
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
	return func(p lattice.Point) bool { return lattice.Square(p, centre) <= t.Contact*t.Contact }
}

// leg adds to the walk the way in m towards the node `to`, until stop is true after a frame. If the cheapest path touches
// things that must not be touched, it takes a path round them. It reports whether there is such a way.
func (t *trip) leg(m *lattice.Map, to lattice.Point, stop func(lattice.Point) bool) bool {
	track, cost, ok := t.frames(m, to, stop)
	if !ok {
		return false
	}
	if t.collides(track) {
		clear := t.Map(m)
		for k, c := range t.problem.Things {
			if !t.wanted(k) {
				clear.BlockDisc(c, t.Contact*t.Contact)
			}
		}
		round := 0
		if track, round, ok = t.frames(clear, to, stop); !ok || t.collides(track) {
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

// frames returns the actor's place after every frame of the way to a node of m, until stop is true, and the cost of the
// whole way. ok is false if there is no way, or it ends before stop is true.
func (t *trip) frames(m *lattice.Map, to lattice.Point, stop func(lattice.Point) bool) (track []lattice.Point, cost int, ok bool) {
	f := t.From(m, t.at)
	if cost, ok = f.Cost(to); !ok {
		return nil, 0, false
	}
	way := f.Taut(nil, to, t.at) // from the goal to the actor; the loop goes backwards through it
	at := len(way) - 1
	for p := t.at; !stop(p); p = way[at] {
		step := t.Pace
		if len(track) == 0 && len(t.walk.Track) == 0 {
			step = 1
		}
		if at = max(at-step, 0); way[at] == p {
			return nil, 0, false // the actor is at the node and touches nothing
		}
		track = append(track, way[at])
	}
	return track, cost, true
}

// wanted reports whether the thing with index k may be touched.
func (t *trip) wanted(k int) bool {
	return k == t.walk.Thing || t.fetch && t.problem.Things[k] == t.problem.Key
}

// collides reports whether one of the places touches a thing that is not wanted.
func (t *trip) collides(track []lattice.Point) bool {
	for k, c := range t.problem.Things {
		if t.wanted(k) {
			continue
		}
		touches := t.touches(c)
		for _, p := range track {
			if touches(p) {
				return true
			}
		}
	}
	return false
}
