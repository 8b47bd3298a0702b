package trajectory

import (
	"slices"

	"achilles/sim/num"
)

// A Behaviour is what a subject may be taken to do, whatever its abilities.
type Behaviour string

// The behaviours of somebody who goes for the reward. Seeker may fail in any way; the others fail in one, besides not
// setting off at all.
const (
	Seeker      Behaviour = "seeker"
	Plain       Behaviour = "plain"        // it passes, or does not set off
	Tires       Behaviour = "tires"        // it stops on the way
	Forgets     Behaviour = "forgets"      // it stops when it has not seen the reward for too long, or goes to any place
	Mistakes    Behaviour = "mistakes"     // it goes to another place in which the reward could lie
	Confuses    Behaviour = "confuses"     // it goes to any other place
	PulledLeft  Behaviour = "pulled-left"  // it goes to the nearest place on the left
	PulledRight Behaviour = "pulled-right" // … on the right
	Burns       Behaviour = "burns"        // it walks into lava
	Sticks      Behaviour = "sticks"       // on ramps
	Falls       Behaviour = "falls"        // off ledges
)

// RandomWalk goes nowhere in particular. It is degenerate, as are the shortcuts.
const RandomWalk Behaviour = "random-walk"

// seekers are the behaviours of those who go for the reward, with the manners in which their episodes come about.
func seekers() []seeker {
	return []seeker{
		{Seeker, []manner{seeks, breaksOff, forgets, mistakes, strays, pullsLeft, pullsRight, burns, sticks, falls}},
		{Plain, []manner{seeks}}, {Tires, []manner{seeks, breaksOff}}, {Forgets, []manner{seeks, forgets, strays}}, {Mistakes, []manner{seeks, mistakes}},
		{Confuses, []manner{seeks, strays}}, {PulledLeft, []manner{seeks, pullsLeft}}, {PulledRight, []manner{seeks, pullsRight}},
		{Burns, []manner{seeks, burns}}, {Sticks, []manner{seeks, sticks}}, {Falls, []manner{seeks, falls}},
	}
}

type seeker struct {
	behaviour Behaviour
	manners   []manner
}

// Behaviours lists all behaviours: those of who goes for the reward, Seeker first; then the degenerate ones.
func Behaviours() (list []Behaviour) {
	for _, s := range seekers() {
		list = append(list, s.behaviour)
	}
	for _, x := range shortcuts() {
		list = append(list, x.behaviour)
	}
	return append(list, RandomWalk)
}

// Degenerate says whether a behaviour needs no idea of where a hidden reward is.
func (b Behaviour) Degenerate() bool {
	return !slices.ContainsFunc(seekers(), func(s seeker) bool { return s.behaviour == b })
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
	// Items are the items that speak most for a degenerate behaviour against the best of the others, and the other way
	// round; the most telling first, at most five.
	Items []string
}

// Weigh says what the episodes of a subject say for every behaviour, in the order of Behaviours. The episodes are taken
// one after the other, each predicted from those before it: the product of such predictions is the probability of all.
func Weigh(episodes []Episode) []Evidence {
	known := make([]odds, len(episodes))
	for i := range episodes {
		known[i] = episodes[i].odds()
	}
	var out []Evidence
	var each [][]float64 // behaviour → episode → log probability
	best := map[bool]int{true: -1, false: -1}
	for k, b := range Behaviours() {
		p := newPredictor(b)
		logs := make([]float64, len(episodes))
		sum := 0.0
		for i := range episodes {
			logs[i] = p.take(&known[i])
			sum += logs[i]
		}
		each = append(each, logs)
		out = append(out, Evidence{Behaviour: b, Given: sum})
		if d := b.Degenerate(); best[d] < 0 || sum > out[best[d]].Given {
			best[d] = k
		}
	}
	for k := range out {
		out[k].Items = telling(episodes, each[k], each[best[!out[k].Behaviour.Degenerate()]])
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
	shares := []float64{0.02, 0.05, 0.1, 0.2, 0.3}
	if i := slices.IndexFunc(seekers(), func(s seeker) bool { return s.behaviour == b }); i >= 0 {
		p.main = seekers()[i].manners
		shares = append(shares, 0.4, 0.6, 0.8, 0.95, 1)
	}
	for i, x := range shortcuts() {
		if b == x.behaviour {
			p.main = []manner{degenerate + manner(i)}
		}
	}
	if b == RandomWalk {
		p.main = []manner{walks}
	}
	if p.main == nil {
		panic("trajectory: no such behaviour")
	}
	for _, x := range shares {
		m := mixture{lapses: x, lapse: []float64{1, 1, 0.2}}
		for range p.main {
			m.main = append(m.main, 1)
		}
		p.shows = append(p.shows, m)
	}
	return p
}

// odds are the probabilities of what is seen in an episode by every manner, and those of its outcome alone.
type odds struct {
	seen, ends [manners + 1]float64
	occasion   [manners + 1]bool // the scene has one for the manner
}

func (e *Episode) odds() (o odds) {
	for x := range manners {
		if o.occasion[x] = len(e.Forecast.manner[x]) > 0; o.occasion[x] {
			o.seen[x], o.ends[x] = e.Forecast.likelihood(x, e.Sight), e.Forecast.outcome(x, e.Sight.Success)
		}
	}
	o.occasion[manners], o.seen[manners], o.ends[manners] = true, e.Forecast.anyhow/2, 0.5
	return o
}

// take returns the log probability of what is seen in an episode given whether it succeeded, and learns from it.
func (p *predictor) take(o *odds) float64 {
	joint, outcome := make([]float64, len(p.shows)), make([]float64, len(p.shows))
	for i := range p.shows {
		m := &p.shows[i]
		a, b := m.take(p.main, o)
		joint[i], outcome[i] = m.credit+num.Log(a), m.credit+num.Log(b)
	}
	for i := range p.shows {
		p.shows[i].credit = joint[i]
	}
	return num.LogSumExp(joint) - num.LogSumExp(outcome)
}

// take returns the probability of what is seen in the episode and that of its outcome alone, and learns.
func (m *mixture) take(main []manner, o *odds) (joint, outcome float64) {
	a, b := o.shares(main, m.main, 1-m.lapses), o.shares(lapsed(), m.lapse, m.lapses)
	for k, x := range main {
		joint, outcome = joint+float64(a[k]*o.seen[x]), outcome+float64(a[k]*o.ends[x])
	}
	for k, x := range lapsed() {
		joint, outcome = joint+float64(b[k]*o.seen[x]), outcome+float64(b[k]*o.ends[x])
	}
	for k, x := range main {
		m.main[k] += float64(a[k]*o.seen[x]) / joint
	}
	for k, x := range lapsed() {
		m.lapse[k] += float64(b[k]*o.seen[x]) / joint
	}
	return joint, outcome
}

// shares are the probabilities of some manners that a scene has occasion for, total in all, by their counts.
func (o *odds) shares(list []manner, counts []float64, total float64) []float64 {
	out, sum := make([]float64, len(list)), 0.0
	for k, x := range list {
		if o.occasion[x] {
			sum += counts[k]
		}
	}
	for k, x := range list {
		if o.occasion[x] {
			out[k] = total * counts[k] / sum
		}
	}
	return out
}
