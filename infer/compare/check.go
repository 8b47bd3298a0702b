package compare

import (
	"math"
	"strconv"

	"achilles/infer/misfit"
	"achilles/sim/rng"
)

// floor keeps probabilities off 0 and 1, where likelihood ratios are not defined.
const floor = 1e-6

// checkDraws are the draws that checks take from all rivals together, each rival's share by its weight.
const checkDraws = 400

// check holds the responses against the mixture of the rivals (package misfit).
func (c *Case) check(p *predictive, r *rng.Rand) misfit.Result {
	d := &misfit.Data{Items: c.Items}
	class := p.classes(c.Items.Len())
	for _, x := range c.Responses {
		if x.Unscored == 0 {
			d.Responses = append(d.Responses, x)
			d.Class = append(d.Class, class[x.Item])
			d.Binary = append(d.Binary, true)
		}
	}
	first := make([]int, 0, c.Items.Len()) // [class] its first item
	for i, k := range class {
		if k == len(first) {
			first = append(first, i)
		}
	}
	d.Variance = make([]float64, len(first))
	d.Mean = p.draws(first)
	for _, draw := range d.Mean {
		for k, x := range draw {
			d.Variance[k] += float64(x*(1-x)) / float64(len(d.Mean))
		}
	}
	return misfit.Check(d, c.Bank.Alarm, r)
}

// classes numbers the items by what the rivals make of them: items of a class are one row in every rival.
func (p *predictive) classes(items int) []int {
	out, at := make([]int, items), map[string]int{}
	var key []byte
	for i := range out {
		key = key[:0]
		for _, f := range p.kept {
			key = append(strconv.AppendInt(key, int64(f.Design.Row(i)), 10), ' ')
		}
		k, ok := at[string(key)]
		if !ok {
			k = len(at)
			at[string(key)] = k
		}
		out[i] = k
	}
	return out
}

// draws are success probabilities of the items given, [draw][item], from the posterior draws of all rivals by weight.
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
