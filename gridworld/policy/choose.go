package policy

import (
	"slices"

	"achilles/gridworld"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A choice is where an agent wants to go.
type choice struct {
	reasoning
	draws *rng.Rand
	own   rng.Rand

	committed bool // the agent goes to target, whatever it sees
	target    gridworld.Pos
	strayed   bool // target is a place where the reward should not be
	done      bool // the agent has given up
	cause     Cause

	sought, near gridworld.Pos // the cell that the agent last wanted to reach, and the nearest that it can
	tour         tour          // of an agent with the goal Sweep
}

// aim returns the cell to which the agent wants to go now, and false if it waits or has given up.
func (a *choice) aim(self gridworld.Actor) (gridworld.Pos, bool) {
	if a.committed {
		return a.target, true
	}
	switch a.Goal {
	case Oracle:
		return a.oracle()
	case Left, Right, NearestPlace:
		return a.toPlace()
	case Habit:
		return a.toHabit()
	case Avoid:
		return a.toOther(self)
	case LargestArea, MostPieces, LastGone, BestSeen:
		return a.toMost(self)
	case LastSeen, Motion, NearestVisible, Cover, LargestCover:
		return a.toShow(self)
	case Sweep:
		if a.found() {
			return a.toShow(self)
		}
		a.tour.plan(&a.room.layout, self, a.underway)
		return gridworld.Nowhere(), true
	}
	return a.reward(self)
}

// oracle aims at the cell where the reward will lie after the last cue.
func (a *choice) oracle() (gridworld.Pos, bool) {
	if a.room.goal < 0 {
		return a.quit(NoWay)
	}
	return a.commit(a.room.final), true
}

// toPlace aims at the place nearest to the start: among those on the left or on the right if the goal is Left or Right,
// otherwise among all. It does not matter where the reward is.
func (a *choice) toPlace() (p gridworld.Pos, ok bool) {
	k := a.room.Nearest(a.Goal.side())
	if k == NoPlace {
		return a.quit(NoWay)
	}
	return a.commit(a.approach(a.room.start, a.room.places[k])), true
}

// toShow aims at the cell to which perception alone leads: where the nearest known reward is or was seen, where its
// motion points, or where its cover or the largest cover is.
func (a *choice) toShow(self gridworld.Actor) (gridworld.Pos, bool) {
	t := a.closest(self.Pos)
	if t == nil || t.inSight && !a.atRest(t) {
		return gridworld.Pos{}, false
	}
	return a.approach(self, a.shown(t)), true
}

// shown returns the cell to which perception alone leads, by the agent's goal.
func (a *choice) shown(t *trace) gridworld.Pos {
	switch {
	case t.inSight:
	case a.Goal == Motion:
		return a.onward(t)
	case a.Goal == Cover && t.moves > 0:
		return t.at
	case a.Goal == LargestCover:
		if p, ok := a.largestCover(); ok {
			return p
		}
	}
	return a.room.beside(t.thing.Pos)
}

// beside returns the deep hole beside p, if p is no place and just one place is beside it: nobody who stands at p sees whether the reward is in
// there. Otherwise it returns p.
func (r *Room) beside(p gridworld.Pos) gridworld.Pos {
	hole, n := p, 0
	for _, q := range r.places {
		if q.Chebyshev(p) <= 1 {
			hole, n = q, n+1
		}
	}
	if n != 1 || r.layout.At(hole).Kind != gridworld.Hole {
		return p
	}
	return hole
}

// approach returns p if the agent can reach p; otherwise the cell nearest to p that it can reach.
func (a *choice) approach(self gridworld.Actor, p gridworld.Pos) gridworld.Pos {
	if p == a.sought {
		return a.near
	}
	a.sought, a.near = p, a.room.approach(self, p)
	return a.near
}

// closest returns the nearest reward that the agent has seen or, if its goal is NearestVisible, the nearest that it
// sees now. It returns nil if there is none.
func (a *choice) closest(from gridworld.Pos) *trace {
	var best *trace
	for i := range a.traces {
		t := &a.traces[i]
		if !t.known || a.Goal == NearestVisible && !t.inSight {
			continue
		}
		if best == nil || t.thing.Pos.Manhattan(from) < best.thing.Pos.Manhattan(from) {
			best = t
		}
	}
	return best
}

// atRest says whether a reward in sight seems to have come to rest. It is true if the agent is on its way already.
func (a *choice) atRest(t *trace) bool {
	return a.underway || t.still && t.thing.State == gridworld.Ground
}

// onward returns where a reward would be if it went on in a straight line: in the first place on the line, or else in
// the last cell of the line that can be entered.
func (a *reasoning) onward(t *trace) gridworld.Pos {
	end := t.thing.Pos
	if t.dx == 0 && t.dy == 0 {
		return end
	}
	n := divisor(t.dx, t.dy)
	for p := end; ; {
		if p = (gridworld.Pos{X: p.X + t.dx/n, Y: p.Y + t.dy/n}); !a.room.layout.Inside(p) {
			return end
		}
		if a.room.layout.At(p).Kind.Passable() {
			end = p
		}
		if a.room.watch.Has(p) {
			return p
		}
	}
}

// divisor returns the greatest common divisor of |a| and |b|, which are not both 0.
func divisor(a, b int) int {
	a, b = max(a, -a), max(b, -b)
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// reward aims at the most valuable reward that the agent knows where to find.
func (a *choice) reward(self gridworld.Actor) (gridworld.Pos, bool) {
	i := a.wanted()
	if i < 0 || a.Goal == Search && !a.traces[i].inSight {
		return a.without(self)
	}
	t := &a.traces[i]
	if !t.inSight && !a.sure {
		a.demands.Unseen = a.view.Tick - t.tick
	}
	if t.inSight && !a.atRest(t) {
		return gridworld.Pos{}, false
	}
	if !a.chosen {
		if a.chosen = true; !a.choose(i) {
			return a.target, a.committed
		}
	}
	if t.inSight {
		return t.thing.Pos, true
	}
	p, ok := a.infer(i)
	if !ok {
		return a.quit(Wrong)
	}
	return p, true
}

// choose decides which limits of the agent change where it goes. It runs once, when the agent sets off for reward i. It
// returns true if the agent goes to the reward.
func (a *choice) choose(i int) bool {
	switch {
	case a.Balks:
		a.quit(Shy)
		return false
	case a.Pull != NoPlace:
		a.stray(a.room.places[a.Pull])
		return false
	case a.traces[i].inSight:
		a.sure = true
		return a.counts(i, a.traces[i].thing.Pos) && a.keepsFrom(a.larger(i, a.traces[i].thing.Pos)) && a.decides(a.traces[i].thing.Pos)
	}
	p, ok := a.inferAs(i, able())
	if !ok {
		return true
	}
	return a.knows(i, p) && a.tells(p) && a.resists(p) && a.keepsFrom(a.past.pull(&a.memory, i, p)) && a.keepsUp(i, p) && a.dates(i) && a.counts(i, p) && a.recalls() && a.keepsFrom(a.larger(i, p)) && a.keepsFrom(a.tempting(i, p)) && a.decides(p)
}

// knows decides whether the agent knows that the hidden reward i is at p. If not, the agent goes to another possible
// place, or gives up if there is none.
func (a *choice) knows(i int, p gridworld.Pos) bool {
	a.demands.Hidden = true
	a.listOthers(i, p)
	others := a.demands.Others
	switch {
	case a.Exclude >= float64(len(others)):
		return true
	case len(others) == 0:
		a.quit(OutOfMind)
		return false
	}
	wrong := a.Wrong
	if wrong == NoPlace {
		wrong = others[a.draws.IntN(len(others))]
	}
	a.stray(a.room.places[wrong])
	return false
}

// tells decides whether the agent can tell the place p of a hidden reward from the places that look the same. If not,
// the agent goes to one of those.
func (a *choice) tells(p gridworld.Pos) bool {
	if !a.Alike {
		return true
	}
	var twins [maxPlaces]gridworld.Pos
	n := 0
	for _, q := range a.room.places {
		if q != p && n < maxPlaces && a.room.alike(p, q) {
			twins[n] = q
			n++
		}
	}
	if n == 0 {
		return true
	}
	a.stray(twins[a.draws.IntN(n)])
	return false
}

// decides reports whether the agent goes to p, where it believes the reward to be. If not, the agent goes to a random
// other place. If Rational is drawn from the logistic distribution around b, this is a Boltzmann choice of inverse
// temperature b in which p is worth 1 and each of the n other places 0: the agent goes to p with probability 1/(1 +
// n·exp(−b)) (Luce 1959).
func (a *choice) decides(p gridworld.Pos) bool {
	n := len(a.room.places)
	own := slices.Index(a.room.places, p)
	if own >= 0 {
		n--
	}
	if n == 0 || a.Rational >= num.Log(float64(n)) {
		return true
	}
	k := a.draws.IntN(n)
	if own >= 0 && k >= own {
		k++
	}
	a.stray(a.room.places[k])
	return false
}

// maxPlaces is the largest number of places that fit into a set, one bit each; further places cannot be in a set.
const maxPlaces = 64

// without decides for an agent that knows of no reward to go to: it waits, searches, guesses or gives up.
func (a *choice) without(self gridworld.Actor) (gridworld.Pos, bool) {
	forgot, known := false, false
	for i := range a.traces {
		forgot = forgot || a.traces[i].forgotten
		known = known || a.traces[i].known
	}
	switch {
	case a.Goal == Search:
		return a.search(self)
	case !known && a.past != nil && a.view.Tick >= a.room.settled:
		if p, ok := a.past.target(&a.memory, a.draws); ok {
			return a.commit(p), true
		}
		return a.quit(Wrong)
	case !known:
		return gridworld.Pos{}, false
	case !forgot:
		return a.quit(OutOfMind)
	case len(a.room.places) == 0 || a.Fallback != GuessPlace && a.Fallback != SearchPlaces:
		return a.quit(Forgot)
	case a.Fallback == GuessPlace:
		return a.commit(a.room.places[a.draws.IntN(len(a.room.places))]), true
	}
	return a.search(self)
}

// search aims at the nearest place that the agent has not visited.
func (a *choice) search(self gridworld.Actor) (gridworld.Pos, bool) {
	best, least := gridworld.Pos{}, -1
	for k, p := range a.room.places {
		if a.visited[k] {
			continue
		}
		if d, ok := a.room.cost(a.room.routeTo(p, false), self); ok && (least < 0 || d < least) {
			best, least = p, d
		}
	}
	if least < 0 {
		return a.quit(Wrong)
	}
	return best, true
}

// found says whether an agent with the goal Sweep sees what it seeks: what ends the episode or is worth something, no sample.
func (a *choice) found() bool {
	for i := range a.traces {
		t := &a.traces[i]
		a.chosen = a.chosen || t.inSight && (t.thing.Final || t.thing.Value > 0)
	}
	return a.chosen
}

// A tour is a way from place to place, each time to the nearest that was not visited. The zero tour has no places.
type tour struct {
	left []gridworld.Pos // the places that were not visited
	way  *Route          // route to the nearest cell of left
}

// plan plans the way of an actor, at the start of the tour and again at every place.
func (t *tour) plan(layout *gridworld.World, self gridworld.Actor, underway bool) {
	k := slices.Index(t.left, self.Pos)
	if k < 0 && underway {
		return
	}
	if k >= 0 {
		t.left = slices.Delete(t.left, k, k+1)
	}
	if t.way == nil {
		t.way = &Route{to: gridworld.Nowhere()}
	}
	goals := gridworld.BoardOf(t.left...)
	t.way.Plan(layout, &goals, self)
}

// commit makes the agent go to p, whatever it sees on the way.
func (a *choice) commit(p gridworld.Pos) gridworld.Pos {
	a.committed, a.target = true, p
	return p
}

// stray makes the agent go to a place where, by the agent's own knowledge, the reward is not. On the way the agent
// avoids the other places.
func (a *choice) stray(p gridworld.Pos) {
	a.commit(p)
	a.strayed = true
}

// quit makes the agent give up for a cause. Its results are those that aim returns for an agent that has given up.
func (a *choice) quit(c Cause) (gridworld.Pos, bool) {
	if !a.done {
		a.done, a.cause = true, c
	}
	return gridworld.Pos{}, false
}
