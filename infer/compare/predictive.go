package compare

import (
	"cmp"
	"slices"

	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
)

// A predictive has the success probability of every item under the rivals.
type predictive struct {
	kept    []*Fitted
	weights []float64   // posterior probabilities, which sum to 1
	each    [][]float64 // [rival][item] posterior mean of the success probability
	mixed   []float64   // [item] mean of each over the rivals, by weight
}

// fewDraws is the largest number of draws in a rival's posterior mean. The Monte Carlo error of the mean is then about a
// twentieth of the posterior standard deviation.
const fewDraws = 500

func newPredictive(items *record.Items, kept []*Fitted) *predictive {
	p := &predictive{kept: kept, mixed: make([]float64, items.Len())}
	total := weightOf(kept)
	for _, f := range kept {
		w := f.Weight / total
		p.weights = append(p.weights, w)
		rows := meanPrediction(f.Target(), f.Draws)
		one := make([]float64, items.Len())
		for i := range one {
			one[i] = rows[f.Design.Row(i)]
			p.mixed[i] += float64(w * one[i])
		}
		p.each = append(p.each, one)
	}
	return p
}

// meanPrediction returns the posterior mean success probability for every row of the target's design: for every class of items
// that are equal for the layout.
func meanPrediction(t *layout.Target, draws [][]float64) []float64 {
	n := min(len(draws), fewDraws)
	out, p := make([]float64, t.Design().Rows()), make([]float64, t.Design().Rows())
	for k := range n {
		t.Predict(draws[k*len(draws)/n], p)
		for r, x := range p {
			out[r] += x / float64(n)
		}
	}
	return out
}

// Predict returns the success probability of every item: the mean over the rivals by weight. At least one rival must have
// draws.
func Predict(items *record.Items, fits []*Fitted) []float64 {
	c := &Case{Fits: fits}
	return newPredictive(items, c.kept()).mixed
}

// mostItems is the largest number of items that are named as evidence for a weakness.
const mostItems = 5

// leastRatio is the log likelihood ratio that the response to an item must exceed if the item is named as evidence.
const leastRatio = 0.1

// mostTelling returns the IDs of the items whose responses favour a rival most against a constant success rate: at most
// mostItems, in falling order of the log likelihood ratio.
func (c *Case) mostTelling(f *Fitted) []string {
	rows := meanPrediction(f.Target(), f.Draws)
	n, hits := 0.0, 0.0
	for _, r := range c.Responses {
		if r.Unscored == 0 {
			n++
			hits += r.Value
		}
	}
	rate := (hits + 0.5) / (n + 1)
	type telling struct {
		item  int32
		ratio float64
	}
	var all []telling
	for _, r := range c.Responses {
		if r.Unscored != 0 {
			continue
		}
		p := min(max(rows[f.Design.Row(int(r.Item))], floor), 1-floor)
		ratio := num.Log(p / rate)
		if r.Value == 0 {
			ratio = num.Log((1 - p) / (1 - rate))
		}
		all = append(all, telling{r.Item, ratio})
	}
	slices.SortStableFunc(all, func(a, b telling) int { return cmp.Compare(b.ratio, a.ratio) })
	var out []string
	for _, s := range all[:min(len(all), mostItems)] {
		if s.ratio > leastRatio {
			out = append(out, c.Items.ID[s.item])
		}
	}
	return out
}
