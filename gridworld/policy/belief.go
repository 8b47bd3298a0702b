package policy

import "achilles/gridworld"

// A trace is what an agent knows of one reward.
type trace struct {
	known     bool            // it has seen it
	inSight   bool            // … now
	forgotten bool            // … and no longer knows where
	thing     gridworld.Thing // as last seen
	tick      int             // when that was
	still     bool            // it lay where it had been seen before
	dx, dy    int             // how far it moved between the last two sightings, if these were successive; 0, 0: not at all

	carried // what is known of where it went since
	tubing
}

// perceive brings the belief up to what is seen now.
func (a *Agent) perceive(v *gridworld.View) {
	next := 0 // sightings come by index
	for i := range a.traces {
		t := &a.traces[i]
		seen := t.inSight
		t.inSight = false
		for next < len(v.Things) && v.Things[next].Index < i {
			next++
		}
		if next < len(v.Things) && v.Things[next].Index == i && a.makesOut(&v.Things[next].Thing) {
			if t.known && !seen {
				a.countHiding(t.thing.Pos)
			}
			t.see(v.Things[next].Thing, v.Tick, seen)
		} else if t.known {
			t.forgotten = t.forgotten || a.fades(i, v.Tick)
			a.follow(t, seen, v)
		}
	}
	a.crowd()
	for k, p := range a.Room.places {
		if v.Seen.Has(p) {
			a.inspect(k, p, v)
		}
	}
}

// makesOut says whether the agent sees a thing in view as a reward.
func (a *Agent) makesOut(t *gridworld.Thing) bool {
	return t.Kind == gridworld.Reward && a.discerns(t.Size)
}

// see takes in a sighting; seen says whether the reward was in sight when the agent last looked. An agent that looks again
// after more than a tick has missed nothing: things rested meanwhile, or it was dark.
func (t *trace) see(thing gridworld.Thing, tick int, seen bool) {
	moved := t.known && t.thing.Pos != thing.Pos && tick == t.tick+1
	t.still, t.dx, t.dy = !moved, 0, 0
	if moved && seen {
		t.dx, t.dy = thing.Pos.X-t.thing.Pos.X, thing.Pos.Y-t.thing.Pos.Y
	}
	t.known, t.inSight, t.forgotten, t.thing, t.tick = true, true, false, thing, tick
}

// fades says whether what is out of sight at a tick is lost: memory has to last as many ticks as nothing was seen. Who
// saw the reward lie there when it set off needs no memory.
func (a *Agent) fades(i, tick int) bool {
	return !a.sure && float64(tick-a.traces[i].tick) > a.lasts(i)
}

// lasts is for how many ticks the agent knows where reward i is that it does not see. Who would have to look into many places
// may keep it in mind for longer.
func (a *Agent) lasts(i int) float64 {
	lasts := a.Memory
	if a.Effort != 0 {
		lasts += float64(a.Effort * float64(a.others(i)))
	}
	return float64(lasts * a.Room.units.TicksPerTime)
}

// others is how many places there are besides the right one in which reward i could lie; once the agent has set off, how
// many there were then.
func (a *Agent) others(i int) int {
	if a.chosen {
		return len(a.demands.Others)
	}
	n := 0
	for k := range a.Room.places {
		if a.possible(i, k) {
			n++
		}
	}
	return max(n-1, 0)
}

// crowd drops the least valuable hidden rewards that there is no room for.
func (a *Agent) crowd() {
	for {
		hidden, least := 0, -1
		for i := range a.traces {
			t := &a.traces[i]
			if !t.known || t.inSight || t.forgotten {
				continue
			}
			hidden++
			if least < 0 || t.thing.Value < a.traces[least].thing.Value {
				least = i
			}
		}
		if float64(hidden) <= a.Capacity {
			return
		}
		a.traces[least].forgotten = true
	}
}

// visit notes that the agent has been at a place.
func (a *Agent) visit(p gridworld.Pos) {
	if !a.Room.watch.Has(p) {
		return
	}
	for k, q := range a.Room.places {
		a.visited[k] = a.visited[k] || p == q
	}
}

// inspect notes that place k, which is in sight, is empty, if it is.
func (a *Agent) inspect(k int, p gridworld.Pos, v *gridworld.View) {
	for i := range a.traces {
		t := &a.traces[i]
		if t.inSight && t.thing.Pos == p || t.known && !a.within(t.thing.Size, v.Self.Pos, p) {
			return
		}
	}
	a.emptied[k] = v.Tick
}

// possible says whether reward i, which is hidden, could lie at place k.
func (a *Agent) possible(i, k int) bool { return a.emptied[k] <= a.traces[i].tick }

// infer says where reward i, which is hidden, must be: where its cover is, or where its tube leads; else where it
// vanished, if that is a place; else in the only place left; else in the place nearest to where it was heading. Without
// places it is where it vanished. It is false where every place has been seen empty.
func (a *Agent) infer(i int) (gridworld.Pos, bool) { return a.inferAs(i, &a.Parameters) }

// inferAs is what somebody with these parameters infers from what the agent has seen.
func (a *Agent) inferAs(i int, p *Parameters) (gridworld.Pos, bool) {
	t := &a.traces[i]
	switch {
	case len(a.Room.places) == 0:
		return t.thing.Pos, true
	case t.moves > 0 && p.tracks(t) && t.by >= 0:
		return a.among(i, t.at, t.at, every)
	case t.moves > 0 && p.tracks(t): // the cover has left it on its way
		return a.among(i, gridworld.Nowhere(), t.at, t.visits)
	case !t.inTube(a.Room):
		return a.among(i, t.thing.Pos, gridworld.Pos{X: t.thing.Pos.X + t.dx, Y: t.thing.Pos.Y + t.dy}, every)
	}
	if q, falls := a.straightOn(t, p); falls {
		return q, true
	}
	return a.leadsTo(i, p.Timing)
}

// every is the set of all places.
const every = ^uint64(0)

// among returns where reward i, which is hidden, must be, of a set of places: at a cell, if that is one of them; else in
// the only one left; else in the one nearest to where it was heading.
func (a *Agent) among(i int, at, heading gridworld.Pos, set uint64) (gridworld.Pos, bool) {
	best, least := gridworld.Pos{}, -1
	for k, p := range a.Room.places {
		if !a.possible(i, k) || k < maxPlaces && set>>uint(k)&1 == 0 {
			continue
		}
		if p == at {
			return p, true
		}
		if d := p.Manhattan(heading); least < 0 || d < least {
			best, least = p, d
		}
	}
	return best, least >= 0
}

// listOthers notes the places besides p in which reward i, which is hidden, could lie.
func (a *Agent) listOthers(i int, p gridworld.Pos) {
	for k, q := range a.Room.places {
		if q != p && a.possible(i, k) {
			a.demands.Others = append(a.demands.Others, k)
		}
	}
}
