package misfit

import (
	"math"
	"slices"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Whole has the responses of all subjects to all items, and what a model that was fitted to them together expects.
type Whole struct {
	Subjects, Items []string // names
	Subject, Item   []int32  // [response]
	Value           []float64
	Expected        []float64 // [response] posterior mean
	Variance        []float64 // [response] of a response given the parameters
	Labels          []Labels  // that group items or subjects

	// ItemFree and SlopeFree say that each item has a parameter of its own, for how hard it is, and another for how it depends on ability.
	ItemFree, SlopeFree bool

	// Replicate draws a response in place of each, from one posterior draw after the other.
	Replicate func(out []float64)
}

// Labels group items or subjects by the values of a column of text.
type Labels struct {
	Name    string
	OfItems bool     // else of subjects
	Of      []int32  // [item or subject] its group; −1: none
	Groups  []string // their names
}

const (
	calibrated  = 400  // replicates that give each statistic its mean, SD and skewness
	replicates  = 1199 // replicates with which the responses are compared
	leastWhole  = 4    // items below which a table is not checked
	mostPairs   = 1 << 22
	mostChecked = 1 << 16 // responses up to which a table is checked, some seconds
)

// Checked reports whether a table of this size is checked.
func (d *Whole) Checked() bool {
	return len(d.Subjects) >= 2 && len(d.Items) >= leastWhole && len(d.Value) <= mostChecked
}

// CheckWhole makes all checks of a table by posterior prediction (families). alarm, in (0, 1), is the probability that a table which the
// model describes has findings.
//
// The residuals y − p, with p the posterior mean, are compared with those of replicates that are drawn from the posterior. A fit takes out
// of residuals what subjects and items have parameters for. Replicates are not fitted: to them, and to the responses alike, what subjects and
// items have parameters for is fitted again, with all else held (a parametric bootstrap with a quick refit). The smallest p-value of all families is compared with that
// of each replicate.
func CheckWhole(d *Whole, alarm float64, random *rng.Rand) Result {
	if !d.Checked() {
		return Result{P: 1}
	}
	w := newWhole(d, random)
	value := make([]float64, len(d.Value))
	for range calibrated {
		d.Replicate(value)
		w.calibrate(w.residuals(value))
	}
	w.settle()
	families := w.families()
	largest := make([][]float64, len(families)) // of the replicates
	for range replicates {
		d.Replicate(value)
		for f, x := range w.measure(w.residuals(value)) {
			largest[f] = append(largest[f], x.size)
		}
	}
	observed := w.measure(w.residuals(d.Value))
	out := Result{Checks: w.statistics()}
	p, least := make([]float64, len(families)), 1.0
	for f, x := range observed {
		p[f] = tail(largest[f], x.size, 0)
		least = min(least, p[f])
	}
	failed := 0
	for k := range replicates {
		for f := range families {
			if tail(largest[f], largest[f][k], 1) <= least {
				failed++
				break
			}
		}
	}
	if out.P = float64(failed+1) / (replicates + 1); out.P > alarm {
		return out
	}
	for f, x := range observed {
		if p[f] == least {
			out.Failed = append(out.Failed, Finding{Check: families[f].name, Statistic: x.size, P: p[f], Statement: families[f].say(x)})
		}
	}
	slices.SortStableFunc(out.Failed, func(a, b Finding) int {
		switch { // of those beyond all replicates, the farthest beyond
		case a.Statistic > b.Statistic:
			return -1
		case a.Statistic < b.Statistic:
			return 1
		}
		return 0
	})
	out.Failed = out.Failed[:min(len(out.Failed), mostFindings)]
	return out
}

// tail returns the proportion of replicates, and the responses themselves, with a statistic of at least x. own is 1 if x is that of a
// replicate, in whose place the responses then are.
func tail(all []float64, x float64, own int) float64 {
	n := 1 - own
	for _, v := range all {
		if v >= x {
			n++
		}
	}
	return float64(n) / float64(len(all)+1)
}

// A whole has what does not change from replicate to replicate.
type whole struct {
	*Whole
	variance []float64 // at least smallestVariance
	ability  []float64 // [subject] on the scale of log odds
	ease     []float64 // [item]
	across   []float64 // [response] ability, centred within its item with the weights of responses
	along    []float64 // [response] ease, centred within its subject
	start    []float64 // [item] where the search for the first dimension begins
	pairs    bool

	binary           bool      // all responses are 0 or 1
	logit            []float64 // [response] log odds of what was fitted; 0 unless binary
	odds, now        []float64 // scratch [response]: log odds and variance of the refit
	residual, scaled []float64 // scratch [response]
	size, square     []float64 // scratch
	products         []float64 // scratch [pair of items]
	stats            []float64 // scratch [statistic]
	scales           []scale   // [statistic]
}

// smallestVariance is the least variance of a response in what residuals are divided by.
const smallestVariance = 0.01

func newWhole(d *Whole, random *rng.Rand) *whole {
	n := len(d.Value)
	w := &whole{Whole: d, variance: make([]float64, n), residual: make([]float64, n), scaled: make([]float64, n), across: make([]float64, n), along: make([]float64, n),
		ability: make([]float64, len(d.Subjects)), ease: make([]float64, len(d.Items)), start: make([]float64, len(d.Items))}
	for i, v := range d.Variance {
		w.variance[i] = max(v, smallestVariance)
	}
	for i := range w.start {
		w.start[i] = random.Norm()
	}
	w.pairs = len(d.Subjects)*len(d.Items)*len(d.Items) <= mostPairs
	w.binary = !slices.ContainsFunc(d.Value, func(v float64) bool { return v != 0 && v != 1 })
	logit := make([]float64, n)
	for i, p := range d.Expected {
		p = min(max(p, 0.001), 0.999)
		logit[i] = num.Log(p / (1 - p))
	}
	if w.logit = make([]float64, n); w.binary {
		copy(w.logit, logit)
	}
	w.odds, w.now = make([]float64, n), make([]float64, n)
	for range 10 {
		w.average(w.ability, d.Subject, func(i int) float64 { return logit[i] - w.ease[d.Item[i]] })
		w.average(w.ease, d.Item, func(i int) float64 { return logit[i] - w.ability[d.Subject[i]] })
	}
	w.centre(w.across, func(i int) float64 { return w.ability[d.Subject[i]] }, d.Item, len(d.Items))
	w.centre(w.along, func(i int) float64 { return w.ease[d.Item[i]] }, d.Subject, len(d.Subjects))
	w.stats = make([]float64, w.statistics())
	w.scales = make([]scale, len(w.stats))
	return w
}

// average sets each unit's element of out to the weighted mean of its responses.
func (w *whole) average(out []float64, unit []int32, of func(i int) float64) {
	sum, weight := make([]float64, len(out)), make([]float64, len(out))
	for i, u := range unit {
		sum[u] += float64(w.variance[i] * of(i))
		weight[u] += w.variance[i]
	}
	for u := range out {
		if weight[u] > 0 {
			out[u] = sum[u] / weight[u]
		}
	}
}

// centre writes what of returns to out, less its weighted mean within the units.
func (w *whole) centre(out []float64, of func(i int) float64, unit []int32, units int) {
	mean := make([]float64, units)
	w.average(mean, unit, of)
	for i, u := range unit {
		out[i] = of(i) - mean[u]
	}
}

// scaledFrom is the least variance by which the residuals of pairs and dimensions are scaled: rare responses would outweigh all others.
const scaledFrom = 0.1

// refits is the number of rounds in which what parameters explain is taken out of residuals, and ridge the information in log odds that
// holds it near what was fitted.
const (
	refits = 4
	ridge  = 0.3
)

// residuals returns what is left of values less their expectations when what subjects and items have parameters for is fitted again: of
// responses that are 0 or 1 by steps of Newton's method in log odds, of others by weighted least squares.
func (w *whole) residuals(value []float64) []float64 {
	copy(w.odds, w.logit)
	w.expect(value)
	for range refits {
		w.take(value, w.Subject, len(w.Subjects), nil)
		if w.ItemFree {
			w.take(value, w.Item, len(w.Items), nil)
		}
		if w.SlopeFree {
			w.take(value, w.Item, len(w.Items), w.across)
		}
	}
	for i, x := range w.residual {
		w.scaled[i] = x / math.Sqrt(max(w.now[i], scaledFrom))
	}
	return w.residual
}

// expect sets the residuals and variances of responses with the log odds that they have now. Of responses that are not 0 or 1, odds are
// sums of what was taken.
func (w *whole) expect(value []float64) {
	for i, y := range value {
		if !w.binary {
			w.residual[i], w.now[i] = y-w.Expected[i]-float64(w.variance[i]*w.odds[i]), w.variance[i]
			continue
		}
		p := num.Logistic(w.odds[i])
		w.residual[i], w.now[i] = y-p, float64(p*(1-p))
	}
}

// take moves the log odds of each unit by a multiple of the weight, 1 where weight is nil, towards the residuals.
func (w *whole) take(value []float64, unit []int32, units int, weight []float64) {
	sum, square := resized(&w.size, units), resized(&w.square, units)
	at := func(i int) float64 {
		if weight == nil {
			return 1
		}
		return weight[i]
	}
	for i, u := range unit {
		x := at(i)
		sum[u] += float64(w.residual[i] * x)
		square[u] += float64(w.now[i] * x * x)
	}
	for u := range sum {
		sum[u] = min(max(sum[u]/(square[u]+ridge), -2), 2)
	}
	for i, u := range unit {
		w.odds[i] += float64(sum[u] * at(i))
	}
	w.expect(value)
}

func resized(s *[]float64, n int) []float64 {
	if cap(*s) < n {
		*s = make([]float64, n)
	}
	*s = (*s)[:n]
	clear(*s)
	return *s
}
