package voe

import (
	"math"
	"strconv"

	"achilles/gridworld/lattice"
	"achilles/sim/num"
)

// HBToM is the hierarchical Bayesian theory of mind of Zhi-Xuan, Gothoskar, Pollok, Gutfreund, Tenenbaum and Mansinghka
// (2022, arXiv 2208.02914). It is written from the paper's description: half cells, five temperatures, soft counts of
// goals, and a plausibility that is a product of three fitted logistics. The paper approximates posteriors by particles;
// HBToM computes them exactly by enumeration. Its surprise is one minus the plausibility.
type HBToM struct{}

const temperatures = 5

// heat returns the temperatures T of HBToM: 0.2 to 0.8 by factors of √2. The paper's β is 1/T.
func heat() [temperatures]float64 {
	return [temperatures]float64{0.2, 0.2 * math.Sqrt2, 0.4, 0.4 * math.Sqrt2, 0.8}
}

// An acquaintance has HBToM's knowledge of an actor.
type acquaintance struct {
	items []string              // identities of the items seen with the actor
	alpha []float64             // Dirichlet counts of the items as goals
	warm  [temperatures]float64 // probabilities of the temperatures
}

// Watch returns the surprise at the test trial and the beliefs after every trial.
func (HBToM) Watch(v *View) Report {
	known := map[string]*acquaintance{}
	var r Report
	for _, t := range v.trials {
		a := known[t.actor]
		if a == nil {
			a = newAcquaintance()
			known[t.actor] = a
		}
		b := a.watch(t, v.Moments)
		r.Surprise = b.Surprise
		r.Beliefs = append(r.Beliefs, b)
	}
	r.look(v)
	return r
}

// newAcquaintance returns what HBToM believes of an actor that it has not seen: the prior p(T) ∝ e^−T, and no items.
func newAcquaintance() *acquaintance {
	a := &acquaintance{}
	sum := 0.0
	for k, t := range heat() {
		a.warm[k] = num.Exp(-t)
		sum += a.warm[k]
	}
	for k := range a.warm {
		a.warm[k] /= sum
	}
	return a
}

// item returns the index of an item. If the item is new, it adds the item with a count of 1.
func (a *acquaintance) item(id string) int {
	for i, s := range a.items {
		if s == id {
			return i
		}
	}
	a.items, a.alpha = append(a.items, id), append(a.alpha, 1)
	return len(a.items) - 1
}

// A wish is a candidate goal of a trial: an item, with the plans to it. If the item cannot be reached, plans has the
// plans to the first item that can.
type wish struct {
	item  int // index into the acquaintance's items
	plans *halfGuide
}

func (a *acquaintance) wishes(t *trial, h *halfTrial) []wish {
	var all []wish
	add := func(id string, index int) {
		all = append(all, wish{a.item(id), h.guideTo(t.studio, index)})
	}
	for i, o := range t.object {
		add(o.id, i)
	}
	if t.key != nil {
		add(t.key.id, theKey)
	}
	reachable := func(w wish) bool {
		_, ok := w.plans.field[bare].Cost(h.path[0].at)
		return ok
	}
	for i := range all {
		for j := 0; j < len(all) && !reachable(all[i]); j++ {
			if reachable(all[j]) {
				all[i].plans = all[j].plans
			}
		}
	}
	return all
}

// A wishFilter has the joint posterior of wish and temperature during one trial, and the features of the
// plausibility.
type wishFilter struct {
	wishes []wish
	first  []float64               // prior of wishes
	warm   [temperatures]float64   // prior of temperatures
	joint  [][temperatures]float64 // posterior
	goal   float64                 // greatest shift of the posterior of wishes so far, as a total variation distance
	warmth float64                 // greatest shift of the posterior of temperatures so far, as a total variation distance
	likely float64                 // greatest surprise of a step so far, in nats
	sum    float64                 // sum of the surprises of steps, in nats
}

func (a *acquaintance) watch(t *trial, moments bool) Belief {
	b := Belief{Actor: t.actor}
	h := t.halves()
	if len(h.path) == 0 || len(t.object) == 0 && t.key == nil {
		return b
	}
	w := wishFilter{wishes: a.wishes(t, h), warm: a.warm}
	total := 0.0
	for _, x := range w.wishes {
		w.first = append(w.first, a.alpha[x.item])
		total += a.alpha[x.item]
	}
	most := 0
	for i := range w.first {
		if w.first[i] > w.first[most] {
			most = i
		}
	}
	if most < len(t.object) {
		b.ahead = t.guideAt(most, t.object[most].centre)
	}
	w.joint = make([][temperatures]float64, len(w.wishes))
	for i := range w.first {
		w.first[i] /= total
		for k, x := range w.warm {
			w.joint[i][k] = w.first[i] * x
		}
	}
	for i := 1; i < len(h.path); i++ {
		step := w.step(h, h.path[i-1], h.path[i])
		if moments {
			b.Moments = append(b.Moments, Moment{Frame: h.path[i].frame, Step: step, Shift: w.shift(), Goals: w.goals()})
		}
	}
	for i, p := range w.goals() {
		a.alpha[w.wishes[i].item] += p
		b.Goals = append(b.Goals, Share{a.items[w.wishes[i].item], p})
	}
	a.warm = w.temperature()
	a.report(&b)
	b.Surprise, b.MaxStep = 1-w.plausibility(), w.likely
	b.MeanStep = w.sum / float64(max(len(h.path)-1, 1))
	return b
}

// step updates the joint posterior of wish and temperature by one observed step. It returns the surprise of the step:
// −log of its probability.
func (w *wishFilter) step(h *halfTrial, from, to halfStep) float64 {
	sum := 0.0
	for i := range w.wishes {
		p := boltzmann(h, w.wishes[i].plans, from, to)
		for k := range p {
			w.joint[i][k] *= p[k]
			sum += w.joint[i][k]
		}
	}
	if !(sum > 0) {
		sum = math.SmallestNonzeroFloat64
	}
	for i := range w.joint {
		for k := range w.joint[i] {
			w.joint[i][k] /= sum
		}
	}
	step := -num.Log(sum)
	w.likely = max(w.likely, step)
	w.sum += step
	w.goal, w.warmth = max(w.goal, w.shiftOfGoal()), max(w.warmth, w.shiftOfWarmth())
	return step
}

// boltzmann returns the probability of a step at every temperature T: the softmax of −cost/T over the neighbours that
// can be entered. The cost of a neighbour is that of the cheapest plan by way of it. Every step is equally probable if
// the plan is at its end or there is no plan.
func boltzmann(h *halfTrial, plans *halfGuide, from, to halfStep) (p [temperatures]float64) {
	m, f := h.open(to.phase), plans.field[to.phase]
	var cost [8]float64
	n, taken, best, done := 0, -1, math.Inf(1), f == nil
	if f != nil {
		c, ok := f.Cost(from.at)
		done = !ok || c <= lattice.Straight
	}
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			q := from.at.Add(lattice.Point{X: dx, Y: dy})
			if dx == 0 && dy == 0 || q != to.at && !m.CanStep(from.at, q) {
				continue
			}
			cost[n] = 0
			if !done {
				cost[n] = math.Inf(1)
				if c, ok := f.Cost(q); ok {
					cost[n] = lattice.Length(c + lattice.Octile(from.at, q))
				}
			}
			if q == to.at {
				taken = n
			}
			best = min(best, cost[n])
			n++
		}
	}
	for k, t := range heat() {
		sum := 0.0
		for _, c := range cost[:n] {
			sum += num.Exp((best - c) / t)
		}
		p[k] = 1 / float64(max(n, 1)) // probability after a jump, or if no neighbour has a plan
		if taken >= 0 && !math.IsInf(best, 1) {
			p[k] = num.Exp((best-cost[taken])/t) / sum
		}
	}
	return p
}

func (w *wishFilter) goals() []float64 {
	p := make([]float64, len(w.joint))
	for i := range w.joint {
		for _, x := range w.joint[i] {
			p[i] += x
		}
	}
	return p
}

func (w *wishFilter) temperature() (p [temperatures]float64) {
	for i := range w.joint {
		for k, x := range w.joint[i] {
			p[k] += x
		}
	}
	return p
}

// shiftOfGoal and shiftOfWarmth return the total variation distances of the posteriors of wish and of temperature from
// their priors.
func (w *wishFilter) shiftOfGoal() float64 {
	d := 0.0
	for i, p := range w.goals() {
		d += math.Abs(p-w.first[i]) / 2
	}
	return d
}

func (w *wishFilter) shiftOfWarmth() float64 {
	d := 0.0
	for k, p := range w.temperature() {
		d += math.Abs(p-w.warm[k]) / 2
	}
	return d
}

func (w *wishFilter) shift() float64 { return w.shiftOfGoal() + w.shiftOfWarmth() }

// plausibility returns the product of three logistics: of the greatest shift of wishes, of the greatest shift of
// temperature, and of the greatest surprise of a step. The weights are the published ones; the authors set those of the
// third by hand.
func (w *wishFilter) plausibility() float64 {
	return num.Logistic(5.96-float64(11.81*w.goal)) * num.Logistic(5.90-float64(9.42*w.warmth)) * num.Logistic(2.0-float64(0.2*w.likely))
}

func (a *acquaintance) report(b *Belief) {
	total := num.Sum(a.alpha)
	for i, id := range a.items {
		b.Preference = append(b.Preference, Share{id, a.alpha[i] / total})
	}
	for k, t := range heat() {
		b.Manner = append(b.Manner, Share{"temperature " + strconv.FormatFloat(t, 'g', 3, 64), a.warm[k]})
	}
}
