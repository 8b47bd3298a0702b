package policy

import (
	"math"
	"slices"

	"achilles/gridworld"
	"achilles/sim/num"
)

// A Tried is where an agent went in an earlier trial of a block, in the same room.
type Tried struct {
	At     gridworld.Pos // the place; Nowhere: it went to none
	Found  bool          // the reward was there
	Round  int           // of the block, to which the trial belonged
	Forced bool          // there was no other place to go to
}

// A Past is what an agent brings into a trial from the earlier trials of its block. A block has rounds of one or more trials: in a round
// in which it was forced to places, the last trial tests whether it returns to one of those or goes elsewhere.
type Past struct {
	Trials []Tried // in the order in which it took them
	Round  int     // of the present trial
}

// recollects aims, for an agent that has seen no reward, at the place where by its past the reward is.
func (a *choice) recollects() (gridworld.Pos, bool) {
	places := a.room.places
	if len(places) == 0 {
		return a.quit(OutOfMind)
	}
	var lately []gridworld.Pos // where it was forced to in this round, and found the reward
	for _, t := range a.past.Trials {
		if t.Round == a.past.Round && t.Forced && t.Found {
			lately = append(lately, t.At)
		}
	}
	switch stays, known := a.rule(); {
	case len(lately) == 0 || len(places) == 1:
		return a.commit(a.byValue(places)), true
	case !known || stays && float64(a.view.Tick) > float64(a.Memory*float64(a.room.units.TicksPerTime)):
		return a.commit(places[a.draws.IntN(len(places))]), true
	case stays:
		return a.commit(lately[len(lately)-1]), true
	case float64(len(lately)) > a.Visits: // it does not know where it has been
		return a.commit(lately[a.draws.IntN(len(lately))]), true
	}
	fresh := slices.DeleteFunc(slices.Clone(places), func(p gridworld.Pos) bool { return slices.Contains(lately, p) })
	if len(fresh) == 0 {
		return a.quit(Wrong)
	}
	return a.commit(a.byValue(fresh)), true
}

// rule returns what the tests that the agent passed in earlier rounds teach: to return to where it found the reward in the round (stays), or
// to go elsewhere. Every one of them closes Rule of the gap to certainty; the agent knows the rule with the probability that results.
func (a *choice) rule() (stays, known bool) {
	p := 0.0
	for _, t := range a.past.Trials {
		if t.Forced || !t.Found {
			continue
		}
		for _, s := range a.past.Trials {
			if s.Forced && s.Found && s.Round == t.Round {
				stays = s.At == t.At
				p += float64(a.Rule * (1 - p))
				break
			}
		}
	}
	return stays, a.draws.Bernoulli(p)
}

// byValue draws one of some places with odds of exp(Sharp · value), by what the agent found in each: a reward closes Win of the gap
// between its value and 1, and no reward takes Loss of it away (Rescorla and Wagner 1972; Luce 1959). At first values are 0. To find
// nothing where the agent took the reward in the same round teaches nothing.
func (a *choice) byValue(places []gridworld.Pos) gridworld.Pos {
	values := make([]float64, len(places))
	for i, t := range a.past.Trials {
		k := slices.Index(places, t.At)
		switch {
		case k < 0:
		case t.Found:
			values[k] += float64(a.Win * (1 - values[k]))
		case !slices.ContainsFunc(a.past.Trials[:i], func(s Tried) bool { return s.At == t.At && s.Found && s.Round == t.Round }):
			values[k] -= float64(a.Loss * values[k])
		}
	}
	best, sum := slices.Max(values), 0.0
	for k, v := range values {
		switch {
		case v == best:
			values[k] = 1
		case math.IsInf(a.Sharp, 1):
			values[k] = 0
		default:
			values[k] = num.Exp(float64(a.Sharp * (v - best)))
		}
		sum += values[k]
	}
	u := float64(a.draws.Float64() * sum)
	for k, v := range values {
		if u -= v; u < 0 {
			return places[k]
		}
	}
	return places[len(places)-1]
}

// restrains decides whether the agent goes to p, where it knows the reward i to be, rather than to where it has found rewards most often in
// the block. Every unit of time for which the reward has been out of sight adds Fading of those finds to what it has to hold out against.
func (a *choice) restrains(i int, p gridworld.Pos) bool {
	if a.past == nil {
		return true
	}
	place, most := NoPlace, 0
	for k, q := range a.room.places {
		n := 0
		for _, t := range a.past.Trials {
			n += is(t.Found && t.At == q)
		}
		if q != p && n > most {
			place, most = k, n
		}
	}
	delay := float64(a.view.Tick-a.traces[i].tick) / float64(a.room.units.TicksPerTime)
	if most == 0 || a.Restraint >= float64(most)*(1+float64(a.Fading*delay)) {
		return true
	}
	a.stray(a.room.places[place])
	return false
}

func is(claim bool) int {
	if claim {
		return 1
	}
	return 0
}
