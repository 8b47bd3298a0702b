package policy

import "achilles/gridworld"

// wanted returns the index of a reward at the place where the agent believes the rewards of the greatest total value to
// be; of equally good ones it prefers one in sight, then the first. It returns −1 if the agent knows of no reward.
func (a *Agent) wanted() int {
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
func (a *Agent) minds(t *trace) bool {
	return t.known && !t.forgotten && (t.inSight || a.Persists)
}

// locate sets a.located to the cells where an agent that infers everything would believe the rewards in mind to be. It is
// Nowhere for other rewards, and does nothing if there is one reward only.
func (a *Agent) locate() {
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
func (a *Agent) worth(i int) int {
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

// counts decides whether the agent can tell that there are more rewards at p than at any other place. If not, it goes to
// the place with the next largest number. A single reward need not be counted.
func (a *Agent) counts(p gridworld.Pos) bool {
	if len(a.traces) < 2 {
		return true
	}
	own, most, rival := 0, 0, NoPlace
	for _, q := range a.located {
		if q == p {
			own++
		}
	}
	for k, place := range a.Room.places {
		n := 0
		for _, q := range a.located {
			if q == place {
				n++
			}
		}
		if place != p && n > most {
			most, rival = n, k
		}
	}
	if rival == NoPlace || a.Number >= float64(own) {
		return true
	}
	a.stray(a.Room.places[rival])
	return false
}
