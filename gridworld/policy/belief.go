package policy

import "achilles/gridworld"

// A trace is what an agent knows of one reward.
type trace struct {
	known     bool            // the agent has seen the reward
	inSight   bool            // the agent sees it now
	forgotten bool            // the agent has seen the reward, and no longer knows where the reward is
	thing     gridworld.Thing // state at the last sighting
	tick      int             // tick of the last sighting
	since     int             // tick from which the agent could see it
	lasted    int             // ticks from the first sighting until it vanished in the open; 0: it did not
	still     bool            // the agent saw no movement at the last sighting
	shifted   bool            // the agent has seen it leave a cell for another
	dx, dy    int             // movement at the last sighting; 0, 0 unless the agent saw the reward at the tick before

	carried // movement of the cover under which the reward vanished
	tubing
}

// A memory is what an agent has seen in an episode, and how far it has come.
type memory struct {
	sight
	traces  []trace
	emptied []int  // by place: tick at which it was last seen empty; −1: never
	visited []bool // by place: the agent has been there
	hidings []int  // by place: number of times that a reward was hidden there and found before the agent set off
	demands Demands
	past    *Past // what it did in the trials before; nil: the trial stands alone
	looked  int   // tick at which the agent last looked; −1: never

	chosen   bool // the agent has set off for a reward
	sure     bool // the reward was in sight when it set off
	underway bool // the agent has begun to walk
}

// perceive updates the beliefs by what is seen now.
func (a *memory) perceive(v *gridworld.View) {
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
			t.see(v.Things[next].Thing, a.looked+1, v.Tick, seen)
		} else if t.known {
			t.forgotten = t.forgotten || a.fades(i, v.Tick)
			a.follow(t, seen, v)
			if seen {
				a.vanishes(t, v)
			}
		}
	}
	a.crowd()
	for k, p := range a.room.places {
		if v.Seen.Has(p) {
			a.inspect(k, p, v)
		}
	}
}

// makesOut says whether the agent recognises a thing in view as a reward.
func (a *sight) makesOut(t *gridworld.Thing) bool {
	return t.Kind == gridworld.Reward && a.discerns(t.Size)
}

// see records a sighting of a reward; seen says whether the reward was in sight when the agent last looked. see records
// a movement only if the agent saw the reward at the tick before: an agent does not look only while things rest or it
// is dark. What it sees for the first time was there from tick from on, since it last looked.
func (t *trace) see(thing gridworld.Thing, from, tick int, seen bool) {
	if !t.known {
		t.since = from
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
func (a *memory) fades(i, tick int) bool {
	return !a.sure && float64(tick-a.traces[i].tick) > a.lasts(i)
}

// lasts returns for how many ticks the agent remembers where the hidden reward i is. With Effort it remembers longer if
// there are more places to search.
func (a *memory) lasts(i int) float64 {
	lasts := a.Memory
	if a.Effort != 0 {
		lasts += float64(a.Effort * float64(a.others(i)))
	}
	return float64(lasts * a.room.units.TicksPerTime)
}

// others returns the number of places, besides the right one, in which reward i could lie. After the agent has set off,
// it returns the number at that time.
func (a *memory) others(i int) int {
	if a.chosen {
		return len(a.demands.Others)
	}
	n := 0
	for k := range a.room.places {
		if a.possible(i, k) {
			n++
		}
	}
	return max(n-1, 0)
}

// crowd forgets the least valuable hidden rewards in excess of Capacity.
func (a *memory) crowd() {
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
func (a *memory) visit(p gridworld.Pos) {
	if !a.room.watch.Has(p) {
		return
	}
	for k, q := range a.room.places {
		a.visited[k] = a.visited[k] || p == q
	}
}

// inspect records that place k at p, which is in sight, is empty. It does nothing if a reward is seen at p, or if p is
// so far away that the agent could not see a known reward there.
func (a *memory) inspect(k int, p gridworld.Pos, v *gridworld.View) {
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
func (a *memory) possible(i, k int) bool { return a.emptied[k] <= a.traces[i].tick }

// listOthers records the places besides p in which the hidden reward i could lie.
func (a *memory) listOthers(i int, p gridworld.Pos) {
	for k, q := range a.room.places {
		if q != p && a.possible(i, k) {
			a.demands.Others = append(a.demands.Others, k)
		}
	}
}
