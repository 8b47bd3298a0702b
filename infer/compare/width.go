package compare

import (
	"math"
	"slices"
	"sort"

	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
)

// A slab is the posterior of a capability of the reporting layout, where an explanation says that the capability is at its
// maximum: in a model in which it is free (spike and slab: Mitchell and Beauchamp 1988, JASA 83). The prior is flat between the
// bounds of the capability. The success probability of the explanation on an item is multiplied by that of the reporting
// layout with the capability at a value, divided by that with the capability at its maximum, but by at most 1.
type slab struct {
	low, step  float64
	cumulative []float64 // posterior probability of the intervals between the bounds, each as wide as step, up to and with this one
}

// slabGrid is the number of values of a capability at which its likelihood is computed, and slabDraws the number of draws of an
// explanation over which it is averaged.
const (
	slabGrid  = 120
	slabDraws = 16
)

// leastSlab is the smallest weight of an explanation for which slabs are computed. Others take those of the most probable one.
const leastSlab = 0.02

// atMost is the largest distance from the maximum, as a share of the range, of a draw that counts as being at the maximum.
const atMost = 1e-9

// widen sets AtMaximum, for every capability of the profile, to the share of the draws that are at its maximum, and takes SD
// and interval from draws in which these are replaced by quantiles of the slab. If AtMaximum is more than ½, the interval is a
// bound: Q95 is the maximum, and Q5 the value above which lie 90 % of the draws. The draws keep these quantiles, which rise along each of
// the slabs that it returns.
func (v *Verdict) widen(c *Case, kept []*Fitted, stacked []profileDraw) (slabs []replaced) {
	w, err := newWidth(c, kept)
	if err != nil {
		return nil // the reporting layout does not explain these responses: the capability cannot be free in it
	}
	for k, x := range w.parameters {
		if x.Group != layout.Capability {
			continue
		}
		at := make([][]int, len(kept)) // [explanation] indices of its draws that are at the maximum
		free := make([]float64, len(stacked))
		count := 0
		for i, d := range stacked {
			free[i] = d.theta[k]
			if d.theta[k] >= x.Range[1]-float64(atMost*(x.Range[1]-x.Range[0])) {
				of := d.of
				if kept[of].Weight < leastSlab {
					of = 0
				}
				at[of] = append(at[of], i)
				count++
			}
		}
		for f, draws := range at {
			if draws == nil {
				continue
			}
			s := w.slab(f, k)
			for j, i := range draws {
				free[i] = s.quantile((float64(j) + 0.5) / float64(len(draws)))
				stacked[i].theta[k] = free[i]
			}
			slabs = append(slabs, replaced{k, draws})
		}
		v.Profile[k].free(free, float64(count)/float64(len(stacked)), x.Range[1])
	}
	return slabs
}

// A replaced is a parameter and the draws of it that a slab replaced.
type replaced struct {
	parameter int
	draws     []int
}

// free sets SD and interval to those of draws in which a capability is free.
func (e *ParameterEstimate) free(draws []float64, atMaximum, highest float64) {
	e.AtMaximum = atMaximum
	if atMaximum == 0 {
		return
	}
	_, variance := num.Moments(draws)
	sorted := slices.Sorted(slices.Values(draws))
	e.SD, e.Q5, e.Q95 = math.Sqrt(variance), num.SortedQuantile(sorted, 0.05), num.SortedQuantile(sorted, 0.95)
	if atMaximum > 0.5 {
		e.Q5, e.Q95, e.Bound = num.SortedQuantile(sorted, 0.1), highest, true
	}
}

// A width computes slabs of the parameters of the reporting layout.
type width struct {
	c          *Case
	kept       []*Fitted
	target     *layout.Target // of the reporting layout
	parameters []layout.Parameter
}

func newWidth(c *Case, kept []*Fitted) (*width, error) {
	data, err := c.Report.NewData(c.Responses)
	if err != nil {
		return nil, err
	}
	return &width{c: c, kept: kept, target: c.Report.NewTarget(data), parameters: c.Report.Parameters()}, nil
}

// slab returns the slab of capability k, given explanation f. It is averaged over draws of the parameters of f. Only strong is
// not drawn but fitted (see cells.logLik).
func (w *width) slab(f, k int) *slab {
	lo, hi := w.parameters[k].Range[0], w.parameters[k].Range[1]
	s := &slab{low: lo, step: (hi - lo) / slabGrid}
	shares, class := w.shares(k, func(i int) float64 { return lo + float64(s.step*(float64(i)+0.5)) })
	s.fill(w.kept[f], shares, func(item int) int { return class[w.c.Report.Row(item)] }, w.c.Responses)
	return s
}

// fill sets the posterior probabilities of the values of a parameter, given explanation e. shares[value][class] is by what the
// success probabilities of the items of a class are multiplied, and class returns that of an item.
func (s *slab) fill(e *Fitted, shares [][]float64, class func(item int) int, responses []record.Response) {
	t := e.Target()
	n := min(len(e.Draws), slabDraws)
	logs := make([][]float64, slabGrid) // [value][draw]
	p, without := make([]float64, e.Design.Rows()), slices.Repeat([]float64{1}, len(shares[0]))
	cells := newCells(e, p, class, responses)
	for d := range n {
		t.Predict(e.Draws[d*len(e.Draws)/n], p)
		cells.predict(p)
		full := cells.logLik(without)
		for i, share := range shares {
			logs[i] = append(logs[i], cells.logLik(share)-full)
		}
	}
	mean := make([]float64, slabGrid)
	for i := range mean {
		mean[i] = num.LogSumExp(logs[i])
	}
	sum := 0.0
	for _, share := range num.Softmax(mean) {
		sum += share
		s.cumulative = append(s.cumulative, sum)
	}
}

// quantile returns the value below which the capability lies with probability p.
func (s *slab) quantile(p float64) float64 {
	i := min(sort.SearchFloat64s(s.cumulative, p), len(s.cumulative)-1)
	before := 0.0
	if i > 0 {
		before = s.cumulative[i-1]
	}
	within := min(max((p-before)/max(s.cumulative[i]-before, floor), 0), 1)
	return s.low + float64(s.step*(float64(i)+within))
}

// shares returns, for every value of capability k, by what the success probabilities of items are multiplied: shares[value][class].
// Rows of the reporting layout are in one class if their shares are equal at the least value, at the middle one and at one near
// the end. class has the class of every row.
func (w *width) shares(k int, value func(i int) float64) (shares [][]float64, class []int) {
	full := w.rates(k, w.parameters[k].Range[1])
	rows := make([][]float64, slabGrid)
	for i := range rows {
		rows[i] = w.rates(k, value(i))
		for r := range full {
			rows[i][r] = min(1, rows[i][r]/max(full[r], floor))
		}
	}
	const digits = 1e9 // shares that differ by less are equal but for rounding
	known := num.Numbering[[3]float64]{}
	class = make([]int, len(full))
	shares = make([][]float64, slabGrid)
	for r := range full {
		var key [3]float64
		for j, i := range [3]int{0, slabGrid / 2, slabGrid * 9 / 10} {
			key[j] = float64(int(rows[i][r] * digits))
		}
		c := known.Of(key)
		if c == len(shares[0]) {
			for i := range shares {
				shares[i] = append(shares[i], rows[i][r])
			}
		}
		class[r] = c
	}
	return shares, class
}

// rates returns the success probabilities of the rows of the reporting layout, with capability k at a value, all other
// capabilities at their maxima, no bias and no noise.
func (w *width) rates(k int, value float64) []float64 {
	theta := make([]float64, len(w.parameters))
	for i, x := range w.parameters {
		switch x.Group {
		case layout.Capability:
			theta[i] = x.Range[1]
		case layout.Robustness:
			theta[i] = x.Range[0]
		}
	}
	theta[k] = value
	out := make([]float64, w.target.Design().Rows())
	w.target.Predict(theta, out)
	return out
}
