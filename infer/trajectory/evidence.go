package trajectory

import (
	"cmp"
	"slices"
	"sync"

	"achilles/sim/num"
)

// A Behaviour is a hypothesis about how a subject acts, whatever the subject's abilities.
type Behaviour string

// The behaviours of a subject that goes for the reward. Seeker may fail in any of the ways below, and Plain never fails.
// Each of the others fails in one way only. In a lapse, which is possible with every behaviour, a subject stays where it
// is, goes to the reward with full information, or does something else.
const (
	Seeker      Behaviour = "seeker"
	Plain       Behaviour = "plain"        // it goes to the place where the reward must be according to what it has seen
	Tires       Behaviour = "tires"        // it stops on the way
	Forgets     Behaviour = "forgets"      // it stops when it has not seen the reward for too long, or goes to any wrong place
	Mistakes    Behaviour = "mistakes"     // it goes to another place where the reward could be
	Confuses    Behaviour = "confuses"     // it goes to any other place
	PulledLeft  Behaviour = "pulled-left"  // it goes to the nearest place on the left
	PulledRight Behaviour = "pulled-right" // it goes to the nearest place on the right
	Burns       Behaviour = "burns"        // it walks into lava
	Sticks      Behaviour = "sticks"       // it gets stuck on ramps
	Falls       Behaviour = "falls"        // it falls off ledges

	// It does as who lacks the ability that makes this demand (docs/reference): it may be sure of a wrong place.
	LacksInhibition Behaviour = "lacks-inhibition"
	LacksTracking   Behaviour = "lacks-tracking"
	LacksTubes      Behaviour = "lacks-tubes"
	LacksTiming     Behaviour = "lacks-timing"
	LacksOpenings   Behaviour = "lacks-openings"
	LacksSizes      Behaviour = "lacks-sizes"
	LacksWhen       Behaviour = "lacks-when"
	LacksNumber     Behaviour = "lacks-number"
	LacksRetreat    Behaviour = "lacks-retreat"
	LacksRatio      Behaviour = "lacks-ratio"
	LacksArea       Behaviour = "lacks-area"
	LacksCohesion   Behaviour = "lacks-cohesion"
	LacksReach      Behaviour = "lacks-reach"
	LacksGone       Behaviour = "lacks-gone"
	LacksDecoys     Behaviour = "lacks-decoys"
	LacksBoards     Behaviour = "lacks-boards"
	LacksTools      Behaviour = "lacks-tools"
)

// RandomWalk is a random walk. It is degenerate, as the shortcuts are (see Behaviour.Degenerate).
const RandomWalk Behaviour = "random-walk"

// seekers returns the behaviours that go for the reward. Under each of them, the distribution of episodes is a mixture of
// its components.
func seekers() []seeker {
	list := []seeker{
		{Seeker, []component{seeks, breaksOff, forgets, mistakes, strays, pullsLeft, pullsRight, burns, sticks, falls}},
		{Plain, []component{seeks}}, {Tires, []component{seeks, breaksOff}}, {Forgets, []component{seeks, forgets, strays}}, {Mistakes, []component{seeks, mistakes}},
		{Confuses, []component{seeks, strays}}, {PulledLeft, []component{seeks, pullsLeft}}, {PulledRight, []component{seeks, pullsRight}},
		{Burns, []component{seeks, burns}}, {Sticks, []component{seeks, sticks}}, {Falls, []component{seeks, falls}},
	}
	for i, w := range wants() {
		list[0].components = append(list[0].components, unable+component(i))
		list = append(list, seeker{w.behaviour, []component{seeks, unable + component(i)}})
	}
	return list
}

type seeker struct {
	behaviour  Behaviour
	components []component
}

// Behaviours lists all behaviours: those that go for the reward, Seeker first, then the degenerate ones.
func Behaviours() (list []Behaviour) {
	for _, s := range seekers() {
		list = append(list, s.behaviour)
	}
	for _, x := range shortcuts() {
		list = append(list, x.behaviour)
	}
	return append(list, RandomWalk)
}

// Degenerate reports whether a behaviour needs no knowledge of where a hidden reward is: whether it is, or contains, a shortcut
// or a random walk.
func (b Behaviour) Degenerate() bool {
	return slices.ContainsFunc(b.parts(), func(part Behaviour) bool {
		return !slices.ContainsFunc(seekers(), func(s seeker) bool { return s.behaviour == part })
	})
}

// An Episode is one trial of a subject: its statistics, and the forecast with which they are compared.
type Episode struct {
	Item       string // ID of the item
	Forecast   *Forecast
	Statistics Statistics
}

// Evidence is how well one behaviour predicts a subject's trajectories.
type Evidence struct {
	Behaviour Behaviour
	// Given is the log probability of the statistics of all episodes, given which episodes succeeded. It can be added to
	// the log evidence of the responses, which say which episodes succeeded.
	Given float64
	// Items are the items that favour this behaviour most, at most five, in descending order of the difference in log
	// probability. A degenerate behaviour is compared with the best behaviour that is not degenerate, and any other with
	// the best degenerate one. Each difference is above 0.5.
	Items []string
}

// A Weigher computes the evidence of one subject's episodes. It is safe for concurrent use.
type Weigher struct {
	episodes []Episode
	known    []likelihoods
	mu       sync.Mutex
	given    map[Behaviour]float64
}

// NewWeigher returns a Weigher of these episodes.
func NewWeigher(episodes []Episode) *Weigher {
	w := &Weigher{episodes: episodes, known: make([]likelihoods, len(episodes)), given: map[Behaviour]float64{}}
	for i := range episodes {
		w.known[i] = episodes[i].likelihoods()
	}
	return w
}

// Given returns Evidence.Given of a behaviour, which may be one of Together. It panics if there is no such behaviour.
func (w *Weigher) Given(b Behaviour) float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	sum, ok := w.given[b]
	if !ok {
		_, sum = w.predict(b)
		w.given[b] = sum
	}
	return sum
}

// predict returns the log probability of every episode under a behaviour, and their sum. Each episode is predicted from the
// episodes before it. The product of these predictions is the probability of all episodes.
func (w *Weigher) predict(b Behaviour) (each []float64, sum float64) {
	p := newPredictor(b)
	for i := range w.known {
		l := p.update(&w.known[i])
		each = append(each, l)
		sum += l
	}
	return each, sum
}

// Evidence returns the evidence for every behaviour, in the order of Behaviours, and then for more.
func (w *Weigher) Evidence(more ...Behaviour) []Evidence {
	var out []Evidence
	var each [][]float64 // [behaviour][episode] log probability
	best := map[bool]int{true: -1, false: -1}
	for k, b := range append(Behaviours(), more...) {
		logs, sum := w.predict(b)
		each = append(each, logs)
		out = append(out, Evidence{Behaviour: b, Given: sum})
		if d := b.Degenerate(); best[d] < 0 || sum > out[best[d]].Given {
			best[d] = k
		}
	}
	for k := range out {
		out[k].Items = telling(w.episodes, each[k], each[best[!out[k].Behaviour.Degenerate()]])
	}
	return out
}

// mostItems is the largest number of items in an Evidence.
const mostItems = 5

// telling returns the items of Evidence.Items. of has the log probabilities of the episodes under one behaviour, against
// those under the behaviour with which it is compared.
func telling(episodes []Episode, of, against []float64) (items []string) {
	order := num.Indices(len(episodes))
	gain := func(i int) float64 { return of[i] - against[i] }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(gain(b), gain(a)) })
	for _, i := range order {
		if len(items) < mostItems && gain(i) > 0.5 && !slices.Contains(items, episodes[i].Item) {
			items = append(items, episodes[i].Item)
		}
	}
	return items
}

// A predictor predicts the episodes of a subject with one behaviour. It updates its mixtures after each episode.
type predictor struct {
	main     []component // components of the behaviour
	mixtures []mixture   // one for each assumed rate of lapses
}

// A mixture of main components and lapse components has a fixed rate of lapses. It learns the weights of the components
// from the episodes.
type mixture struct {
	lapses      float64   // probability of a lapse
	logWeight   float64   // log probability of all episodes so far
	main, lapse []float64 // for each component the prior count plus the expected count so far
}

// lapseComponents returns the components of a lapse, which are the same for all behaviours. The last one, components,
// stands for the uniform distribution.
func lapseComponents() []component { return []component{informed, stays, components} }

func newPredictor(b Behaviour) *predictor {
	p := &predictor{main: b.components()}
	shares := []float64{0.02, 0.05, 0.1, 0.2, 0.3}
	if !b.Degenerate() {
		shares = append(shares, 0.4, 0.6, 0.8, 0.95, 1)
	}
	for _, x := range shares {
		m := mixture{lapses: x, lapse: []float64{1, 1, 0.2}}
		for range p.main {
			m.main = append(m.main, 1)
		}
		p.mixtures = append(p.mixtures, m)
	}
	return p
}

// likelihoods has the probabilities of one episode under every component. The last element is for the uniform
// distribution.
type likelihoods struct {
	seen     [components + 1]float64 // probability of the statistics
	ends     [components + 1]float64 // probability of success if the episode succeeded, otherwise of failure
	occasion [components + 1]bool    // whether the component is possible in the scene
}

func (e *Episode) likelihoods() (o likelihoods) {
	for x := range components {
		if o.occasion[x] = len(e.Forecast.component[x]) > 0; o.occasion[x] {
			o.seen[x], o.ends[x] = e.Forecast.likelihood(x, e.Statistics), e.Forecast.outcome(x, e.Statistics.Success)
		}
	}
	o.occasion[components], o.seen[components], o.ends[components] = true, e.Forecast.uniform/2, 0.5
	return o
}

// update returns the log probability of an episode's statistics, given whether it succeeded. It also updates the
// mixtures.
func (p *predictor) update(o *likelihoods) float64 {
	joint, outcome := make([]float64, len(p.mixtures)), make([]float64, len(p.mixtures))
	for i := range p.mixtures {
		m := &p.mixtures[i]
		a, b := m.update(p.main, o)
		joint[i], outcome[i] = m.logWeight+num.Log(a), m.logWeight+num.Log(b)
	}
	for i := range p.mixtures {
		p.mixtures[i].logWeight = joint[i]
	}
	return num.LogSumExp(joint) - num.LogSumExp(outcome)
}

// update returns the probability of an episode's statistics (joint), and the probability of its success or failure alone
// (outcome). It also updates the counts.
func (m *mixture) update(main []component, o *likelihoods) (joint, outcome float64) {
	a, b := o.shares(main, m.main, 1-m.lapses), o.shares(lapseComponents(), m.lapse, m.lapses)
	for k, x := range main {
		joint, outcome = joint+float64(a[k]*o.seen[x]), outcome+float64(a[k]*o.ends[x])
	}
	for k, x := range lapseComponents() {
		joint, outcome = joint+float64(b[k]*o.seen[x]), outcome+float64(b[k]*o.ends[x])
	}
	for k, x := range main {
		m.main[k] += float64(a[k]*o.seen[x]) / joint
	}
	for k, x := range lapseComponents() {
		m.lapse[k] += float64(b[k]*o.seen[x]) / joint
	}
	return joint, outcome
}

// shares divides total among the components that are possible in the scene, in proportion to their counts.
func (o *likelihoods) shares(list []component, counts []float64, total float64) []float64 {
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
