package compare

import (
	"achilles/infer/layout"
	"achilles/sim/num"
)

// widthGrid is the number of values of a capability, between its bounds, at which atLeast computes the likelihood.
const widthGrid = 400

// atMost is the largest distance from the maximum, as a share of the range, of a draw that counts as being at the maximum.
const atMost = 1e-9

// widen sets AtMaximum, for every capability of the profile, to the share of the draws that are at its maximum. If this is
// more than ½, widen replaces the interval by a bound: Q95 is the maximum, and Q5 the value above which lies 90 % of the
// posterior (atLeast).
func (v *Verdict) widen(c *Case, kept []*Fitted, stacked [][]float64) {
	lead := kept[0]
	p := meanPrediction(lead.Target(), lead.Draws)
	data, err := c.Report.NewData(c.Responses)
	if err != nil {
		return // the reporting layout does not explain these responses: there is no bound
	}
	w := &width{cells: newCells(lead, p, c.Report, c.Responses), target: c.Report.NewTarget(data), parameters: c.Report.Parameters()}
	for k, x := range w.parameters {
		if x.Group != layout.Capability {
			continue
		}
		at := 0
		for _, theta := range stacked {
			if theta[k] >= x.Range[1]-float64(atMost*(x.Range[1]-x.Range[0])) {
				at++
			}
		}
		e := &v.Profile[k]
		e.AtMaximum = float64(at) / float64(len(stacked))
		if 2*at > len(stacked) {
			e.Q5, e.Q95, e.Bound = w.atLeast(k), x.Range[1], true
		}
	}
}

// A width computes the likelihood of one capability of the reporting layout, given an explanation (see atLeast).
type width struct {
	cells
	target     *layout.Target
	parameters []layout.Parameter
}

// atLeast returns the value of capability k above which lies 90 % of its posterior. The prior is flat between the bounds of the
// capability. For the likelihood, the success probability of the explanation on an item is multiplied by that of the
// reporting layout with capability k at a value, divided by that with k at its maximum, but by at most 1.
func (w *width) atLeast(k int) float64 {
	lo, hi := w.parameters[k].Range[0], w.parameters[k].Range[1]
	value := func(i int) float64 { return lo + float64((hi-lo)*(float64(i)+0.5)/widthGrid) }
	full := w.rates(k, hi)
	logs := make([]float64, widthGrid)
	for i := range logs {
		share := w.rates(k, value(i))
		for r := range share {
			share[r] = min(1, share[r]/max(full[r], floor))
		}
		logs[i] = w.logLik(share)
	}
	total, above, i := num.LogSumExp(logs), 0.0, widthGrid
	for i > 0 && above < 0.9 {
		i--
		above += num.Exp(logs[i] - total)
	}
	return value(i)
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
