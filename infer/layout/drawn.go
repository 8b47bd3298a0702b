package layout

import "achilles/sim/rng"

// DrawResponse draws at theta a response of a measure, by its index in Design.Measures, to each of the distinct rows, and writes them to
// out. A mean of responses that the layout mentions is that of the target's data.
func (t *Target) DrawResponse(theta []float64, measure int, rows []int, r *rng.Rand, out []float64) {
	t.w.Evaluate(theta)
	t.outputs(measure)
	for i, row := range rows {
		out[i] = t.design.draw(measure, row, t.argsOf(measure, row), r)
	}
}
