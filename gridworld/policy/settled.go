package policy

import (
	"slices"

	"achilles/gridworld"
	"achilles/sim/rng"
)

// WalksInto says whether an agent with the parameters Perfect(g), which knows what a knows of its episode and acts from now
// on in w, enters one of the ends before the time limit. It follows the agent without an episode. The other arguments are
// for the goal Random: the agent's Moves and its source of random choices.
//
// known is false if an episode is needed to know: if w has no turns, if its schedule has not ended or, for a goal that needs sight, unless
// the only thing in w is a reward that rests, and that is in sight only if a last saw it there. w must have no keys, which change the
// layout.
func (a *Agent) WalksInto(w *gridworld.World, ends *gridworld.Board, g Goal, moves []gridworld.Action, draws rng.Rand) (into, known bool) {
	r := a.Room
	if w.Tick() < r.over() || !r.turns {
		return false, false
	}
	k := walk{Room: r, self: w.Actor(), ticks: r.layout.Rules().Limit - w.Tick(), ends: ends}
	switch g {
	case Left, Right, NearestPlace:
		place := r.Nearest(g.side())
		return place != NoPlace && k.toward(r.places[place]), true
	case Ahead:
		return k.ahead(), true
	case Random:
		return k.random(moves, draws), true
	case LastSeen, NearestVisible, Motion, Sweep:
		return a.seeks(&k, w, g)
	}
	return false, false
}

// side returns the side on which an agent with goal g looks for the nearest place: −1 left, 1 right, 0 either.
func (g Goal) side() int {
	switch g {
	case Left:
		return -1
	case Right:
		return 1
	}
	return 0
}

// seeks does what WalksInto does for a goal that needs sight.
func (a *Agent) seeks(k *walk, w *gridworld.World, g Goal) (into, known bool) {
	p, rests := resting(w)
	t := &a.traces[0]
	switch elsewhere := !t.known || t.thing.Pos != p; {
	case !rests, !t.known && (g == LastSeen || g == Motion):
		return false, false
	case t.known && elsewhere && k.sees(p): // it may take the reward to be moving
		return false, false
	case g == LastSeen && !elsewhere:
		return k.toward(p), true
	case g == LastSeen:
		return k.onward(p, k.beside(t.thing.Pos)), true
	case g == Motion:
		return k.onward(p, a.onward(t)), true
	case g == NearestVisible:
		return k.inSight(p), true
	}
	return k.sweep(p), true
}

// A walk follows an actor while nothing else moves. Its methods let the actor walk, and say whether it comes into one of the
// ends before the time limit.
type walk struct {
	*Room
	self  gridworld.Actor
	ticks int // number of ticks that are left
	ends  *gridworld.Board
}

// act carries out an action other than Stay. into says whether the actor comes into one of the ends, and over that it has or
// that no tick was left.
func (k *walk) act(action gridworld.Action) (into, over bool) {
	if k.ticks == 0 {
		return false, true
	}
	k.ticks--
	k.self = k.layout.After(k.self, action)
	into = k.ends.Has(k.self.Pos)
	return into, into
}

// along walks to q or, if the actor cannot reach q, to the nearest cell that it can reach, until something is so after a step.
func (k *walk) along(q gridworld.Pos, until func() bool) (into, stops bool) {
	for _, action := range k.path(q) {
		if into, over := k.act(action); over {
			return into, false
		}
		if action == gridworld.Forward && until() {
			return false, true
		}
	}
	return false, false
}

// ahead walks along the first heading until something is in the way.
func (k *walk) ahead() bool {
	for k.layout.CanStep(k.self.Pos, k.start.Heading) {
		if into, over := k.act(k.step(k.self, k.start.Heading)); over {
			return into
		}
	}
	return false
}

// random draws every action from moves.
func (k *walk) random(moves []gridworld.Action, draws rng.Rand) bool {
	if least, can := k.paths().To(k.ends); !can || least > k.ticks {
		return false
	}
	for {
		if into, over := k.act(moves[draws.IntN(len(moves))]); over {
			return into
		}
	}
}

// toward walks to p or, if the actor cannot reach p, to the nearest cell that it can reach.
func (k *walk) toward(p gridworld.Pos) bool {
	if least, can := k.paths().To(k.ends); !can || least > k.ticks {
		return false
	}
	into, _ := k.along(p, func() bool { return false })
	return into
}

// inSight walks to a reward that rests at p, for as long as it is in sight.
func (k *walk) inSight(p gridworld.Pos) bool {
	if !k.sees(p) {
		return false
	}
	into, _ := k.along(p, func() bool { return !k.sees(p) })
	return into
}

// onward walks to q, where a motion leads or the reward was last seen, until the reward that rests at p is in sight, and then to p.
func (k *walk) onward(p, q gridworld.Pos) bool {
	if k.sees(p) {
		return k.toward(p)
	}
	into, seen := k.along(q, func() bool { return k.sees(p) })
	return into || seen && k.toward(p)
}

// sweep walks from place to place, each time to the nearest that it has not been to, until the reward that rests at p is in
// sight, and then to p.
func (k *walk) sweep(p gridworld.Pos) bool {
	left := append(k.followed.left[:0], k.places...)
	k.followed.left = left
	var path []gridworld.Action
	for begins := true; ; begins = false {
		if k.sees(p) {
			return k.toward(p)
		}
		i := -1
		if k.watch.Has(k.self.Pos) {
			i = slices.Index(left, k.self.Pos)
		}
		if i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
		if i >= 0 || begins {
			goals := gridworld.BoardOf(left...)
			path, _ = k.paths().Path(k.followed.way[:0], &goals, false)
			k.followed.way = path
		}
		if len(path) == 0 {
			return false
		}
		if into, over := k.act(path[0]); over {
			return into
		}
		path = path[1:]
	}
}

// path returns the actions of the way to p or, if the actor cannot reach p, to the nearest cell that it can reach. They are
// valid until the next call.
func (k *walk) path(p gridworld.Pos) []gridworld.Action {
	f := k.paths()
	goals := k.touching(p)
	way, ok := f.Path(k.followed.way[:0], &goals, false)
	if !ok {
		goals = k.touching(k.nearest(k.self.Pos, p))
		way, _ = f.Path(way, &goals, false)
	}
	k.followed.way = way
	return way
}

// A followed is what a Room keeps for walks.
type followed struct {
	known        bool                // start is known
	start, later gridworld.TurnPaths // from the start, and from where an actor was followed to
	way          []gridworld.Action
	left         []gridworld.Pos // the places to which a sweep has not been
	gazes        bool            // gaze is known
	gaze         gridworld.Gaze  // from the cell of a reward
}

// sees says whether the actor and a reward at p are in sight of each other.
func (k *walk) sees(p gridworld.Pos) bool {
	f := &k.followed
	if !f.gazes || f.gaze.At() != p {
		f.gazes = true
		f.gaze.From(&k.layout, p)
	}
	return f.gaze.Sees(k.self.Pos)
}

// paths returns the paths of the actor. Those from the start are kept, since most walks begin there.
func (k *walk) paths() *gridworld.TurnPaths {
	f := &k.followed
	if k.self != k.start {
		f.later.From(&k.layout, k.self)
		return &f.later
	}
	if !f.known {
		f.known = true
		f.start.From(&k.layout, k.self)
	}
	return &f.start
}

// resting returns the cell of the only thing in w. rests is true if this is a reward on the ground.
func resting(w *gridworld.World) (p gridworld.Pos, rests bool) {
	if w.Len() != 1 {
		return p, false
	}
	t := w.Thing(0)
	return t.Pos, t.Kind == gridworld.Reward && t.State == gridworld.Ground
}
