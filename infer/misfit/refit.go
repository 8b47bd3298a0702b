package misfit

import (
	"math"
	"slices"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// A whole fits abilities of subjects, and what items have parameters for, to one table of responses after the other: to replicates and to the
// responses alike. The linear predictor of a response, log odds of one that is 0 or 1 and otherwise its expectation, is
//
//	rest + ease of the item + slope of the item × ability of the subject,
//
// with rest what the model that was fitted to the responses expects beyond the other two.
type whole struct {
	*Whole
	binary               bool // all responses are 0 or 1
	ability, ease, slope population
	start                []float64 // [item] where the search for the first dimension begins
	pairs                bool
	patterns             *patterns // of responses; nil: each subject is fitted for itself

	// The rows that are fitted are responses, or those of patterns: subjects then are patterns.
	subject, item    []int32   // [row]
	times            []float64 // [row] how many subjects have the pattern, or 1
	rest             []float64 // [row]
	value            []float64 // [row] that was fitted last
	now              []float64 // [row] variance
	residual, scaled []float64 // [row] of the last fit

	information, score []float64 // scratch [unit]
	known              []float64 // [subject] information of the last fit about the ability, its prior's included
	products           []float64 // scratch [pair of items]
	stats              []float64 // scratch [statistic]
	scales             []scale   // [statistic]
}

// A population has a number of each subject or item, with a normal prior.
type population struct {
	of             []float64
	mean, variance float64
	unit           []int32   // [row] to which of the numbers it speaks
	times          []float64 // [row] how often
}

const (
	smallestVariance = 0.01 // least variance of a response, as a proportion of the mean unless responses are 0 or 1
	scaledFrom       = 0.1  // the same of responses that are 0 or 1 in pairs and dimensions, where rare ones would outweigh all others
	refits           = 4    // rounds in which abilities and items are fitted
	leastRest        = 1e-3 // variance of the rest, as a proportion of that of the linear predictor, below which it is the error of a mean over draws, and left out
)

func newWhole(d *Whole, random *rng.Rand) *whole {
	n := len(d.Value)
	w := &whole{Whole: d, rest: make([]float64, n), now: make([]float64, n), residual: make([]float64, n), scaled: make([]float64, n),
		start: make([]float64, len(d.Items)), known: make([]float64, len(d.Subjects)), subject: d.Subject, item: d.Item, times: slices.Repeat([]float64{1}, n)}
	w.ability.unit, w.ease.unit, w.slope.unit = w.subject, w.item, w.item
	w.ability.times, w.ease.times, w.slope.times = w.times, w.times, w.times
	w.ability.of, w.ease.of, w.slope.of = make([]float64, len(d.Subjects)), make([]float64, len(d.Items)), slices.Repeat([]float64{1}, len(d.Items))
	for i := range w.start {
		w.start[i] = random.Norm()
	}
	w.pairs = len(d.Subjects)*len(d.Items)*len(d.Items) <= mostPairs
	w.binary = !slices.ContainsFunc(d.Value, func(v float64) bool { return v != 0 && v != 1 })
	least := smallestVariance
	if !w.binary {
		least *= num.Mean(d.Variance)
	}
	for i, p := range d.Expected {
		w.rest[i], w.now[i] = p, max(d.Variance[i], least)
		if w.binary {
			p = min(max(p, 0.001), 0.999)
			w.rest[i] = num.Log(p / (1 - p))
		}
	}
	if rest := w.part(); w.binary && rest < leastRest {
		clear(w.rest)
		w.patterns = newPatterns(w)
	}
	w.stats = make([]float64, w.statistics())
	w.scales = make([]scale, len(w.stats))
	return w
}

// part divides what the model expects into abilities, ease, slopes and the rest, by weighted least squares, and sets the priors. It returns
// the variance of the rest as a proportion of that of the whole.
func (w *whole) part() float64 {
	fitted := w.rest
	left := func() {
		for i, x := range fitted {
			w.residual[i] = x - w.predictor(i)
			if w.binary {
				w.residual[i] *= w.now[i]
			}
		}
	}
	for range 10 {
		w.step(&w.ability, w.bySlope, left)
		w.step(&w.ease, one, left)
		if w.SlopeFree {
			w.step(&w.slope, w.byAbility, left)
		}
	}
	mean, rest, all := num.Mean(fitted), 0.0, 0.0
	for i, x := range fitted {
		fitted[i] -= w.predictor(i)
		all += float64((x - mean) * (x - mean))
		rest += float64(fitted[i] * fitted[i])
	}
	w.ability.prior(w.informationOf(&w.ability, w.bySlope))
	w.ease.prior(w.informationOf(&w.ease, one))
	w.slope.prior(w.informationOf(&w.slope, w.byAbility))
	return rest / all
}

// one, bySlope and byAbility return the weight of a response about an item's ease, an ability and a slope.
func one(int) float64 { return 1 }

func (w *whole) bySlope(i int) float64 { return w.slope.of[w.item[i]] }

func (w *whole) byAbility(i int) float64 { return w.ability.of[w.subject[i]] - w.ability.mean }

// predictor returns the sum of ease and slope × ability.
func (w *whole) predictor(i int) float64 {
	k := w.item[i]
	return w.ease.of[k] + float64(w.slope.of[k]*w.ability.of[w.subject[i]])
}

// prior sets the mean and the variance from which posterior means with this much information come: their own variance and what their
// posteriors have.
func (p *population) prior(information []float64) {
	p.mean = num.Mean(p.of)
	between, n := 0.0, float64(len(p.of))
	for _, x := range p.of {
		between += float64((x-p.mean)*(x-p.mean)) / max(1, n-1)
	}
	p.variance = between + 1
	for range 20 {
		within := 0.0
		for _, i := range information {
			within += 1 / (i + 1/p.variance) / n
		}
		p.variance = between + within
	}
}

// informationOf returns the information about each number of which responses depend by a weight.
func (w *whole) informationOf(p *population, weight func(i int) float64) []float64 {
	w.information = resized(w.information, len(p.of))
	for i, u := range p.unit {
		x := weight(i)
		w.information[u] += float64(p.times[i] * w.curvature(i) * x * x)
	}
	return w.information
}

// curvature returns the information of a response about its linear predictor.
func (w *whole) curvature(i int) float64 {
	if w.binary {
		return w.now[i]
	}
	return 1 / w.now[i]
}

// fit fits abilities and items to a table of responses, from the means of their priors, and sets the residuals.
func (w *whole) fit(value []float64) {
	w.value = value
	if w.patterns != nil {
		w.collapse(value)
	}
	w.ability.reset()
	if w.ItemFree {
		w.ease.reset()
	}
	if w.SlopeFree {
		w.slope.reset()
	}
	for range refits {
		w.step(&w.ability, w.bySlope, w.expect)
		if w.ItemFree {
			w.step(&w.ease, one, w.expect)
		}
		if w.SlopeFree {
			w.step(&w.slope, w.byAbility, w.expect)
		}
	}
	w.expect()
	w.known = append(w.known[:0], w.informationOf(&w.ability, w.bySlope)...)
	for s := range w.known {
		w.known[s] += 1 / w.ability.variance
	}
	for i, x := range w.residual {
		v := w.now[i]
		if w.binary {
			v = max(v, scaledFrom)
		}
		w.scaled[i] = x / math.Sqrt(v)
	}
}

func (p *population) reset() {
	for u := range p.of {
		p.of[u] = p.mean
	}
}

// expect sets the residuals, and variances of responses that are 0 or 1.
func (w *whole) expect() {
	for i, y := range w.value {
		x := w.rest[i] + w.predictor(i)
		if w.binary {
			x = num.Logistic(x)
			w.now[i] = float64(x * (1 - x))
		}
		w.residual[i] = y - x
	}
}

// longestStep is the largest change of a number in a step, in log odds.
const longestStep = 2

// step moves the number of each unit by Newton's method, after expect has set residuals.
func (w *whole) step(p *population, weight func(i int) float64, expect func()) {
	expect()
	n := len(p.of)
	w.score, w.information = resized(w.score, n), resized(w.information, n)
	for i, u := range p.unit {
		x, c := weight(i), 1.0
		r := w.residual[i]
		if w.binary {
			c = w.now[i]
		} else {
			r, c = r/w.now[i], 1/w.now[i]
		}
		w.score[u] += float64(p.times[i] * r * x)
		w.information[u] += float64(p.times[i] * c * x * x)
	}
	for u, s := range w.score {
		info := w.information[u]
		if p.variance > 0 {
			s, info = s-(p.of[u]-p.mean)/p.variance, info+1/p.variance
		}
		if info > 0 && w.binary {
			p.of[u] += min(max(s/info, -longestStep), longestStep)
		} else if info > 0 {
			p.of[u] += s / info
		}
	}
}

func resized(s []float64, n int) []float64 {
	if cap(s) < n {
		s = make([]float64, n)
	}
	s = s[:n]
	clear(s)
	return s
}
