package embedding

import (
	"cmp"
	"fmt"

	"achilles/infer/table"
)

// A plan has a formula, the way to train it, and the priors of each parameter of a subject and of an item (nil: no priors).
type plan struct {
	Training
	link              link
	onSubject, onItem []normal
}

// A step of MIRT takes one of mostParts of the responses, with at least leastPart in each: twenty passes in eighths predict as well as eighty
// over all responses, and cost a third.
const (
	mostParts = 8
	leastPart = 50
)

// plan returns the plan of a predictor for a table. mask has the skills of the items; c says which prior the slopes have.
func (o Predictor) plan(t *table.Table, mask [][]float64, c Candidate) plan {
	if o.Published {
		return o.released(t, mask, c)
	}
	c.Slope *= o.unit()
	full := Training{Epochs: o.Steps, Descent: o.Loss != Absolute, Fall: converged, Rate: 0.05, Decay: true, Loss: o.Loss} // L-BFGS needs a smooth loss
	one := o.unit()
	intercept := normal{precision: 0.1 * one, free: true}
	switch o.Kind {
	case IRT:
		return plan{full, dot{dimensions: 1, slope: 1, spread: 0.1}, normals(1, normal{precision: one}), []normal{{mean: 1, precision: c.Slope}, intercept}}
	case MIRT:
		k := c.Dimensions
		full.Descent, full.Rate = false, cmp.Or(c.Step, 0.2) // large steps lead different starts to different maxima, whose mean predicts better than one
		full.Parts = min(max(t.Rows()/leastPart, 1), mostParts)
		full.Epochs = o.Steps / full.Parts
		return plan{full, dot{dimensions: k, level: true, spread: 0.3}, normals(k+1, normal{precision: one}), append(normals(k, normal{precision: c.Slope}), intercept)}
	case CamillaBase:
		k := len(mask[0])
		return plan{full, dot{dimensions: k, slope: 1, mask: mask, spread: 0.1}, normals(k, normal{precision: one}), append(normals(k, normal{mean: 1, precision: c.Slope}), intercept)}
	case MF:
		return plan{full, dot{level: true, spread: 0.1}, normals(1, normal{precision: one}), []normal{intercept}}
	}
	net := Training{Epochs: o.Epochs, Batch: 256, Least: 100, Rate: cmp.Or(c.Step, 0.005), Shuffle: true, Patience: 5, Loss: o.Loss}
	return plan{Training: net, link: o.network(mask, c, 128)}
}

// unit returns the factor by which −log prior is multiplied before it is added to the sum of losses. It is 1 for the cross
// entropy, which is −log likelihood. A squared error is −log likelihood times 2σ², an absolute error is −log likelihood times
// the mean error; the factors 0.05 and 0.1 assume errors of usual size, σ = 0.16 and a mean of 0.1.
func (o Predictor) unit() float64 {
	switch o.Loss {
	case Squared:
		return 0.05
	case Absolute:
		return 0.1
	}
	return 1
}

// normals returns n equal priors.
func normals(n int, q normal) (out []normal) {
	for range n {
		out = append(out, q)
	}
	return out
}

// released returns the plan of the released code, which has no priors. For a binary measure, the loss is the cross entropy; for
// other measures it is the squared error, except for Camilla-Base, and the step sizes differ.
func (o Predictor) released(t *table.Table, mask [][]float64, c Candidate) plan {
	tr := Training{Epochs: o.Epochs, Batch: 256, ByRank: true}
	rates := map[Kind][2]float64{IRT: {0.001, 0.01}, MIRT: {0.005, 0.01}, MF: {0.001, 0.01}, NeuralCD: {0.002, 0.002}, CamillaBase: {0.005, 0.002}, Camilla: {0.005, 0.01}}
	tr.Rate = rates[o.Kind][0]
	if !t.Binary {
		tr.Rate = rates[o.Kind][1]
		if o.Kind != CamillaBase {
			tr.Loss = Squared
		}
	}
	tr.Rate = cmp.Or(c.Step, tr.Rate)
	p := plan{Training: tr}
	switch o.Kind {
	case IRT:
		p.link = curve{}
	case MIRT:
		p.link = dot{dimensions: cmp.Or(c.Dimensions, dimensions)}
	case MF:
		p.link = additive{cmp.Or(c.Dimensions, dimensions)}
	case CamillaBase:
		p.link = dot{dimensions: len(mask[0]), mask: mask}
	case NeuralCD:
		p.link = o.network(mask, c, 512)
	default:
		p.link = o.network(nil, c, 128)
		p.Patience = 5
	}
	return p
}

// network returns the link of NeuralCD, which has the skills of mask, or of Camilla, which learns skills and ignores mask. units is the usual size
// of the first hidden layer; the second has half of it, as in the released code.
func (o Predictor) network(mask [][]float64, c Candidate, units int) network {
	units = cmp.Or(c.Layer, units)
	hidden := [2]int{units, (units + 1) / 2}
	if o.Kind == Camilla {
		return network{dimensions: cmp.Or(c.Dimensions, dimensions), hidden: hidden}
	}
	return network{dimensions: len(mask[0]), hidden: hidden, mask: mask}
}

// mask returns the skills of every item, or nil for kinds that do not use given skills. If no skills are declared, there are
// as many skills as Camilla learns, and every item needs all of them. A missing value of a skill counts as 0.
func (o Predictor) mask(t *table.Table) ([][]float64, error) {
	if o.Kind != NeuralCD && o.Kind != CamillaBase {
		return nil, nil
	}
	fs, missing := t.Select(o.Skills)
	if missing != "" {
		return nil, fmt.Errorf("embedding: skill %q is not a feature of the table", missing)
	}
	q := make([][]float64, len(t.Items))
	for j := range q {
		if len(fs) == 0 {
			for range dimensions {
				q[j] = append(q[j], 1)
			}
		}
		for _, f := range fs {
			if f.Nominal() {
				return nil, fmt.Errorf("embedding: skill %q has labels: it must be 1 where an item needs the skill, and 0 elsewhere", f.Name)
			}
			v, _ := f.At(j)
			q[j] = append(q[j], v)
		}
	}
	return q, nil
}
