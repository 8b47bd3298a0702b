package policy

import "achilles/gridworld"

// A trace is what an agent knows of one reward.
type trace struct {
	known     bool            // the agent has seen the reward
	inSight   bool            // the agent sees it now
	forgotten bool            // the agent has seen the reward, and no longer knows where the reward is
	thing     gridworld.Thing // state at the last sighting
	tick      int             // tick of the last sighting
	since     int             // tick of the first sighting
	lasted    int             // ticks from the first sighting until it vanished in the open; 0: it did not
	still     bool            // the agent saw no movement at the last sighting
	shifted   bool            // the agent has seen it leave a cell for another
	dx, dy    int             // movement at the last sighting; 0, 0 unless the agent saw the reward at the tick before

	carried // movement of the cover under which the reward vanished
	tubing
}

// perceive updates the beliefs by what is seen now.
func (a *Agent) perceive(v *gridworld.View) {
	next := 0 // sightings are sorted by index
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
			if seen {
				a.vanishes(t, v)
			}
		}
	}
	a.crowd()
	for k, p := range a.Room.places {
		if v.Seen.Has(p) {
			a.inspect(k, p, v)
		}
	}
}

// makesOut says whether the agent recognises a thing in view as a reward.
func (a *Agent) makesOut(t *gridworld.Thing) bool {
	return t.Kind == gridworld.Reward && a.discerns(t.Size)
}

// see records a sighting of a reward; seen says whether the reward was in sight when the agent last looked. see records
// a movement only if the agent saw the reward at the tick before: an agent does not look only while things rest or it
// is dark.
func (t *trace) see(thing gridworld.Thing, tick int, seen bool) {
	if !t.known {
		t.since = tick
	}
	t.shifted = t.shifted || seen && t.thing.Pos != thing.Pos
	moved := t.known && t.thing.Pos != thing.Pos && tick == t.tick+1
	t.still, t.dx, t.dy = !moved, 0, 0
	if moved && seen {
		t.dx, t.dy = thing.Pos.X-t.thing.Pos.X, thing.Pos.Y-t.thing.Pos.Y
	}
	t.known, t.inSight, t.forgotten, t.thing, t.tick = true, true, false, thing, tick
}

// fades says whether the agent forgets reward i, which is out of sight, at a tick: whether it has been out of sight for
// longer than memory lasts. An agent that set off while the reward was in sight does not forget it.
func (a *Agent) fades(i, tick int) bool {
	return !a.sure && float64(tick-a.traces[i].tick) > a.lasts(i)
}

// lasts returns for how many ticks the agent remembers where the hidden reward i is. With Effort it remembers longer if
// there are more places to search.
func (a *Agent) lasts(i int) float64 {
	lasts := a.Memory
	if a.Effort != 0 {
		lasts += float64(a.Effort * float64(a.others(i)))
	}
	return float64(lasts * a.Room.units.TicksPerTime)
}

// others returns the number of places, besides the right one, in which reward i could lie. After the agent has set off,
// it returns the number at that time.
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

// crowd forgets the least valuable hidden rewards in excess of Capacity.
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

// visit records that the agent has been at p, if that is a place.
func (a *Agent) visit(p gridworld.Pos) {
	if !a.Room.watch.Has(p) {
		return
	}
	for k, q := range a.Room.places {
		a.visited[k] = a.visited[k] || p == q
	}
}

// inspect records that place k at p, which is in sight, is empty. It does nothing if a reward is seen at p, or if p is
// so far away that the agent could not see a known reward there.
func (a *Agent) inspect(k int, p gridworld.Pos, v *gridworld.View) {
	for i := range a.traces {
		t := &a.traces[i]
		if t.inSight && t.thing.Pos == p || t.known && !a.within(t.thing.Size, v.Self.Pos, p) {
			return
		}
	}
	a.emptied[k] = v.Tick
}

// possible says whether the hidden reward i could lie at place k: the agent has not seen the place empty since it last
// saw the reward.
func (a *Agent) possible(i, k int) bool { return a.emptied[k] <= a.traces[i].tick }

// infer returns where the hidden reward i must be. This is where its cover is, or where its tube leads; without cover
// and tube, where it vanished, if that is a place; otherwise the possible place nearest to where it was heading. Places for
// which it is too large are not possible. In a room without places it is where the reward vanished. It returns false if the
// agent has seen every place empty.
func (a *Agent) infer(i int) (gridworld.Pos, bool) { return a.inferAs(i, &a.Parameters) }

// inferAs returns what an agent with parameters p infers from what this agent has seen.
func (a *Agent) inferAs(i int, p *Parameters) (gridworld.Pos, bool) {
	t := &a.traces[i]
	switch {
	case len(a.Room.places) == 0:
		return t.thing.Pos, true
	case t.moves > 0 && p.tracks(t) && t.by >= 0:
		return a.among(i, t.at, t.at, every)
	case t.moves > 0 && p.tracks(t): // the cover has left the reward at one of the places that it visited
		return a.among(i, gridworld.Nowhere(), t.at, t.visits)
	case !t.inTube(a.Room):
		return a.among(i, t.thing.Pos, gridworld.Pos{X: t.thing.Pos.X + t.dx, Y: t.thing.Pos.Y + t.dy}, a.admitting(t, p))
	}
	if q, falls := a.straightOn(t, p); falls {
		return q, true
	}
	return a.leadsTo(i, p.Timing)
}

// every is the set of all places, one bit each.
const every = ^uint64(0)

// among returns where the hidden reward i must be, if it is at a possible place of a set: the cell `at` if that is such
// a place, else the one nearest to `heading`. It returns false if there is no such place.
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

// listOthers records the places besides p in which the hidden reward i could lie.
func (a *Agent) listOthers(i int, p gridworld.Pos) {
	for k, q := range a.Room.places {
		if q != p && a.possible(i, k) {
			a.demands.Others = append(a.demands.Others, k)
		}
	}
}
