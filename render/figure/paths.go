package figure

import (
	"achilles/render/figure/chart"
)

// paths returns the entry of the errors of predicted paths.
func paths(m *Material) []Entry {
	if len(m.Scores.Paths) == 0 {
		return nil
	}
	return []Entry{{Name: "paths", Title: "Predicted against actual paths, by paradigm", Section: SectionPaths, Make: m.pathErrors,
		Caption: "RMSE, in cells, between actual and profile-predicted paths on held-out episodes, with 95 % interval over subjects, and baselines that ignore the subject."}}
}

func (m *Material) pathErrors() chart.Figure {
	var rows []chart.Comparison
	for _, name := range m.Scores.PathNames() {
		s := m.Scores.Paths[name]
		r := chart.Comparison{Label: name, Values: []float64{s.RMSE, s.Pooled, s.Direct, s.Still}}
		if s.Interval != nil {
			r.Low, r.High = s.Interval[0], s.Interval[1]
		}
		rows = append(rows, r)
	}
	return chart.Compare("RMSE, cells", []string{"from the subject's profile", "from the group profile", "shortest way to the reward", "staying put"}, rows)
}
