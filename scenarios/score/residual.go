package score

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/infer"
	"achilles/infer/layout"
	"achilles/sim/record"
)

// A Residual says by how much a subject's held-out responses at one level of a demand differ from their predictions.
type Residual struct {
	Demand string  `json:"demand"` // metafeature of the layout, or paradigm
	Level  string  `json:"level"`  // its value, or range of values
	N      int     `json:"n"`      // responses
	Mean   float64 `json:"mean"`   // mean of outcome − predicted probability
	Z      float64 `json:"z"`      // their sum over its standard deviation if the predictions were right
}

// Of a demand there are at most mostLevels different ones: with more values, equally many items each. A level with fewer than leastResponses
// responses of a subject says nothing.
const (
	mostLevels     = 5
	leastResponses = 5
)

// levelsOf returns the level of each item by a metafeature: its number and its text. The number is −1 where the value is missing. All are
// −1 if the items do not have the column, or one value of it.
func levelsOf(items *record.Items, m *layout.Metafeature) (of []int, texts []string) {
	of = slices.Repeat([]int{-1}, items.Len())
	c, ok := items.Column(m.Column)
	if !ok {
		return of, nil
	}
	missing := func(i int) bool { return c.Missing != nil && c.Missing[i] }
	if c.Kind == record.Text {
		var all []string
		for i, t := range c.Text {
			if !missing(i) {
				all = append(all, t)
			}
		}
		slices.SortFunc(all, record.CompareNames)
		texts = slices.Compact(all)
		for i, t := range c.Text {
			if !missing(i) {
				of[i], _ = slices.BinarySearchFunc(texts, t, record.CompareNames)
			}
		}
		return of, texts
	}
	var all []float64
	for i, x := range c.Number {
		if !missing(i) {
			all = append(all, x)
		}
	}
	slices.Sort(all)
	starts := slices.Compact(slices.Clone(all)) // least value of each level
	if len(starts) > mostLevels+3 {
		starts = starts[:0]
		for k := range mostLevels {
			starts = append(starts, all[k*len(all)/mostLevels])
		}
		starts = slices.Compact(starts)
	}
	for i, x := range c.Number {
		if !missing(i) {
			k, ok := slices.BinarySearch(starts, x)
			if !ok {
				k--
			}
			of[i] = k
		}
	}
	short := func(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
	for k, x := range starts {
		text, last := short(x), all[len(all)-1]
		if k+1 < len(starts) {
			at, _ := slices.BinarySearch(all, starts[k+1])
			last = all[at-1]
		}
		if last > x {
			text += " to " + short(last)
		}
		texts = append(texts, text)
	}
	return of, texts
}

// A Residuals has the residuals of all subjects by the demands of a layout.
type Residuals struct {
	demands []demandLevels
	cells   map[[3]int]*residualCell // by subject, demand and level
}

type demandLevels struct {
	name  string
	of    []int
	texts []string
}

type residualCell struct {
	n             int
	sum, variance float64
}

// NewResiduals returns empty residuals by the metafeatures of a layout, and by paradigm.
func NewResiduals(items *record.Items, l *layout.Layout) *Residuals {
	r := &Residuals{cells: map[[3]int]*residualCell{}}
	for i := range l.Metafeatures {
		m := &l.Metafeatures[i]
		if of, texts := levelsOf(items, m); len(texts) > 1 {
			r.demands = append(r.demands, demandLevels{m.Name, of, texts})
		}
	}
	if of, texts := paradigms(items); len(texts) > 1 && len(texts) <= mostParadigms {
		r.demands = append(r.demands, demandLevels{"paradigm", of, texts})
	}
	return r
}

// mostParadigms is the largest number of paradigms that count as levels: where each item is one of its own, they say nothing.
const mostParadigms = 20

// paradigms returns the paradigm of each item: its number and its name.
func paradigms(items *record.Items) (of []int, names []string) {
	names = slices.Clone(items.Paradigm)
	slices.SortFunc(names, record.CompareNames)
	names = slices.Compact(names)
	for _, x := range items.Paradigm {
		k, _ := slices.BinarySearchFunc(names, x, record.CompareNames)
		of = append(of, k)
	}
	return of, names
}

// Add counts a binary response y to an item for which p was predicted.
func (r *Residuals) Add(subject, item int, p, y float64) {
	for d := range r.demands {
		k := [3]int{subject, d, r.demands[d].of[item]}
		if k[2] < 0 {
			continue
		}
		c := r.cells[k]
		if c == nil {
			c = &residualCell{}
			r.cells[k] = c
		}
		c.n, c.sum, c.variance = c.n+1, c.sum+y-p, c.variance+float64(p*(1-p))
	}
}

// Of returns the greatest residual, by |Z|, of a level that an item has, among those in the direction of this response, which is
// the sign of y − p. ok is false if there is none.
func (r *Residuals) Of(subject, item int, p, y float64) (out Residual, ok bool) {
	for d := range r.demands {
		k := [3]int{subject, d, r.demands[d].of[item]}
		c := r.cells[k]
		if c == nil || c.n < leastResponses || c.variance <= 0 || (c.sum > 0) != (y > p) {
			continue
		}
		if z := c.sum / math.Sqrt(c.variance); !ok || math.Abs(z) > math.Abs(out.Z) {
			out, ok = Residual{Demand: r.demands[d].name, Level: r.demands[d].texts[k[2]], N: c.n, Mean: c.sum / float64(c.n), Z: z}, true
		}
	}
	return out, ok
}

// ResidualsOf returns the residuals of all held-out responses to the first binary measure, by the demands of a layout. It ignores
// predictions without a response.
func ResidualsOf(d *record.Dataset, l *layout.Layout, predictions []infer.Prediction) *Residuals {
	out := NewResiduals(&d.Items, l)
	k := firstBinary(d)
	if k < 0 {
		return out
	}
	h := newHeldOut(d, func(m record.Measure) bool { return m.Name == d.Manifest.Measures[k].Name })
	for i := range predictions {
		if r, _, ok := h.find(&predictions[i]); ok {
			out.Add(int(r.Subject), int(r.Item), predictions[i].P, r.Value)
		}
	}
	return out
}

// String says what the residual is.
func (r Residual) String() string {
	return fmt.Sprintf("%s %s: %+.2f over %d responses (z = %+.1f)", r.Demand, r.Level, r.Mean, r.N, r.Z)
}

// Least returns by how much the predictions at the level are wrong at least: |Mean| less 1.645 of its standard deviations, the lower end of
// its central 90 %, or 0. Unlike Z it is a difference of probabilities, as |p − p under the truth| is.
func (r *Residual) Least() float64 {
	if r.Z == 0 {
		return 0
	}
	return max(0, math.Abs(r.Mean)*(1-normal95/math.Abs(r.Z)))
}

// normal95 is the 0.95 quantile of the standard normal distribution.
const normal95 = 1.645
