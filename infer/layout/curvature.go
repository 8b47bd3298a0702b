package layout

import (
	"slices"

	"achilles/infer/prior"
)

// A Curvature is −∂²/∂q² of the log density of a JointTarget, by all values but those that are held. No response depends on
// two subjects or on two items, so that most of it is 0. The matrices are row by row.
type Curvature struct {
	Subjects, Items, Rest []int     // index in q of every value: subject by subject, item by item, and of all others
	PerSubject, PerItem   int       // number of values of each subject, and of each item
	OfSubject, OfItem     []float64 // a matrix for each subject, and for each item
	Cross                 []float64 // len(Subjects) × len(Items)
	OfRest                []float64 // len(Rest) × length of q
}

// curvatureStep is the step of the differences of the gradient, on the unconstrained scale.
const curvatureStep = 1e-3

// Spreads says for each parameter whether the prior of another one depends on it by more than its mean. Given these, the prior
// of all others is normal in q if their families are normal or lognormal.
func (j *Joint) Spreads() []bool {
	out := make([]bool, len(j.priors))
	for _, p := range j.layout.Parameters {
		for k, a := range p.args {
			if k == 0 && p.family.HasScore() {
				continue
			}
			for _, name := range a.Names() {
				if s := j.layout.symbols[name]; s.kind == aParameter {
					out[s.index] = true
				}
			}
		}
	}
	return out
}

// Free returns the values of all parameters that are not held, as a Curvature without matrices.
func (j *Joint) Free(held []bool) *Curvature {
	c := &Curvature{}
	var ofSubjects, ofItems []int
	for i, p := range j.layout.Parameters {
		switch {
		case held[i]:
		case p.OfSubjects():
			ofSubjects = append(ofSubjects, i)
		case p.Group == Item && p.Per == "":
			ofItems = append(ofItems, i)
		default:
			for at := j.first[i]; at < j.first[i+1]; at++ {
				c.Rest = append(c.Rest, at)
			}
		}
	}
	c.Subjects, c.PerSubject = j.byUnit(ofSubjects), len(ofSubjects)
	c.Items, c.PerItem = j.byUnit(ofItems), len(ofItems)
	return c
}

// byUnit returns the indices of the values of parameters, unit by unit.
func (j *Joint) byUnit(parameters []int) (out []int) {
	if len(parameters) == 0 {
		return nil
	}
	for u := range j.Units(parameters[0]) {
		for _, i := range parameters {
			out = append(out, j.first[i]+u)
		}
	}
	return out
}

// Curvature returns the curvature at q. It moves the values of one parameter in all units together where no two of them meet in
// a response, and takes differences of the gradient; for Cross, those of every block alone. It panics if t has parameters that
// are not centred, or if a parameter that is held is not shared.
func (t *JointTarget) Curvature(q []float64, held []bool) *Curvature {
	for i, p := range t.joint.layout.Parameters {
		if held[i] && p.Group != Shared || !t.wholly(i) {
			panic("layout: curvature needs centred parameters, and holds shared ones")
		}
	}
	c := t.joint.Free(held)
	t.Constrain(q, t.theta)
	base, slope := slices.Clone(t.theta), make([]float64, t.Dim())
	for i := range slope {
		slope[i] = t.points[i].ThetaQ
	}
	c.Cross = make([]float64, len(c.Subjects)*len(c.Items))
	blocks := t.unitsOfBlocks(c)
	c.OfSubject = t.diagonal(q, c.Subjects, c.PerSubject, func(k int, by float64) {
		moved := slices.Clone(t.theta)
		t.cross(c, blocks, k, base, moved, slope, by)
	})
	c.OfItem = t.diagonal(q, c.Items, c.PerItem, func(int, float64) {})
	for _, at := range c.Rest {
		up, down := t.slopesAt(q, []int{at}, curvatureStep), t.slopesAt(q, []int{at}, -curvatureStep)
		for i := range up {
			c.OfRest = append(c.OfRest, (down[i]-up[i])/(2*curvatureStep))
		}
	}
	return c
}

// OfSubjects returns the part of the curvature at q that belongs to each subject alone: a matrix for each, row by row. free is
// from Joint.Free.
func (t *JointTarget) OfSubjects(q []float64, free *Curvature) []float64 {
	return t.diagonal(q, free.Subjects, free.PerSubject, func(int, float64) {})
}

// slopesAt returns the gradient at q after the values at some indices have moved by a step.
func (t *JointTarget) slopesAt(q []float64, indices []int, by float64) []float64 {
	x, grad := slices.Clone(q), make([]float64, len(q))
	for _, at := range indices {
		x[at] += by
	}
	t.LogDensity(x, grad)
	return grad
}

// diagonal returns the matrices of units with per values each, whose indices are at. It calls moved after each evaluation, with
// t.theta of the units whose value k has moved.
func (t *JointTarget) diagonal(q []float64, at []int, per int, moved func(k int, by float64)) []float64 {
	out := make([]float64, len(at)*per)
	for k := range per {
		var same []int
		for i := k; i < len(at); i += per {
			same = append(same, at[i])
		}
		up := t.slopesAt(q, same, curvatureStep)
		moved(k, curvatureStep)
		down := t.slopesAt(q, same, -curvatureStep)
		moved(k, -curvatureStep)
		for i, a := range at {
			out[i*per+k] = (down[a] - up[a]) / (2 * curvatureStep)
		}
	}
	return out
}

// A blockUnits says which parameters of a block's plan are values of subjects and of items.
type blockUnits struct {
	subjects []int      // subjects of the block
	local    [][]int    // [subject of the block][value k] index among the plan's parameters
	items    []itemPart // of all items of the block
}

type itemPart struct{ local, column, at int } // index among the plan's parameters, in Items, and in q

// unitsOfBlocks returns the units of every block.
func (t *JointTarget) unitsOfBlocks(c *Curvature) []blockUnits {
	row, column := map[int]int{}, map[int]int{}
	for i, at := range c.Subjects {
		row[at] = i
	}
	for i, at := range c.Items {
		column[at] = i
	}
	out := make([]blockUnits, len(t.blocks))
	for b := range out {
		u := &out[b]
		place := map[int]int{}
		for local, at := range t.cells.blocks[b].frame.index {
			if i, ok := column[at]; ok {
				u.items = append(u.items, itemPart{local, i, at})
			}
			if i, ok := row[at]; ok {
				s := i / c.PerSubject
				if _, known := place[s]; !known {
					place[s] = len(u.subjects)
					u.subjects, u.local = append(u.subjects, s), append(u.local, make([]int, c.PerSubject))
				}
				u.local[place[s]][i%c.PerSubject] = local
			}
		}
	}
	return out
}

// cross adds to c.Cross what the gradients of single blocks say after value k of one subject in each block has moved, for all
// subjects in turn. base has the parameters, moved those in which value k of all subjects has moved, and slope the derivatives
// of the parameters by q.
func (t *JointTarget) cross(c *Curvature, blocks []blockUnits, k int, base, moved, slope []float64, by float64) {
	most := 0
	for _, u := range blocks {
		most = max(most, len(u.subjects))
	}
	for r := range most {
		t.each(func(i int) {
			u, b := &blocks[i], &t.blocks[i]
			if r >= len(u.subjects) {
				return
			}
			t.cells.blocks[i].frame.load(base, b.params)
			at := u.subjects[r]*c.PerSubject + k
			b.params[u.local[r][k]] = moved[c.Subjects[at]]
			b.w.Gradient(b.params, b.grad)
			row := c.Cross[at*len(c.Items):][:len(c.Items)]
			for _, x := range u.items {
				row[x.column] -= float64(b.grad[x.local]*slope[x.at]) / (2 * by)
			}
		})
	}
}

// LikelihoodSlopes returns the derivatives of the log likelihood by the coordinates q of parameter i, one for each unit. theta
// and grad are scratch of length Dim.
func (t *JointTarget) LikelihoodSlopes(q, theta, grad []float64, i int) []float64 {
	t.Constrain(q, theta)
	t.LogLikelihood(theta, grad)
	out := make([]float64, t.joint.Units(i))
	for u := range out {
		at := t.joint.first[i] + u
		out[u] = float64(grad[at] * t.points[at].ThetaQ)
	}
	return out
}

// PriorSpread returns, for each unit of parameter i, half the distance between the 16 % and the 84 % quantile of its
// coordinate q under the prior, given the values of the other parameters at q. For a normal distribution this is the standard
// deviation; of a binary parameter, which has no such quantiles, it is 1.
func (t *JointTarget) PriorSpread(q []float64, i int) []float64 {
	theta := make([]float64, t.Dim())
	t.Constrain(q, theta)
	t.priors.evaluate(i, theta)
	out := make([]float64, t.joint.Units(i))
	f := t.joint.priors[i].family
	var scratch [prior.MaxArgs]float64
	for u := range out {
		args := t.priors.at(i, u, theta, &scratch)
		const sigma = 1.66827 // log odds of the standard normal distribution function at 1
		out[u] = 0.5 * (f.UnconstrainedAtOdds(sigma, args) - f.UnconstrainedAtOdds(-sigma, args))
		if f.Binary() {
			out[u] = 1
		}
	}
	return out
}
