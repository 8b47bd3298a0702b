package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"achilles/render/figure/chart"
	"achilles/sim/record"
)

// Size draws the RMSE of every capability against the number of items that a subject takes, over several results. If a result has no graded
// recovery, the error names the first such result.
func Size(ms []*Material) (chart.Figure, error) {
	at := map[string][]chart.Point{}
	var names []string
	high := 0.0
	for _, m := range ms {
		if err := graded(m); err != nil {
			return chart.Figure{}, err
		}
		for _, name := range m.Scores.Parameters() {
			r, ok := m.Scores.Recovery["overall"][name]
			if !ok {
				continue
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			p := chart.Point{X: taken(m.Public), Y: r.RMSE, Low: math.NaN(), High: math.NaN()}
			high = max(high, p.Y)
			if r.Interval != nil {
				p.Low, p.High = r.Interval[0], r.Interval[1]
				high = max(high, p.High)
			}
			at[name] = append(at[name], p)
		}
	}
	var series []chart.Series
	for _, name := range names {
		slices.SortStableFunc(at[name], func(a, b chart.Point) int { return cmp.Compare(a.X, b.X) })
		series = append(series, chart.Series{Name: name, Points: at[name]})
	}
	return chart.Lines("items", "RMSE, fraction of the maximum", series, 0, 1.05*high), nil
}

// graded returns an error if the results have no graded recovery.
func graded(m *Material) error {
	if m.Scores == nil || len(m.Scores.Recovery["overall"]) == 0 || m.Public == nil {
		return fmt.Errorf("%s has no recovery that is graded", m.Dir)
	}
	return nil
}

// taken returns the mean number of items to which a subject has responses. In an adaptive battery it is less than the number
// of items.
func taken(d *record.Dataset) float64 {
	pairs, last := 0, record.Response{Subject: -1}
	for _, r := range d.Responses.All() { // sorted by subject and item
		if r.Subject != last.Subject || r.Item != last.Item {
			pairs++
		}
		last = r
	}
	return float64(pairs) / float64(max(1, len(d.Subjects)))
}
