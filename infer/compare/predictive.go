package compare

import (
	"cmp"
	"slices"

	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
)

// A predictive has the success probabilities that the rivals give the items.
type predictive struct {
	items   *record.Items
	held    []*Fitted
	weights []float64   // sum to 1
	each    [][]float64 // rival → item → mean over its draws
	mixed   []float64   // item → over all rivals
}

// fewDraws is how many draws a rival's mean prediction is taken over: its Monte Carlo error is then a twentieth of its
// posterior spread.
const fewDraws = 500

func newPredictive(items *record.Items, held []*Fitted) *predictive {
	p := &predictive{items: items, held: held, mixed: make([]float64, items.Len())}
	total := 0.0
	for _, f := range held {
		total += f.Weight
	}
	for _, f := range held {
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

// Predict returns the success probability of every item, over all rivals by weight.
func Predict(items *record.Items, fits []*Fitted) []float64 {
	c := &Case{Fits: fits}
	return newPredictive(items, c.held()).mixed
}

// mostItems is how many items are named as evidence.
const mostItems = 5

// leastRatio is the log likelihood ratio that an item must have to be named as evidence: less is next to nothing.
const leastRatio = 0.1

// telling names the items whose responses speak most for a rival against the best one constant rate: those of the
// largest log likelihood ratio, one of each distinct row of the rival's design first.
func (c *Case) telling(f *Fitted) []string {
	rows := meanPrediction(f.Target(), f.Draws)
	n, hits := 0.0, 0.0
	for _, r := range c.Responses {
		if r.Unscored == 0 {
			n++
			hits += r.Value
		}
	}
	rate := (hits + 0.5) / (n + 1)
	type said struct {
		item  int32
		ratio float64
	}
	var all []said
	for _, r := range c.Responses {
		if r.Unscored != 0 {
			continue
		}
		p := min(max(rows[f.Design.Row(int(r.Item))], floor), 1-floor)
		ratio := num.Log(p / rate)
		if r.Value == 0 {
			ratio = num.Log((1 - p) / (1 - rate))
		}
		all = append(all, said{r.Item, ratio})
	}
	slices.SortStableFunc(all, func(a, b said) int { return cmp.Compare(b.ratio, a.ratio) })
	var out []string
	for _, s := range all[:min(len(all), mostItems)] {
		if s.ratio > leastRatio {
			out = append(out, c.Items.ID[s.item])
		}
	}
	return out
}
