package policy

import "achilles/gridworld"

// larger returns the index of the place whose heap the agent takes to be larger than that at p, where reward i is: it cannot tell them apart
// by the ratio of their numbers (Weber's law), goes by total area and not by number, or counts pieces and not rewards; of several, the largest.
// It is NoPlace if there is none. A single reward need not be compared.
func (a *reasoning) larger(i int, p gridworld.Pos) int {
	if len(a.traces) < 2 {
		return NoPlace
	}
	own := a.heapAt(p, a.traces[i].thing.Value)
	for _, x := range []struct {
		takes func(h heap) bool // for larger than its own
		size  func(h heap) int
	}{
		{func(h heap) bool {
			return h.rewards > 0 && float64(own.rewards) > float64(a.Ratio*float64(own.rewards-h.rewards))
		}, func(h heap) int { return h.rewards }},
		{func(h heap) bool { return !a.Area && h.area > own.area }, func(h heap) int { return h.area }},
		{func(h heap) bool { return !a.Cohesion && h.pieces > own.pieces }, func(h heap) int { return h.pieces }},
	} {
		best := heap{place: NoPlace}
		for k, q := range a.room.places {
			if h := a.heapAt(q, a.traces[i].thing.Value); q != p && x.takes(h) && (best.place == NoPlace || x.size(h) > x.size(best)) {
				best, best.place = h, k
			}
		}
		if best.place != NoPlace {
			return best.place
		}
	}
	return NoPlace
}

// A heap is what an agent knows to be at a place.
type heap struct {
	place, rewards, pieces, area int // rewards: of a value; pieces: of whatever value; area: of the rewards, in hundredths squared
}

// heapAt returns the heap at p, with the rewards of a value.
func (a *reasoning) heapAt(p gridworld.Pos, value int) (h heap) {
	for j, q := range a.located {
		if q != p {
			continue
		}
		t := &a.traces[j].thing
		h.pieces++
		if t.Value == value {
			h.rewards, h.area = h.rewards+1, h.area+t.Size*t.Size
		}
	}
	return h
}
