package layout

import (
	"math"

	"achilles/sim/record"
	"achilles/sim/rng"
)

// Simulate draws one response of every subject to every item and measure, subject by subject, from the layout with parameters
// theta. It panics if the likelihood depends on means of the responses (UsesMeans).
func (j *Joint) Simulate(theta []float64, r *rng.Rand) ([]record.Response, error) {
	if j.UsesMeans() {
		panic("layout: responses that depend on their own mean cannot be drawn")
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
	t.outputs(theta)
	for k, x := range cells.at {
		d := Design{responses: cells.blocks[x.block].responses}
		out[cells.used[k]].Value = d.draw(x.measure, x.row, t.argsOf(x), r)
	}
	return out, nil
}

// spreadTables is the number of prior draws of all parameters from which the SD of one is computed if its prior depends on
// others.
const spreadTables = 1 << 12

// PriorSD returns the standard deviation of every parameter of the layout under the prior. If the prior of a parameter depends on
// others, PriorSD computes the SD of the marginal distribution, from draws of one unit. It is +Inf if the prior has no finite
// variance, or depends on a parameter whose prior has none.
func (j *Joint) PriorSD() []float64 {
	out := make([]float64, len(j.priors))
	r := rng.Stream(0, "prior sd")
	theta := make([]float64, j.Len())
	mean, squares := make([]float64, len(j.priors)), make([]float64, len(j.priors))
	for n := range spreadTables {
		j.DrawPrior(&r, theta)
		for i := range j.priors { // Welford (1962)
			x := theta[j.first[i]]
			off := x - mean[i]
			mean[i] += off / float64(n+1)
			squares[i] += float64(off * (x - mean[i]))
		}
	}
	for _, i := range j.order {
		p := &j.priors[i]
		out[i] = math.Sqrt(squares[i] / (spreadTables - 1))
		if p.plan == nil {
			out[i] = p.family.SD(p.values[:len(j.layout.Parameters[i].args)])
		}
		for _, a := range j.layout.Parameters[i].args {
			for _, name := range a.Names() {
				if s := j.layout.symbols[name]; s.kind == aParameter && math.IsInf(out[s.index], 1) {
					out[i] = math.Inf(1)
				}
			}
		}
	}
	return out
}
