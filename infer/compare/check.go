package compare

import (
	"math"
	"strconv"

	"achilles/infer/misfit"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// floor is the smallest distance of probabilities from 0 and 1, at which likelihood ratios are not defined.
const floor = 1e-6

// checkDraws is the number of posterior draws in the checks: of all rivals together, in proportion to their weights.
const checkDraws = 400

// check compares the responses with the predictions of the mixture of all rivals by weight (package misfit).
func (c *Case) check(p *predictive, r *rng.Rand) misfit.Result {
	d := &misfit.Data{Items: c.Items}
	class := p.classes(c.Items.Len())
	for _, x := range c.Responses {
		if x.Unscored == 0 {
			d.Responses = append(d.Responses, x)
			d.Class = append(d.Class, int32(class[x.Item]))
			d.Binary = append(d.Binary, true)
		}
	}
	first := make([]int, 0, c.Items.Len()) // [class] index of the first item of the class
	for i, k := range class {
		if k == len(first) {
			first = append(first, i)
		}
	}
	draws := p.draws(first)
	d.Classes, d.Draws = len(first), len(draws)
	d.Moments = func(draw int, mean, variance []float64) {
		copy(mean, draws[draw])
		for k := range variance {
			variance[k] = float64(mean[k] * (1 - mean[k]))
		}
	}
	return misfit.Check(d, c.Bank.Alarm, r)
}

// classes returns the number of the class of every item. Items are in one class if they are equal for every rival.
func (p *predictive) classes(items int) []int {
	out, at := make([]int, items), num.Numbering[string]{}
	var key []byte
	for i := range out {
		key = key[:0]
		for _, f := range p.kept {
			key = append(strconv.AppendInt(key, int64(f.Design.Row(i)), 10), ' ')
		}
		out[i] = at.Of(string(key))
	}
	return out
}

// draws returns checkDraws draws of the success probabilities of these items, [draw][item], from the posterior draws of all
// rivals in proportion to their weights.
func (p *predictive) draws(items []int) (out [][]float64) {
	due := 0.0
	for k, f := range p.kept {
		due += float64(p.weights[k] * checkDraws)
		n := int(math.Round(due)) - len(out)
		t := f.Target()
		rows := make([]float64, f.Design.Rows())
		for j := range n {
			t.Predict(f.Draws[(2*j+1)*len(f.Draws)/(2*n)], rows)
			one := make([]float64, len(items))
			for i, item := range items {
				one[i] = rows[f.Design.Row(item)]
			}
			out = append(out, one)
		}
	}
	return out
}
