package figure

import (
	"maps"
	"slices"

	"achilles/render/figure/chart"
	"achilles/scenarios/score"
)

// paths returns the entry of the errors of predicted paths.
func (m *Material) paths() []Entry {
	if len(m.Scores.Paths) == 0 {
		return nil
	}
	return []Entry{{Name: "paths", Title: "Predicted against actual paths, by paradigm", Section: SectionPaths, Make: m.pathErrors,
		Caption: "Root mean square distance, in cells, between where a subject walked on held-out episodes and where its profile would have had it walk, with a 95 % interval over subjects, beside predictions that know nothing of the subject."}}
}

// Paradigms returns the keys of path scores in alphabetical order, score.Overall last.
func Paradigms(scores map[string]score.PathScore) []string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(scores)), func(n string) bool { return n == score.Overall })
	if _, ok := scores[score.Overall]; ok {
		names = append(names, score.Overall)
	}
	return names
}

func (m *Material) pathErrors() chart.Figure {
	var rows []chart.Comparison
	for _, name := range Paradigms(m.Scores.Paths) {
		s := m.Scores.Paths[name]
		r := chart.Comparison{Label: name, Values: []float64{s.RMSE, s.Pooled, s.Direct, s.Still}}
		if s.Interval != nil {
			r.Low, r.High = s.Interval[0], s.Interval[1]
		}
		rows = append(rows, r)
	}
	return chart.Compare("RMSE, cells", []string{"from the subject's profile", "from the group profile", "shortest way to the reward", "staying put"}, rows)
}
