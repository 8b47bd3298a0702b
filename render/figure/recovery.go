package figure

import (
	"cmp"
	"math"

	"achilles/render/figure/chart"
)

func recovery(m *Material) []Entry {
	if m.Scores.Drawn != nil {
		return []Entry{{Name: "recovery", Title: "Recovery: posterior against truth", Section: SectionRecovery, Make: m.recoveredDraws,
			Caption: "Posterior mean with its 90 % interval against the sealed value that the layout drew, in the unit of the parameter; the diagonal marks perfect recovery. Counts: values inside equal-tailed 50 % and 90 % intervals." + thinned(mostDrawn(m), "values")}}
	}
	if len(m.Scores.Recovery["overall"]) == 0 {
		return nil
	}
	return []Entry{{Name: "recovery", Title: "Recovery: posterior against truth", Section: SectionRecovery, Make: m.recovered,
		Caption: "Posterior mean with its 90 % interval against the sealed truth, both as fractions of the capability's maximum; the diagonal marks perfect recovery. Counts: interior truths inside equal-tailed 50 % and 90 % intervals, which cannot contain a truth at a bound. Equal truths are drawn side by side." + thinned(len(subjects(m)), "subjects")}}
}

// mostDrawn returns the largest number of values that a layout drew of one parameter.
func mostDrawn(m *Material) (n int) {
	for _, r := range m.Scores.Drawn {
		n = max(n, r.N)
	}
	return n
}

func (m *Material) recovered() chart.Figure {
	var panels []chart.RecoveryPanel
	for _, name := range m.Scores.Parameters() {
		r, ok := m.Scores.Recovery["overall"][name]
		if !ok {
			continue
		}
		panel := chart.RecoveryPanel{Name: name, RMSE: r.RMSE}
		for _, p := range of(m, name) {
			if p.Truth != nil {
				panel.Truth = append(panel.Truth, *p.Truth/p.Scale)
				panel.Stacked = panel.Stacked || p.Stacked != nil
				panel.Post = append(panel.Post, scaled(estimate(m, p, p.Name), 0, p.Scale))
			}
		}
		panels = append(panels, panel)
	}
	return chart.Recovery(panels)
}

// recoveredDraws draws the parameters of which a layout drew more than one value, but for binary ones, which have a table.
func (m *Material) recoveredDraws() chart.Figure {
	var panels []chart.RecoveryPanel
	for _, r := range m.Scores.Drawn {
		if r.N < 2 || r.Binary != nil {
			continue
		}
		ends := [2]float64{math.Inf(1), math.Inf(-1)}
		panel := chart.RecoveryPanel{Name: r.Parameter, RMSE: r.RMSE, Ends: &ends}
		for _, x := range m.Scores.Simulated {
			if x.Parameter == r.Parameter {
				panel.Truth = append(panel.Truth, x.Value)
				panel.Post = append(panel.Post, chart.Estimate{Label: x.Name, Mean: x.Shown(), Q5: x.Q5, Q25: x.Q25, Q75: x.Q75, Q95: x.Q95})
				ends[0], ends[1] = min(ends[0], x.Value, x.Q5), max(ends[1], x.Value, x.Q95)
			}
		}
		if ends[0] == ends[1] {
			ends[1] += cmp.Or(math.Abs(ends[0]), 1) // an axis needs a length
		}
		panels = append(panels, panel)
	}
	return chart.Recovery(panels)
}
