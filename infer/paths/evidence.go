package paths

import (
	"slices"

	"achilles/sim/elem"
)

// A Behaviour is what a subject may be taken to do, whatever its abilities.
type Behaviour string

// The behaviours. Seeker goes for the reward as far as it can: it may have any weakness. All others are degenerate, and
// named as the policies of docs/worlds.md.
const (
	Seeker     Behaviour = "seeker"
	RandomWalk Behaviour = "random-walk"
)

// Behaviours lists all behaviours: Seeker first, RandomWalk last.
func Behaviours() []Behaviour {
	list := []Behaviour{Seeker}
	for w := LastSeen; w < walkers; w++ {
		list = append(list, Behaviour(w.String()))
	}
	return append(list, RandomWalk)
}

// An Episode is one trial that a subject took, as far as it is compared.
type Episode struct {
	Item     string
	Forecast *Forecast
	Sight    Sight
}

// Evidence is what a subject's trajectories say for one behaviour.
type Evidence struct {
	Behaviour Behaviour
	// Given is the natural logarithm of the probability of what is seen in the trajectories, given which of the
	// episodes succeeded. It can be added to the evidence of the responses.
	Given float64
	// Items are the items that speak most for it against Seeker, for Seeker against the best of the others; the most
	// telling first, at most five.
	Items []string
}

// Weigh says what the episodes of a subject say for every behaviour, in the order of Behaviours. The episodes are taken
// one after the other, each predicted from those before it: the product of such predictions is the probability of all.
func Weigh(episodes []Episode) []Evidence {
	var out []Evidence
	each := make([][]float64, 0, len(Behaviours())) // behaviour → episode → log probability
	for _, b := range Behaviours() {
		p := newPredictor(b)
		logs := make([]float64, len(episodes))
		sum := 0.0
		for i := range episodes {
			logs[i] = p.take(&episodes[i])
			sum += logs[i]
		}
		each = append(each, logs)
		out = append(out, Evidence{Behaviour: b, Given: sum})
	}
	rival := 1
	for k := range out {
		if k > 0 && out[k].Given > out[rival].Given {
			rival = k
		}
	}
	for k := range out {
		against := 0
		if k == 0 {
			against = rival
		}
		out[k].Items = telling(episodes, each[k], each[against])
	}
	return out
}

// mostItems is how many items are named.
const mostItems = 5

// telling names the items of the episodes that speak most for one behaviour against another.
func telling(episodes []Episode, of, against []float64) (items []string) {
	order := make([]int, len(episodes))
	for i := range order {
		order[i] = i
	}
	gain := func(i int) float64 { return of[i] - against[i] }
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := gain(a), gain(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	for _, i := range order {
		if len(items) < mostItems && gain(i) > 0.5 && !slices.Contains(items, episodes[i].Item) {
			items = append(items, episodes[i].Item)
		}
	}
	return items
}

// A predictor predicts the episodes of somebody of one behaviour, and learns from each how it comes about.
type predictor struct {
	main  []manner  // what the behaviour is about
	shows []mixture // one an assumption about how rare lapses are
}

// A mixture has one share of lapses; what a lapse is like, and which of the main manners is at work, it learns.
type mixture struct {
	lapses      float64
	credit      float64   // log of its probability of all so far
	main, lapse []float64 // how often each manner was at work, as far as can be told, and what it was given in advance
}

// lapsed are the manners of a lapse, whatever the behaviour; the last stands for whatever nobody has thought of.

func lapsed() []manner { return []manner{informed, stays, manners} }

func newPredictor(b Behaviour) *predictor {
	p := &predictor{}
	shares := []float64{0.02, 0.05, 0.1, 0.2, 0.3, 0.4}
	switch b {
	case Seeker:
		p.main = []manner{seeks, breaksOff, mistakes, strays, pullsLeft, pullsRight, burns, sticks, falls}
		shares = append(shares, 0.6, 0.8, 0.95, 1)
	case RandomWalk:
		p.main = []manner{walks}
	default:
		for w := LastSeen; w < walkers; w++ {
			if b == Behaviour(w.String()) {
				p.main = []manner{degenerate + manner(w-LastSeen)}
			}
		}
		if p.main == nil {
			panic("paths: no such behaviour")
		}
	}
	for _, x := range shares {
		m := mixture{lapses: x}
		for range p.main {
			m.main = append(m.main, 1)
		}
		m.lapse = []float64{1, 1, 0.2}
		p.shows = append(p.shows, m)
	}
	return p
}

// take returns the log probability of what is seen in an episode given whether it succeeded, and learns from it.
func (p *predictor) take(e *Episode) float64 {
	joint, outcome := make([]float64, len(p.shows)), make([]float64, len(p.shows))
	for i := range p.shows {
		m := &p.shows[i]
		a, b := m.take(p.main, e)
		joint[i], outcome[i] = m.credit+elem.Log(a), m.credit+elem.Log(b)
	}
	for i := range p.shows {
		p.shows[i].credit = joint[i]
	}
	return elem.LogSumExp(joint) - elem.LogSumExp(outcome)
}

// take returns the probability of what is seen in the episode and that of its outcome alone, and learns.
func (m *mixture) take(main []manner, e *Episode) (joint, outcome float64) {
	add := func(list []manner, share float64, counts []float64) []float64 {
		part, total := make([]float64, len(list)), 0.0
		for k, x := range list {
			if e.occasion(x) {
				total += counts[k]
			}
		}
		for k, x := range list {
			if e.occasion(x) {
				w := share * counts[k] / total
				seen, ends := e.likelihood(x)
				part[k] = w * seen
				joint += part[k]
				outcome += w * ends
			}
		}
		return part
	}
	a := add(main, 1-m.lapses, m.main)
	b := add(lapsed(), m.lapses, m.lapse)
	for k, x := range a {
		m.main[k] += x / joint
	}
	for k, x := range b {
		m.lapse[k] += x / joint
	}
	return joint, outcome
}

// occasion says whether the scene has one for a manner.
func (e *Episode) occasion(x manner) bool { return x == manners || len(e.Forecast.manner[x]) > 0 }

// likelihood is the probability of what is seen in the episode by one manner, and that of its outcome.
func (e *Episode) likelihood(x manner) (seen, ends float64) {
	if x == manners {
		return e.Forecast.anyhow / 2, 0.5
	}
	return e.Forecast.likelihood(x, e.Sight), e.Forecast.outcome(x, e.Sight.Success)
}
