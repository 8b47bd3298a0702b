package policy

import (
	"slices"

	"achilles/gridworld"
)

// wanted returns the index of a reward at the place where the agent believes the rewards of the greatest total value to
// be; of equally good ones it prefers one in sight, then the first. It returns −1 if the agent knows of no reward.
func (a *reasoning) wanted() int {
	best, most := -1, 0
	a.locate()
	for i := range a.traces {
		t := &a.traces[i]
		if !a.minds(t) {
			continue
		}
		worth := a.worth(i)
		if best < 0 || worth > most || worth == most && t.inSight && !a.traces[best].inSight {
			best, most = i, worth
		}
	}
	return best
}

// minds says whether the agent has a reward in mind.
func (a *reasoning) minds(t *trace) bool {
	return t.known && !t.forgotten && (t.inSight || a.Persists && t.lasted == 0 && !a.perished(t) && !a.room.leaves(t.thing.Pos))
}

// perished says whether a reward out of sight has perished by all that the agent has seen: one that looked the same, and
// that the agent had not seen for longer, vanished in the open (Clayton and Dickinson 1998), or was gone in an earlier trial of the block. One that
// was taken away tells nothing about others.
func (a *reasoning) perished(t *trace) bool {
	if a.past.gone(t.thing.Colour, a.view.Tick-t.tick) > 0 {
		return true
	}
	for i := range a.traces {
		s := &a.traces[i]
		if s != t && s.lasted > 0 && !s.taken() && s.thing.Colour == t.thing.Colour && s.thing.Size == t.thing.Size && a.view.Tick-t.since >= s.lasted {
			return true
		}
	}
	return false
}

// dates decides whether the agent goes to reward i rather than to a more valuable one that has perished. An agent that
// ignores time goes to where that one was, and searches no other place. Where only earlier trials tell, each time that the agent found such a
// reward gone closes a share of the gap to reckoning with it.
func (a *choice) dates(i int) bool {
	for j := range a.traces {
		t := &a.traces[j]
		if !t.known || t.forgotten || t.inSight || t.thing.Value <= a.traces[i].thing.Value || !a.perished(t) {
			continue
		}
		reckons, n := a.When, a.past.gone(t.thing.Colour, a.view.Tick-t.tick)
		if n > 0 {
			reckons = a.draws.Bernoulli(certain(n, a.Span))
		}
		if reckons {
			continue
		}
		if q, ok := a.inferAs(j, able()); ok {
			if n == 0 || a.decides(q) {
				a.stray(q)
			}
			return false
		}
	}
	return true
}

// vanishes records that a reward in sight, which did not move, is gone, if it vanished in the open: from the air, with no
// place near into which it could have fallen, or from a place whose contents are in sight. Only before it moves can an
// agent be sure.
func (a *memory) vanishes(t *trace, v *gridworld.View) {
	if v.Dark || a.underway || a.HalfAngle != 0 || !t.still || t.by >= 0 || t.inTube(a.room) {
		return
	}
	p := t.thing.Pos
	falls := slices.ContainsFunc(a.room.places, func(q gridworld.Pos) bool { return p.Chebyshev(q) <= 1 })
	if t.thing.State == gridworld.Air && !falls || t.thing.State == gridworld.Ground && v.Seen.Has(p) {
		t.lasted = v.Tick - t.since
	}
}

// locate sets a.located to the cells where an agent that infers everything would believe the rewards in mind to be. It is
// Nowhere for other rewards, and does nothing if there is one reward only.
func (a *reasoning) locate() {
	if len(a.traces) < 2 {
		return
	}
	a.located = cleared(a.located, len(a.traces))
	for i := range a.traces {
		t := &a.traces[i]
		a.located[i] = gridworld.Nowhere()
		switch {
		case !a.minds(t):
		case t.inSight:
			a.located[i] = t.thing.Pos
		default:
			if p, ok := a.inferAs(i, able()); ok {
				a.located[i] = p
			}
		}
	}
}

// worth returns the total value of the rewards that are located where reward i is.
func (a *reasoning) worth(i int) int {
	if len(a.traces) < 2 || a.located[i] == gridworld.Nowhere() {
		return a.traces[i].thing.Value
	}
	sum := 0
	for j := range a.traces {
		if a.located[j] == a.located[i] {
			sum += a.traces[j].thing.Value
		}
	}
	return sum
}

// counts decides whether the agent can tell that there are more rewards of the value of reward i at its place p than at any
// other place. If not, it goes to the place with the next largest number. A single reward need not be counted.
func (a *choice) counts(i int, p gridworld.Pos) bool {
	if len(a.traces) < 2 {
		return true
	}
	at := func(place gridworld.Pos) (n int) {
		for j, q := range a.located {
			if q == place && a.traces[j].thing.Value == a.traces[i].thing.Value {
				n++
			}
		}
		return n
	}
	most, rival := 0, NoPlace
	for k, place := range a.room.places {
		if n := at(place); place != p && n > most {
			most, rival = n, k
		}
	}
	if rival == NoPlace || a.Number >= float64(at(p)) {
		return true
	}
	a.stray(a.room.places[rival])
	return false
}
