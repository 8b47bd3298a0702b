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
		Caption: "Root mean square distance, in cells, between where a subject walked on held-out episodes and where its profile would have had it walk, with a 95 % interval over subjects, beside predictions that know nothing of the subject."}}
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
