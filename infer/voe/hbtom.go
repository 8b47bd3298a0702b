package voe

import (
	"math"
	"strconv"

	"achilles/gridworld/lattice"
	"achilles/sim/num"
)

// HBToM is the hierarchical Bayesian theory of mind of Zhi-Xuan, Gothoskar, Pollok, Gutfreund, Tenenbaum and
// Mansinghka (2022, arXiv 2208.02914), written afresh from its description: half cells, five temperatures, soft counts
// of goals, and a plausibility that is a product of three fitted logistics. Its particles are replaced by the exact
// enumeration that they approximate. Its surprise is one minus the plausibility.
type HBToM struct{}

const temperatures = 5

// heat is the temperatures of HBToM: 0.2 to 0.8 by factors of √2. The code divides by them; the paper's β is 1/T.
func heat() [temperatures]float64 {
	return [temperatures]float64{0.2, 0.2 * math.Sqrt2, 0.4, 0.4 * math.Sqrt2, 0.8}
}

// An acquaintance is what HBToM remembers of an actor: a Dirichlet count of every item, and the temperature.
type acquaintance struct {
	items []string
	alpha []float64
	warm  [temperatures]float64
}

// Watch is Observer's.
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
	return r
}

// newAcquaintance has the prior p(T) ∝ e^−T.
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

func (a *acquaintance) item(id string) int {
	for i, s := range a.items {
		if s == id {
			return i
		}
	}
	a.items, a.alpha = append(a.items, id), append(a.alpha, 1)
	return len(a.items) - 1
}

// A wish is a candidate goal of a trial: an item of the actor's, and the plans to it, or to the first item within
// reach where this one is not.
type wish struct {
	item  int
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
	within := func(w wish) bool {
		_, ok := w.plans.field[bare].Cost(h.path[0].at)
		return ok
	}
	for i := range all {
		for j := 0; j < len(all) && !within(all[i]); j++ {
			if within(all[j]) {
				all[i].plans = all[j].plans
			}
		}
	}
	return all
}

// A watchful acquaintance is HBToM during one trial.
type watchful struct {
	wishes []wish
	first  []float64               // prior of goals
	warm   [temperatures]float64   // and of temperatures
	joint  [][temperatures]float64 // posterior
	goal, warmth, likely,
	sum float64 // greatest shift of goals and of temperature, greatest surprise of a step, sum of surprises
}

func (a *acquaintance) watch(t *trial, moments bool) Belief {
	b := Belief{Actor: t.actor}
	h := t.halves()
	if len(h.path) == 0 || len(t.object) == 0 && t.key == nil {
		return b
	}
	w := watchful{wishes: a.wishes(t, h), warm: a.warm}
	total := 0.0
	for _, x := range w.wishes {
		w.first = append(w.first, a.alpha[x.item])
		total += a.alpha[x.item]
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

// step conditions on one step and returns its surprise.
func (w *watchful) step(h *halfTrial, from, to halfStep) float64 {
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

// boltzmann is the probability of a step at every temperature: softmax of the negative costs of going on from each
// neighbour. Where the plan is at its end, every step is as good.
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
		p[k] = 1 / float64(max(n, 1)) // a jump
		if taken >= 0 && !math.IsInf(best, 1) {
			p[k] = num.Exp((best-cost[taken])/t) / sum
		}
	}
	return p
}

func (w *watchful) goals() []float64 {
	p := make([]float64, len(w.joint))
	for i := range w.joint {
		for _, x := range w.joint[i] {
			p[i] += x
		}
	}
	return p
}

func (w *watchful) temperature() (p [temperatures]float64) {
	for i := range w.joint {
		for k, x := range w.joint[i] {
			p[k] += x
		}
	}
	return p
}

// shiftOfGoal and shiftOfWarmth are total variation distances from the prior.
func (w *watchful) shiftOfGoal() float64 {
	d := 0.0
	for i, p := range w.goals() {
		d += math.Abs(p-w.first[i]) / 2
	}
	return d
}

func (w *watchful) shiftOfWarmth() float64 {
	d := 0.0
	for k, p := range w.temperature() {
		d += math.Abs(p-w.warm[k]) / 2
	}
	return d
}

func (w *watchful) shift() float64 { return w.shiftOfGoal() + w.shiftOfWarmth() }

// plausibility has the published weights; those of the surprise of a step were set by hand.
func (w *watchful) plausibility() float64 {
	return num.Logistic(5.96-float64(11.81*w.goal)) * num.Logistic(5.90-float64(9.42*w.warmth)) * num.Logistic(2.0-float64(0.2*w.likely))
}

func (a *acquaintance) report(b *Belief) {
	total := 0.0
	for _, x := range a.alpha {
		total += x
	}
	for i, id := range a.items {
		b.Preference = append(b.Preference, Share{id, a.alpha[i] / total})
	}
	for k, t := range heat() {
		b.Manner = append(b.Manner, Share{"temperature " + strconv.FormatFloat(t, 'g', 3, 64), a.warm[k]})
	}
}
