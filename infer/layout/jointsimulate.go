package layout

import (
	"math"

	"achilles/infer/prior"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// DrawPrior draws all parameters from the prior and writes them to theta.
func (j *Joint) DrawPrior(r *rng.Rand, theta []float64) { newPriorWorks(j).drawPrior(r, theta) }

// DrawNear draws as DrawPrior, but nearer to the medians: the log odds of each parameter's quantile are multiplied by share,
// from 0 to 1.
func (j *Joint) DrawNear(r *rng.Rand, share float64, theta []float64) {
	newPriorWorks(j).draw(theta, func(f prior.Family, args []float64) float64 {
		u := r.Float64()
		return f.AtOdds(float64(share*(num.Log(u)-num.Log1p(-u))), args)
	})
}

// Widen sets the shared parameters on which the spread of another prior depends (Spreads) to the quantile of their own priors at these
// log odds, and leaves all others as they are.
func (j *Joint) Widen(odds float64, theta []float64) {
	spreads := j.Spreads()
	newPriorWorks(j).drawSome(theta, func(i int) bool { return spreads[i] && j.layout.Parameters[i].Group == Shared }, func(f prior.Family, args []float64) float64 { return f.AtOdds(odds, args) })
}

// Simulate draws one response of every subject to every item and measure, subject by subject, from the layout with parameters
// theta. It panics if the likelihood depends on means of the responses (UsesMeans), and returns an error if the number of trials comes
// with each response.
func (j *Joint) Simulate(theta []float64, r *rng.Rand) ([]record.Response, error) {
	if j.UsesMeans() {
		panic("layout: responses that depend on their own mean cannot be drawn")
	}
	for i := range j.layout.Responses {
		if r := &j.layout.Responses[i]; r.countsTrials() {
			return nil, r.places[0].Errorf("the number of trials comes with each response, so that no response can be drawn: give trials here")
		}
	}
	var out []record.Response
	for s := range j.subjects {
		for i := range j.items.Len() {
			for _, m := range j.layout.Responses {
				bound, err := m.bind(j.measures)
				if err != nil {
					return nil, err
				}
				x := record.Response{Subject: int32(s), Item: int32(i), Measure: uint8(bound.measure)}
				if m.Family == Beta {
					x.Value = 0.5 // cells need a value that the family can have
				}
				out = append(out, x)
			}
		}
	}
	cells, err := j.NewCells(out, nil)
	if err != nil {
		return nil, err
	}
	t := cells.NewTarget(make([]bool, len(j.priors)), 1)
	for block := range cells.blocks {
		from, to := cells.InBlock(block)
		values := make([]float64, to-from)
		t.DrawResponses(block, theta, r, values)
		for k, v := range values {
			out[cells.used[from+k]].Value = v
		}
	}
	return out, nil
}

// DrawResponses draws a response in place of each response of a block, from the layout with parameters theta, and writes them to out, in
// the order of Cells.InBlock. It may not be called at the same time for blocks for which PointwiseLogLik may not.
func (t *JointTarget) DrawResponses(block int, theta []float64, r *rng.Rand, out []float64) {
	b, c := &t.blocks[block], &t.cells.blocks[block]
	b.outputs(c, theta, len(c.responses))
	from, to := t.cells.InBlock(block)
	for i, x := range t.cells.at[from:to] {
		out[i] = c.responses[x.measure].draw(int(x.row), t.args(x), r)
	}
}

// PriorSD returns the standard deviation of every parameter of the layout under the prior. If the prior of a parameter depends on
// others, PriorSD computes the SD of the marginal distribution of the first unit, from draws; for a walk the root mean square of those of all units. It is +Inf if the prior has no finite
// variance, or depends on a parameter whose prior has none.
func (j *Joint) PriorSD() []float64 {
	out := make([]float64, len(j.priors))
	var few *Joint
	var drawn []float64
	for _, i := range j.order {
		p := &j.priors[i]
		walks := j.layout.Parameters[i].walks
		if p.plan == nil && !walks {
			out[i] = p.family.SD(p.values[:len(j.layout.Parameters[i].args)])
		} else {
			if drawn == nil {
				few = j.ofFew()
				drawn = drawnSD(few.Len(), newPriorWorks(few).drawPrior)
			}
			out[i] = drawn[few.first[i]]
			if walks {
				x := drawn[few.first[i]:few.first[i+1]]
				out[i] = math.Sqrt(num.Dot(x, x) / float64(len(x)))
			}
		}
		for _, k := range mentioned(j.layout, i) {
			if math.IsInf(out[k], 1) {
				out[i] = math.Inf(1)
			}
		}
	}
	return out
}

// ofFew returns the layout bound to the first subject and the first item alone and, where parameters walk along a column, to one of
// each group.
func (j *Joint) ofFew() *Joint {
	subjects, items := j.walked(ofSubjects), j.walked(ofItems)
	var ids []string
	for _, i := range subjects {
		ids = append(ids, j.subjects[i])
	}
	few, err := j.layout.BindJoint(someItems(j.items, items), ids, rowsOf(j.covariates, subjects), j.measures)
	if err != nil {
		panic("layout: a layout that is bound to items does not bind to some of them")
	}
	return few
}

// someItems returns a battery with the items of these indices alone.
func someItems(items *record.Items, at []int) *record.Items {
	some := &record.Items{}
	for k := range items.Columns {
		c := items.Values(k)
		some.Columns = append(some.Columns, c.Rows(at))
	}
	for _, i := range at {
		some.ID, some.Suite = append(some.ID, items.ID[i]), append(some.Suite, items.Suite[i])
		some.Paradigm, some.Task = append(some.Paradigm, items.Paradigm[i]), append(some.Task, items.Task[i])
	}
	return some
}

// rowsOf returns the rows of columns at these indices.
func rowsOf(columns []record.Column, at []int) (out []record.Column) {
	for _, c := range columns {
		out = append(out, c.Rows(at))
	}
	return out
}
