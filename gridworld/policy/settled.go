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
func (a *Agent) WalksInto(w *gridworld.World, ends *Ends, g Goal, moves []gridworld.Action, draws rng.Rand) (into, known bool) {
	r := a.Room
	if w.Tick() < r.over() || !r.turns {
		return false, false
	}
	k := walk{Room: r, self: w.Actor(), ticks: r.layout.Rules().Limit - w.Tick(), ends: ends}
	switch g {
	case Left, Right, NearestPlace:
		side, _ := g.side()
		place := r.Nearest(side)
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

// side returns the side on which an agent with goal g looks for the nearest place: −1 left, 1 right, 0 either. ok is
// false if g leads to no place that is chosen in this way.
func (g Goal) side() (side int, ok bool) {
	switch g {
	case Left:
		return -1, true
	case Right:
		return 1, true
	case NearestPlace:
		return 0, true
	}
	return 0, false
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
		return k.onward(p, t.thing.Pos), true
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
	ends  *Ends
}

// act carries out an action other than Stay. into says whether the actor comes into one of the ends, and over that it has or
// that no tick was left.
func (k *walk) act(action gridworld.Action) (into, over bool) {
	if k.ticks == 0 {
		return false, true
	}
	k.ticks--
	k.self = k.layout.After(k.self, action)
	into = k.ends.cells.Has(k.self.Pos)
	return into, into
}

// follow does what act does for an action of a path, which nothing holds up.
func (k *walk) follow(action gridworld.Action) (into, over bool) {
	if k.ticks == 0 {
		return false, true
	}
	k.ticks--
	k.self = k.self.After(action)
	into = k.ends.cells.Has(k.self.Pos)
	return into, into
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

// random draws every action from moves. It ends when the ends are too far away for the ticks that are left.
func (k *walk) random(moves []gridworld.Action, draws rng.Rand) bool {
	if least, can := k.paths().To(&k.ends.cells); !can || least > k.ticks {
		return false
	}
	low, high := k.ends.low, k.ends.high
	for {
		action := moves[draws.IntN(len(moves))]
		if into, over := k.act(action); over {
			return into
		}
		if p := k.self.Pos; max(low.X-p.X, p.X-high.X, 0)+max(low.Y-p.Y, p.Y-high.Y, 0) > k.ticks {
			return false
		}
	}
}

// toward walks to p or, if the actor cannot reach p, to the nearest cell that it can reach.
func (k *walk) toward(p gridworld.Pos) bool {
	f := k.paths()
	least, can := f.To(&k.ends.cells)
	switch {
	case !can || least > k.ticks:
		return false
	case k.layout.Rules().Reach == 0 && k.ends.one && k.layout.Inside(p):
		end, goal := k.ends.low, gridworld.BoardOf(p)
		if p == end {
			return least > 0
		} else if k.layout.At(end).Kind.Absorbing() { // it is on no way to another cell
			return false
		} else if ticks, ok := f.To(&goal); ok && least+end.Manhattan(p) > ticks {
			return false
		}
	default:
		goals := k.touching(p)
		ticks, ok := f.To(&goals)
		if ok && goals == k.ends.cells {
			return ticks > 0
		}
		if ok && !k.passes(p, &goals, least, ticks) {
			return false
		}
	}
	for _, action := range k.path(p) {
		if into, over := k.follow(action); over {
			return into
		}
	}
	return false
}

// passes says whether a path to p, where the goals are and which takes some ticks, could lead through one of the ends, of which
// the actor reaches the nearest after `least` ticks. It compares distances only.
func (k *walk) passes(p gridworld.Pos, goals *gridworld.Board, least, ticks int) bool {
	if k.layout.Rules().Reach > 0 {
		return least <= ticks
	}
	for c := range k.ends.cells.All() {
		if goals.Has(c) || least+c.Manhattan(p) <= ticks && !k.layout.At(c).Kind.Absorbing() {
			return true
		}
	}
	return false
}

// inSight walks to a reward that rests at p, for as long as it is in sight.
func (k *walk) inSight(p gridworld.Pos) bool {
	if !k.sees(p) {
		return false
	}
	for _, action := range k.path(p) {
		into, over := k.follow(action)
		if over || action == gridworld.Forward && !k.sees(p) {
			return into
		}
	}
	return false
}

// onward walks to q, where a motion leads or the reward was last seen, until the reward that rests at p is in sight, and then to p.
func (k *walk) onward(p, q gridworld.Pos) bool {
	if k.sees(p) {
		return k.toward(p)
	}
	for _, action := range k.path(q) {
		if into, over := k.follow(action); over {
			return into
		}
		if action == gridworld.Forward && k.sees(p) {
			return k.toward(p)
		}
	}
	return false
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
		if into, over := k.follow(path[0]); over {
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
