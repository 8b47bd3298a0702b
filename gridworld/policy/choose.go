package policy

import (
	"slices"

	"achilles/gridworld"
	"achilles/sim/num"
)

// aim says where the agent wants to go now. It is false where it waits, or has given up.
func (a *Agent) aim(self gridworld.Actor) (gridworld.Pos, bool) {
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
	case LastSeen, Motion, NearestVisible, Cover:
		return a.toShow(self)
	case Sweep:
		if a.found() {
			return a.toShow(self)
		}
		a.sweepOn(self)
		return gridworld.Nowhere(), true
	}
	return a.reward(self)
}

// oracle aims at where the reward will end.
func (a *Agent) oracle() (gridworld.Pos, bool) {
	if a.Room.goal < 0 {
		return a.quit(NoWay)
	}
	return a.commit(a.Room.final), true
}

// toPlace aims at a place without asking where the reward is.
func (a *Agent) toPlace() (p gridworld.Pos, ok bool) {
	side := 0
	switch a.Goal {
	case Left:
		side = -1
	case Right:
		side = 1
	}
	k := a.Room.Nearest(side)
	if k == NoPlace {
		return a.quit(NoWay)
	}
	return a.commit(a.approach(a.Room.start, a.Room.places[k])), true
}

// toShow aims at what the eye was caught by, whatever must have become of it.
func (a *Agent) toShow(self gridworld.Actor) (gridworld.Pos, bool) {
	t := a.closest(self.Pos)
	if t == nil || t.inSight && !a.atRest(t) {
		return gridworld.Pos{}, false
	}
	return a.approach(self, a.shown(t)), true
}

// shown is the cell to which the eye is led.
func (a *Agent) shown(t *trace) gridworld.Pos {
	switch {
	case t.inSight:
	case a.Goal == Motion:
		return a.onward(t)
	case a.Goal == Cover && t.moves > 0:
		return t.at
	}
	return t.thing.Pos
}

// approach is p, or where there is no way to it the cell nearest to it.
func (a *Agent) approach(self gridworld.Actor, p gridworld.Pos) gridworld.Pos {
	if p == a.sought {
		return a.near
	}
	a.sought, a.near = p, p
	if !a.Room.reaches(a.Room.to(p, false), self) {
		a.near = a.Room.nearest(self.Pos, p)
	}
	return a.near
}

// closest is the nearest reward that the agent has seen, or for NearestVisible sees; nil: none.
func (a *Agent) closest(from gridworld.Pos) *trace {
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

// atRest says whether the agent takes a reward in sight to have come to rest, or follows it already.
func (a *Agent) atRest(t *trace) bool {
	return a.underway || t.still && t.thing.State == gridworld.Ground
}

// onward is where a reward would be that went on as it was last seen to move: in the first place on its line, or as far
// as there is ground to stand on.
func (a *Agent) onward(t *trace) gridworld.Pos {
	end := t.thing.Pos
	if t.dx == 0 && t.dy == 0 {
		return end
	}
	n := divisor(t.dx, t.dy)
	for p := end; ; {
		if p = (gridworld.Pos{X: p.X + t.dx/n, Y: p.Y + t.dy/n}); !a.Room.layout.Inside(p) {
			return end
		}
		if a.Room.layout.At(p).Kind.Passable() {
			end = p
		}
		if a.Room.watch.Has(p) {
			return p
		}
	}
}

// divisor is the greatest common divisor of |a| and |b|, which are not both 0.
func divisor(a, b int) int {
	a, b = max(a, -a), max(b, -b)
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// reward aims at the reward that the agent thinks best of those it knows of.
func (a *Agent) reward(self gridworld.Actor) (gridworld.Pos, bool) {
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

// wanted is the most valuable reward that the agent knows where to find, those in sight first; −1: none.
func (a *Agent) wanted() int {
	best := -1
	for i := range a.traces {
		t := &a.traces[i]
		if !t.known || t.forgotten || !t.inSight && !a.Persists {
			continue
		}
		if best < 0 || t.thing.Value > a.traces[best].thing.Value || t.thing.Value == a.traces[best].thing.Value && t.inSight && !a.traces[best].inSight {
			best = i
		}
	}
	return best
}

// choose is what happens once, when the agent sets off for reward i; it is false where that is not the end of it.
func (a *Agent) choose(i int) bool {
	switch {
	case a.Balks:
		a.quit(Shy)
		return false
	case a.Pull != NoPlace:
		a.stray(a.Room.places[a.Pull])
		return false
	case a.traces[i].inSight:
		a.sure = true
		return a.decides(a.traces[i].thing.Pos)
	}
	p, ok := a.inferAs(i, able())
	if !ok {
		return true
	}
	return a.knows(i, p) && a.tells(p) && a.resists(p) && a.keepsUp(i, p) && a.decides(p)
}

// knows decides whether the agent knows that the hidden reward i is at p. Where it does not, it goes to another place
// in which it could be; where there is none, it has lost it.
func (a *Agent) knows(i int, p gridworld.Pos) bool {
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
	a.stray(a.Room.places[wrong])
	return false
}

// tells decides whether the agent tells the place p of a hidden reward from those that look the same.
func (a *Agent) tells(p gridworld.Pos) bool {
	if !a.Alike {
		return true
	}
	var twins [maxPlaces]gridworld.Pos
	n := 0
	for _, q := range a.Room.places {
		if q != p && n < maxPlaces && a.Room.alike(p, q) {
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

// decides says whether the agent goes to p, where the reward is for it, or else to any other place. By a Rational drawn from
// the logistic distribution around b, that is a Boltzmann choice of inverse temperature b among places of which p is worth
// 1 and each of the n others 0: it goes to p with probability 1/(1 + n·exp(−b)) (Luce 1959).
func (a *Agent) decides(p gridworld.Pos) bool {
	n := len(a.Room.places)
	own := slices.Index(a.Room.places, p)
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
	a.stray(a.Room.places[k])
	return false
}

// maxPlaces bounds how many places an agent confuses.
const maxPlaces = 64

// without is what an agent does that knows of no reward to go to: it waits for one, or is lost.
func (a *Agent) without(self gridworld.Actor) (gridworld.Pos, bool) {
	forgot, known := false, false
	for i := range a.traces {
		forgot = forgot || a.traces[i].forgotten
		known = known || a.traces[i].known
	}
	switch {
	case a.Goal == Search:
		return a.search(self)
	case !known:
		return gridworld.Pos{}, false
	case !forgot:
		return a.quit(OutOfMind)
	case len(a.Room.places) == 0 || a.Fallback != GuessPlace && a.Fallback != SearchPlaces:
		return a.quit(Forgot)
	case a.Fallback == GuessPlace:
		return a.commit(a.Room.places[a.draws.IntN(len(a.Room.places))]), true
	}
	return a.search(self)
}

// search aims at the nearest place where the agent has not been.
func (a *Agent) search(self gridworld.Actor) (gridworld.Pos, bool) {
	best, least := gridworld.Pos{}, -1
	for k, p := range a.Room.places {
		if a.visited[k] {
			continue
		}
		if d, ok := a.Room.cost(a.Room.to(p, false), self); ok && (least < 0 || d < least) {
			best, least = p, d
		}
	}
	if least < 0 {
		return a.quit(Wrong)
	}
	return best, true
}

// found says whether a sweeping agent has seen the reward.
func (a *Agent) found() bool {
	for i := range a.traces {
		a.chosen = a.chosen || a.traces[i].inSight
	}
	return a.chosen
}

// sweepOn plans the way to the nearest of the places that are left, at first and from every place.
func (a *Agent) sweepOn(self gridworld.Actor) {
	k := slices.Index(a.unswept, self.Pos)
	if k < 0 && a.underway {
		return
	}
	if k >= 0 {
		a.unswept = slices.Delete(a.unswept, k, k+1)
	}
	if a.sweep == nil {
		a.sweep = &Route{to: gridworld.Nowhere()}
	}
	goals := gridworld.BoardOf(a.unswept...)
	a.sweep.Plan(&a.Room.layout, &goals, self)
}

// commit makes p the place that the agent goes to whatever it sees on the way.
func (a *Agent) commit(p gridworld.Pos) gridworld.Pos {
	a.committed, a.target = true, p
	return p
}

// stray commits the agent to a place that it has not found out but been led to. It keeps off the others on the way.
func (a *Agent) stray(p gridworld.Pos) {
	a.commit(p)
	a.strayed = true
}

// quit ends all attempts.
func (a *Agent) quit(c Cause) (gridworld.Pos, bool) {
	if !a.done {
		a.done, a.cause = true, c
	}
	return gridworld.Pos{}, false
}
