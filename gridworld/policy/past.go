package policy

import (
	"math"
	"slices"

	"achilles/gridworld"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Tried is where an agent went in an earlier trial of a block, in the same room.
type Tried struct {
	At     gridworld.Pos // the place; Nowhere: it went to none
	Found  bool          // the reward was there
	Round  int           // of the block, to which the trial belonged
	Forced bool          // there was no other place to go to

	Gone  gridworld.Colour // of the reward that it had seen there and did not find; None: there is none
	After int              // ticks for which it had not seen that reward when it might act
}

// A Past is what an agent brings into a trial from the earlier trials of its block. A block has rounds of one or more trials: in a round
// in which it was forced to places, the last trial tests whether it returns to the first of those or goes elsewhere.
type Past struct {
	Trials []Tried // in the order in which it took them
	Round  int     // of the present trial
}

// target returns the place where the reward is by the past of an agent that has seen none in the trial; false if there is no such place.
func (p *Past) target(m *memory, draws *rng.Rand) (gridworld.Pos, bool) {
	places := m.room.places
	if len(places) == 0 {
		return gridworld.Pos{}, false
	}
	var lately []gridworld.Pos // where it was forced to in this round, and found the reward
	for _, t := range p.Trials {
		if t.Round == p.Round && t.Forced && t.Found {
			lately = append(lately, t.At)
		}
	}
	stays, certainty := p.rule(m.Rule)
	switch known := draws.Bernoulli(certainty); {
	case len(lately) == 0 || len(places) == 1:
		return p.byValue(places, m.Parameters, draws), true
	case !known || stays && float64(m.view.Tick) > float64(m.Memory*float64(m.room.units.TicksPerTime)):
		return places[draws.IntN(len(places))], true
	case stays && float64(len(lately)-1) > m.Visits: // it takes the last place for the first
		return lately[len(lately)-1], true
	case stays:
		return lately[0], true
	case float64(len(lately)) > m.Visits: // it does not know where it has been
		return lately[draws.IntN(len(lately))], true
	}
	fresh := slices.DeleteFunc(slices.Clone(places), func(q gridworld.Pos) bool { return slices.Contains(lately, q) })
	if len(fresh) == 0 {
		return gridworld.Pos{}, false
	}
	return p.byValue(fresh, m.Parameters, draws), true
}

// rule returns what the tests that the agent passed in earlier rounds teach: to return to where it found the reward in the round (stays), or
// to go elsewhere. Every one of them closes a share of the gap to certainty, which is the probability that the agent knows the rule. A round in
// which it missed a place to which it was forced teaches nothing: the test may have been about that one.
func (p *Past) rule(share float64) (stays bool, certainty float64) {
	for _, t := range p.Trials {
		if t.Forced || !t.Found {
			continue
		}
		first, missed := gridworld.Nowhere(), false
		for _, s := range p.Trials {
			if s.Forced && s.Round == t.Round {
				if missed = !s.Found; missed {
					break
				}
				if first == gridworld.Nowhere() {
					first = s.At
				}
			}
		}
		if !missed && first != gridworld.Nowhere() {
			stays = first == t.At
			certainty += float64(share * (1 - certainty))
		}
	}
	return stays, certainty
}

// byValue draws one of some places with odds of exp(Sharp · value).
func (p *Past) byValue(places []gridworld.Pos, by *Parameters, draws *rng.Rand) gridworld.Pos {
	odds := p.values(places, by.Win, by.Loss)
	best, sum := slices.Max(odds), 0.0
	for k, v := range odds {
		switch {
		case v == best:
			odds[k] = 1
		case math.IsInf(by.Sharp, 1):
			odds[k] = 0
		default:
			odds[k] = num.Exp(float64(by.Sharp * (v - best)))
		}
		sum += odds[k]
	}
	u := float64(draws.Float64() * sum)
	for k, v := range odds {
		if u -= v; u < 0 {
			return places[k]
		}
	}
	return places[len(places)-1]
}

// values returns the values of places, by what the agent found in each: a reward closes a share of the gap between the value and 1, and no
// reward takes a share of the value away (Rescorla and Wagner 1972; Luce 1959). At first values are 0. To find nothing where the agent took the
// reward in the same round teaches nothing.
func (p *Past) values(places []gridworld.Pos, win, loss float64) []float64 {
	values := make([]float64, len(places))
	for i, t := range p.Trials {
		k := slices.Index(places, t.At)
		switch {
		case k < 0:
		case t.Found:
			values[k] += float64(win * (1 - values[k]))
		case !slices.ContainsFunc(p.Trials[:i], func(s Tried) bool { return s.At == t.At && s.Found && s.Round == t.Round }):
			values[k] -= float64(loss * values[k])
		}
	}
	return values
}

// pull returns the place to which the agent goes back instead of to p, where it knows the reward i to be: the one where it has found rewards
// most often in the block, if it does not hold out against them. Every unit of time for which the reward has been out of sight adds Fading of
// those finds. It is NoPlace if there is none.
func (p *Past) pull(m *memory, i int, to gridworld.Pos) int {
	if p == nil {
		return NoPlace
	}
	place, most := NoPlace, 0
	for k, q := range m.room.places {
		n := 0
		for _, t := range p.Trials {
			n += is(t.Found && t.At == q)
		}
		if q != to && n > most {
			place, most = k, n
		}
	}
	known := 0
	for j := range m.traces {
		known += is(m.traces[j].known)
	}
	if known > 1 { // it has to choose between rewards, and no place has become a habit
		return NoPlace
	}
	delay := float64(m.view.Tick-m.traces[i].tick) / float64(m.room.units.TicksPerTime)
	if m.Restraint >= float64(most)*(1+float64(m.Fading*delay)) {
		return NoPlace
	}
	return place
}

// gone returns how often the agent found that a reward of a colour, which had been out of sight for some ticks or fewer, was no longer there. It
// returns 0 for a trial that stands alone.
func (p *Past) gone(colour gridworld.Colour, ticks int) (n int) {
	if p == nil {
		return 0
	}
	for _, t := range p.Trials {
		n += is(t.Gone != gridworld.None && t.Gone == colour && t.After <= ticks)
	}
	return n
}

// certain returns how certain something is that was found n times, each of which closes a share of the gap to certainty.
func certain(n int, share float64) (certainty float64) {
	for range n {
		certainty += float64(share * (1 - certainty))
	}
	return certainty
}

// Missed returns what the agent saw at p before it might act, and no longer sees: the colour of the most valuable reward, and for how many
// ticks it had been out of sight then. The colour is None if it saw nothing there.
func (a *Agent) Missed(p gridworld.Pos) (colour gridworld.Colour, after int) {
	best := 0
	for i := range a.traces {
		t := &a.traces[i]
		if t.known && !t.inSight && t.thing.Pos == p && t.tick < a.Room.free && (colour == gridworld.None || t.thing.Value > best) {
			colour, after, best = t.thing.Colour, a.Room.free-t.tick, t.thing.Value
		}
	}
	return colour, after
}

func is(claim bool) int {
	if claim {
		return 1
	}
	return 0
}
