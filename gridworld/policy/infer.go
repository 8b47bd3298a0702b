package policy

import "achilles/gridworld"

// A reasoning is where an agent infers the rewards to be, by what it remembers.
type reasoning struct {
	memory
	located []gridworld.Pos // by reward: where it is by all that the agent knows, when it last chose
}

// infer returns where the hidden reward i must be. This is where its cover is, or where its tube leads; without cover
// and tube, where it vanished, if that is a place; otherwise the possible place nearest to where it was heading. Places for
// which it is too large are not possible. In a room without places it is where the reward vanished. It returns false if the
// agent has seen every place empty.
func (a *reasoning) infer(i int) (gridworld.Pos, bool) { return a.inferAs(i, a.Parameters) }

// inferAs returns what an agent with parameters p infers from what this agent has seen.
func (a *reasoning) inferAs(i int, p *Parameters) (gridworld.Pos, bool) {
	t := &a.traces[i]
	switch {
	case len(a.room.places) == 0:
		return t.thing.Pos, true
	case t.moves > 0 && p.tracks(t) && t.by >= 0:
		return a.among(i, t.at, t.at, every)
	case t.moves > 0 && p.tracks(t): // the cover has left the reward at one of the places that it visited
		return a.among(i, gridworld.Nowhere(), t.at, t.visits)
	case !t.inTube(a.room):
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
func (a *reasoning) among(i int, at, heading gridworld.Pos, set uint64) (gridworld.Pos, bool) {
	best, least := gridworld.Pos{}, -1
	for k, p := range a.room.places {
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
