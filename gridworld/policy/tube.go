package policy

import "achilles/gridworld"

// A tube is a line of coloured occluders that leads to holes. A reward that rolls into a tube keeps moving by one cell
// per tick, comes out at an end of the same colour, and falls into the hole there. Between an end and its hole there
// may be a gap of one cell, in which the reward can be seen.

// An outlet is an end of a tube.
type outlet struct {
	place int           // index of the place that is its hole
	gap   gridworld.Pos // the gap before the hole; Nowhere: none
	far   int           // number of cells through the tube from its mouth to the gap, or to the hole if there is none
}

// A tubing is what an agent knows of a reward that went into a tube.
type tubing struct {
	mouth   gridworld.Pos // the first cell of the tube; Nowhere: the reward is in no tube
	passed  uint64        // set of the places at whose gap the agent would have seen the reward by now, had it come out there
	watched int           // tick at which the agent last looked
	learned int           // tick at which the agent last could have seen the reward come out, or would have but for the dark
}

// inTube says whether the reward went into a tube and has not been seen since.
func (t *tubing) inTube(r *Room) bool { return len(r.ends) > 0 && t.mouth != gridworld.Nowhere() }

// enter records the tube into which the reward has gone; its mouth is Nowhere if there is none.
func (t *trace) enter(r *Room) {
	t.tubing = tubing{mouth: gridworld.Nowhere(), watched: t.tick}
	if max(t.dx, -t.dx)+max(t.dy, -t.dy) != 1 || len(r.ends) == 0 {
		return
	}
	if p := (gridworld.Pos{X: t.thing.Pos.X + t.dx, Y: t.thing.Pos.Y + t.dy}); len(r.outlets(p)) > 0 {
		t.mouth = p
	}
}

// comesOut returns the tick at which the reward would be in the gap of an outlet.
func (t *trace) comesOut(o outlet) int { return t.tick + 1 + o.far }

// watchOutlets records at which ends of its tube the reward has not come out in time. An agent looks before anything changes, so what
// it sees now could be seen since it last looked.
func (a *memory) watchOutlets(t *trace, v *gridworld.View) {
	if !t.inTube(a.room) {
		return
	}
	for _, o := range a.room.outlets(t.mouth) {
		if at := t.comesOut(o); o.gap != gridworld.Nowhere() && at > t.watched && at <= v.Tick {
			t.learned = max(t.learned, at)
			if !v.Dark && v.Seen.Has(o.gap) {
				t.passed |= 1 << uint(o.place)
			}
		}
	}
	t.watched = v.Tick
}

// awaits says whether the agent does not know yet at which end reward i comes out of its tube: it takes time into account, and will
// learn more by waiting.
func (a *reasoning) awaits(i int) bool {
	t := &a.traces[i]
	if !a.Timing || !t.inTube(a.room) {
		return false
	}
	left, later := 0, false
	for _, o := range a.room.outlets(t.mouth) {
		if a.possible(i, o.place) && t.passed>>uint(o.place)&1 == 0 {
			left, later = left+1, later || t.comesOut(o) > t.watched
		}
	}
	return left > 1 && later
}

// straightOn returns the place to which the reward would have gone if there were no tube; ok is true if there is such a
// place and the agent, with parameters p, ignores tubes.
func (a *reasoning) straightOn(t *trace, p *Parameters) (gridworld.Pos, bool) {
	q := a.onward(t)
	return q, !p.Tubes && a.room.watch.Has(q)
}

// leadsTo returns the place to which the tube has led reward i: of the places where it may have come out, the nearest
// through the tube. If timing is true it excludes places at whose gap the agent would have seen the reward.
func (a *reasoning) leadsTo(i int, timing bool) (gridworld.Pos, bool) {
	t := &a.traces[i]
	best, far := NoPlace, 0
	for _, o := range a.room.outlets(t.mouth) {
		if !a.possible(i, o.place) || timing && t.passed>>uint(o.place)&1 != 0 {
			continue
		}
		if best == NoPlace || o.far < far {
			best, far = o.place, o.far
		}
	}
	if best == NoPlace {
		return gridworld.Pos{}, false
	}
	return a.room.places[best], true
}

// An end is a hole and the end of a tube that leads into it.
type end struct {
	place int
	gap   gridworld.Pos
	last  gridworld.Pos // the tube's last cell
}

// findEnds finds the holes into which tubes lead, directly or across a gap of one cell.
func (r *Room) findEnds() {
	r.ends, r.mouth = r.ends[:0], gridworld.Nowhere()
	r.watched = r.watch
	for k, p := range r.places[:min(len(r.places), maxPlaces)] {
		if r.layout.At(p).Kind != gridworld.Hole {
			continue
		}
		for d := gridworld.North; d < gridworld.Directions; d += 2 {
			q := p.Add(d)
			switch {
			case r.isTube(q):
				r.ends = append(r.ends, end{k, gridworld.Nowhere(), q})
			case r.layout.Inside(q) && r.layout.At(q).Kind == gridworld.Floor && r.isTube(q.Add(d)):
				r.ends = append(r.ends, end{k, q, q.Add(d)})
				r.watched.Set(q)
			}
		}
	}
}

// outlets returns the ends of the tube of which p is a cell. The list is valid until the next call.
func (r *Room) outlets(p gridworld.Pos) []outlet {
	if p == r.mouth {
		return r.exits
	}
	r.mouth, r.exits = p, r.exits[:0]
	if !r.isTube(p) {
		return nil
	}
	far := r.along(p)
	for _, e := range r.ends {
		if n, ok := far[e.last]; ok {
			r.exits = append(r.exits, outlet{e.place, e.gap, n + 1})
		}
	}
	return r.exits
}
