package policy

import (
	"slices"

	"achilles/gridworld"
)

// tempting returns the index of the place to which the agent goes instead of to p, where it believes reward i to be, because of something
// that is no reward to be had: a better one that vanished in the open (Scholl and Pylyshyn 1999), a better one that a pulled strip did not
// bring, or something worth less that vanished later. It is NoPlace if nothing tempts the agent.
func (a *reasoning) tempting(i int, p gridworld.Pos) int {
	own := &a.traces[i]
	better := func(t *trace) int { return t.thing.Value - own.thing.Value }
	later := func(t *trace) int { return t.tick - own.tick }
	for _, x := range []struct {
		resists bool
		tempts  func(t *trace) bool
		more    func(t *trace) int // by how much; above 0
	}{
		{a.Gone, func(t *trace) bool { return t.lasted > 0 && !t.taken() }, better},
		{a.Tools, func(t *trace) bool { return a.room.leaves(t.thing.Pos) }, better},
		{a.Decoys, func(t *trace) bool { return better(t) < 0 }, later},
	} {
		if x.resists {
			continue
		}
		best := own
		for j := range a.traces {
			if t := &a.traces[j]; t.known && !t.inSight && !t.forgotten && x.tempts(t) && x.more(t) > x.more(best) {
				best = t
			}
		}
		if k := a.nearestTo(best.thing.Pos); best != own && k != NoPlace && a.room.places[k] != p {
			return k
		}
	}
	return NoPlace
}

// keepsFrom says whether a place is NoPlace; if not, the agent goes there.
func (a *choice) keepsFrom(place int) bool {
	if place != NoPlace {
		a.stray(a.room.places[place])
	}
	return place == NoPlace
}

// needsReward says whether an agent with goal g does nothing before it has seen a reward.
func (g Goal) needsReward() bool {
	return slices.Contains([]Goal{Reward, LastSeen, Motion, NearestVisible, Habit, Cover, LargestCover, Avoid, LargestArea, MostPieces, LastGone, BestSeen}, g)
}

// toMost aims, once the nearest reward that the agent has seen is out of sight or rests, at the place with most of what its goal counts. A
// reward counts for the place nearest to where it was last seen. Of equal places it takes the nearest to the start.
func (a *choice) toMost(self gridworld.Actor) (gridworld.Pos, bool) {
	t := a.closest(self.Pos)
	if t == nil || t.inSight && !a.atRest(t) {
		return gridworld.Pos{}, false
	}
	most, best, near := 0, NoPlace, 0
	for k, p := range a.room.places {
		n, d := a.much(k), p.Manhattan(a.room.start.Pos)
		if best == NoPlace || n > most || n == most && d < near {
			most, best, near = n, k, d
		}
	}
	if best == NoPlace {
		return a.quit(NoWay)
	}
	a.stray(a.room.places[best])
	return a.target, true
}

// much returns how much of what the agent's goal counts is at place k.
func (a *reasoning) much(k int) (n int) {
	for i := range a.traces {
		t := &a.traces[i]
		if !t.known || a.nearestTo(t.thing.Pos) != k {
			continue
		}
		switch a.Goal {
		case LargestArea:
			n += t.thing.Size * t.thing.Size * max(0, min(1, t.thing.Value))
		case MostPieces:
			n++
		case LastGone:
			n = max(n, 1+t.tick)
		case BestSeen:
			n = max(n, 1+t.thing.Value)
		}
	}
	return n
}
