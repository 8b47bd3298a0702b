package figure

import (
	"maps"
	"math"
	"path/filepath"
	"slices"

	"achilles/render/figure/chart"
)

// Orders draws the RMSE over all capabilities against the number of items that a subject takes. Results in one folder are
// one line with its name, such as random for random/60 and random/120; those with the same number of items, such as of
// several seeds, are one point. Results in which everybody took all items are a level line: in expectation no order of fewer
// items has a smaller error. If a result has no graded recovery, the error names the first such result.
func Orders(ms []*Material) (chart.Figure, error) {
	at, all := map[string]map[float64]*squares{}, &squares{}
	low, high := math.Inf(1), 0.0
	for _, m := range ms {
		if err := graded(m); err != nil {
			return chart.Figure{}, err
		}
		x, name := taken(m.Public), filepath.Base(filepath.Dir(filepath.Clean(m.Dir)))
		low, high = min(low, x), max(high, x)
		if x == float64(m.Public.Items.Len()) {
			all.add(m)
			continue
		}
		if at[name] == nil {
			at[name] = map[float64]*squares{}
		}
		if at[name][x] == nil {
			at[name][x] = &squares{}
		}
		at[name][x].add(m)
	}
	var series []chart.Series
	top := 0.0
	for _, name := range slices.Sorted(maps.Keys(at)) {
		one := chart.Series{Name: name}
		for _, x := range slices.Sorted(maps.Keys(at[name])) {
			one.Points = append(one.Points, bare(x, at[name][x].rms()))
			top = max(top, at[name][x].rms())
		}
		series = append(series, one)
	}
	if all.n > 0 {
		series = append(series, chart.Series{Name: "all items", Points: []chart.Point{bare(low, all.rms()), bare(high, all.rms())}})
		top = max(top, all.rms())
	}
	return chart.Lines("items", "RMSE, fraction of the maximum", series, 0, 1.05*top), nil
}

// bare returns a point without an interval.
func bare(x, y float64) chart.Point {
	return chart.Point{X: x, Y: y, Low: math.NaN(), High: math.NaN()}
}

// squares has a sum of squared errors, and their number.
type squares struct{ sum, n float64 }

// add adds the errors of all capabilities of a result.
func (s *squares) add(m *Material) {
	for _, name := range m.Scores.Parameters() {
		if r, ok := m.Scores.Recovery["overall"][name]; ok {
			s.sum += float64(float64(r.N) * r.RMSE * r.RMSE)
			s.n += float64(r.N)
		}
	}
}

func (s *squares) rms() float64 { return math.Sqrt(s.sum / s.n) }
