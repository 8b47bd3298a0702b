package figure

import (
	"cmp"
	"math"
	"slices"

	"achilles/infer"
	"achilles/infer/chargrid"
	"achilles/render/figure/chart"
)

// pairedParameters is the largest number of parameters in a pair plot.
const pairedParameters = 5

// pairs makes a pair plot of the posterior draws of a subject. It shows at most pairedParameters parameters, those with
// the strongest correlations, in the layout's order.
func (m *Material) pairs(id string) chart.Figure {
	all := draws(m, id)
	strongest := strongestCorrelations(all)
	order := make([]int, len(all))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(strongest[b], strongest[a]) })
	order = order[:min(len(order), pairedParameters)]
	slices.Sort(order)
	var shown []chart.ParameterDraws
	for _, k := range order {
		shown = append(shown, all[k])
	}
	i := slices.IndexFunc(m.Result.Diagnostics.Fits, func(f infer.Fit) bool { return f.Subject == id && f.Rows == infer.AllRows })
	if i < 0 {
		return chart.Pairs(shown, nil)
	}
	return chart.Pairs(shown, m.Result.Diagnostics.Fits[i].Divergent)
}

// strongestCorrelations returns, for every parameter, its largest absolute correlation with another parameter. The
// value of a constant parameter is 0.
func strongestCorrelations(params []chart.ParameterDraws) []float64 {
	flat := make([][]float64, len(params))
	for k, p := range params {
		flat[k] = slices.Concat(p.Draws...)
	}
	out := make([]float64, len(params))
	for i := range flat {
		for j := range i {
			if r := math.Abs(chargrid.Pearson(flat[i], flat[j], nil)); r > 0 { // false for NaN
				out[i], out[j] = max(out[i], r), max(out[j], r)
			}
		}
	}
	return out
}

// mostCorrelated returns the subject with the strongest correlation of two parameters. If the result lists no strong
// correlation, it returns the subject of worstFit.
func mostCorrelated(m *Material) string {
	id, most := worstFit(m), 0.0
	if i := m.Result.Diagnostics.Identifiability; i != nil {
		for _, c := range i.Strong {
			if r := math.Abs(c.R); r > most {
				id, most = c.Subject, r
			}
		}
	}
	return id
}
