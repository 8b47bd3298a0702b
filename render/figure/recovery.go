package figure

import "achilles/render/figure/chart"

func (m *Material) recovery() []Entry {
	if len(m.Scores.Recovery["overall"]) == 0 {
		return nil
	}
	return []Entry{{Name: "recovery", Title: "Recovery: posterior against truth", Section: SectionRecovery, Make: m.recovered,
		Caption: "Posterior mean with its 90 % interval against the sealed truth, both as shares of the capability's maximum; points on the diagonal were recovered. Counts: truths within the central 50 % and 90 %, of those that are not at a bound, where no central interval can hold them. Equal truths stand side by side."}}
}

func (m *Material) recovered() chart.Figure {
	var panels []chart.RecoveryPanel
	for _, name := range m.Scores.Parameters() {
		r, ok := m.Scores.Recovery["overall"][name]
		if !ok {
			continue
		}
		panel := chart.RecoveryPanel{Name: name, RMSE: r.RMSE}
		for _, p := range m.of(name) {
			if p.Truth != nil {
				panel.Truth = append(panel.Truth, *p.Truth/p.Scale)
				panel.Stacked = panel.Stacked || p.Stacked != nil
				panel.Post = append(panel.Post, scaled(m.estimate(p, p.Name), 0, p.Scale))
			}
		}
		panels = append(panels, panel)
	}
	return chart.Recovery(panels)
}
