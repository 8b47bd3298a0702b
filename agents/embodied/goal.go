package embodied

import "achilles/gridworld"

// aim says where the body wants to go now. It is false where it waits, or has given up.
func (a *Actor) aim(v *gridworld.View) (gridworld.Pos, bool) {
	if a.committed {
		return a.target, true
	}
	switch a.goal {
	case Oracle:
		return a.oracle()
	case Left, Right, NearestPlace:
		return a.toPlace()
	case LastSeen, Motion, NearestVisible:
		return a.toShow(v)
	}
	return a.reward(v)
}

// oracle aims at where the reward will end.
func (a *Actor) oracle() (gridworld.Pos, bool) {
	if !a.Room.solved {
		return a.quit(NoWay)
	}
	return a.commit(a.Room.final), true
}

// toPlace aims at a place without asking where the reward is.
func (a *Actor) toPlace() (p gridworld.Pos, ok bool) {
	switch a.goal {
	case Left:
		p, ok = a.Room.place(func(side int) bool { return side < 0 })
	case Right:
		p, ok = a.Room.place(func(side int) bool { return side > 0 })
	default:
		p, ok = a.Room.place(func(int) bool { return true })
	}
	if !ok {
		return a.quit(NoWay)
	}
	return a.commit(a.approach(a.Room.start, p)), true
}

// toShow aims at what the eye was caught by, whatever must have become of it.
func (a *Actor) toShow(v *gridworld.View) (gridworld.Pos, bool) {
	t := a.closest(v.Self.Pos)
	if t == nil || t.inSight && !a.atRest(t) {
		return gridworld.Pos{}, false
	}
	if a.goal == Motion && !t.inSight {
		return a.approach(v.Self, a.onward(t)), true
	}
	return a.approach(v.Self, t.thing.Pos), true
}

// approach is p, or where there is no way to it the cell nearest to it.
func (a *Actor) approach(self gridworld.Actor, p gridworld.Pos) gridworld.Pos {
	if p == a.wish {
		return a.near
	}
	a.wish, a.near = p, p
	if !a.Room.reaches(a.Room.to(p, false), self) {
		a.near = a.Room.nearest(self.Pos, p)
	}
	return a.near
}

// closest is the nearest reward that the body has seen, or for NearestVisible sees; nil: none.
func (a *Actor) closest(from gridworld.Pos) *trace {
	var best *trace
	for i := range a.traces {
		t := &a.traces[i]
		if !t.known || a.goal == NearestVisible && !t.inSight {
			continue
		}
		if best == nil || t.thing.Pos.Manhattan(from) < best.thing.Pos.Manhattan(from) {
			best = t
		}
	}
	return best
}

// atRest says whether the body takes a reward in sight to have come to rest, or follows it already.
func (a *Actor) atRest(t *trace) bool {
	return a.underway || t.still && t.thing.State == gridworld.Ground
}

// onward is where a reward would be that went on as it was last seen to move: in the first place on its line, or as far
// as there is ground to stand on.
func (a *Actor) onward(t *trace) gridworld.Pos {
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

// reward aims at the reward that the body thinks best of those it knows of.
func (a *Actor) reward(v *gridworld.View) (gridworld.Pos, bool) {
	i := a.wanted()
	if i < 0 || a.goal == Search && !a.traces[i].inSight {
		return a.without(v)
	}
	t := &a.traces[i]
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

// wanted is the most valuable reward that the body knows where to find, those in sight first; −1: none.
func (a *Actor) wanted() int {
	best := -1
	for i := range a.traces {
		t := &a.traces[i]
		if !t.known || t.forgotten || !t.inSight && !a.luck.persists {
			continue
		}
		if best < 0 || t.thing.Value > a.traces[best].thing.Value || t.thing.Value == a.traces[best].thing.Value && t.inSight && !a.traces[best].inSight {
			best = i
		}
	}
	return best
}

// choose is what happens once, when the body sets off for reward i; it is false where that is not the end of it.
func (a *Actor) choose(i int) bool {
	if a.luck.shy != [3]bool{} {
		for c, loud := range a.Room.colours() {
			if loud && a.luck.shy[c] {
				a.quit(Shy)
				return false
			}
		}
	}
	t := &a.traces[i]
	if a.pulled() {
		return false
	}
	if t.inSight {
		a.sure = true
		return true
	}
	p, ok := a.infer(i)
	if !ok {
		return true
	}
	return a.knows(i, p) && a.tells(i, p)
}

// pulled sends the body to one side.
func (a *Actor) pulled() bool {
	if len(a.Room.places) < 2 || !a.luck.left && !a.luck.right {
		return false
	}
	p, ok := a.Room.place(func(side int) bool { return side < 0 == a.luck.left && side != 0 })
	if ok {
		a.stray(p)
	}
	return ok
}

// knows decides whether the body knows that the hidden reward i is at p. Where it does not, it goes to another place
// in which it could be; where there is none, it has lost it.
func (a *Actor) knows(i int, p gridworld.Pos) bool {
	n := a.others(i, p)
	if a.luck.op >= float64(n) {
		return true
	}
	if n == 0 {
		a.quit(OutOfMind)
		return false
	}
	a.stray(a.other(i, p, a.rand.IntN(n)))
	return false
}

// tells decides whether the body tells the place p of the hidden reward i from those that look the same.
func (a *Actor) tells(i int, p gridworld.Pos) bool {
	if !a.luck.alike {
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
	a.stray(twins[a.rand.IntN(n)])
	return false
}

// maxPlaces bounds how many places a body confuses.
const maxPlaces = 64

// without is what a body does that knows of no reward to go to: it waits for one, or is lost.
func (a *Actor) without(v *gridworld.View) (gridworld.Pos, bool) {
	forgot, known := false, false
	for i := range a.traces {
		forgot = forgot || a.traces[i].forgotten
		known = known || a.traces[i].known
	}
	switch {
	case a.goal == Search:
		return a.search(v)
	case !known:
		return gridworld.Pos{}, false
	case !forgot:
		return a.quit(OutOfMind)
	case a.Policy.lost == StayPut || len(a.Room.places) == 0:
		return a.quit(Forgot)
	case a.Policy.lost == GuessPlace:
		return a.commit(a.Room.places[a.rand.IntN(len(a.Room.places))]), true
	}
	return a.search(v)
}

// search aims at the nearest place where the body has not been.
func (a *Actor) search(v *gridworld.View) (gridworld.Pos, bool) {
	best, least := gridworld.Pos{}, -1
	for k, p := range a.Room.places {
		if a.visited[k] {
			continue
		}
		if d, ok := a.Room.cost(a.Room.to(p, false), v.Self); ok && (least < 0 || d < least) {
			best, least = p, d
		}
	}
	if least < 0 {
		return a.quit(Wrong)
	}
	return best, true
}

// commit makes p the place that the body goes to whatever it sees on the way.
func (a *Actor) commit(p gridworld.Pos) gridworld.Pos {
	a.committed, a.target = true, p
	return p
}

// stray commits the body to a place that it has not found out but been led to. It keeps off the others on the way.
func (a *Actor) stray(p gridworld.Pos) {
	a.commit(p)
	a.strayed = true
}

// quit ends all attempts.
func (a *Actor) quit(c Cause) (gridworld.Pos, bool) {
	if !a.done {
		a.done, a.cause = true, c
	}
	return gridworld.Pos{}, false
}
