package figure

import (
	"fmt"
	"math"
	"slices"

	"achilles/infer"
	"achilles/render/figure/chart"
	"achilles/render/format"
	"achilles/sim/table"
)

// mostPredicted is the largest number of subjects in a figure of predictions, and mostAcross that of values of a column in its grids.
const mostPredicted, mostAcross = 40, 20

// Predicted draws a table of infer.PredictUnseen over a grid of one to three columns: for each subject, and measure if there are
// several, a curve over a column of numbers with intervals, otherwise a table of cells. With a threshold above 0, cells have + where
// the subject is safe, − where unsafe, ? where that is undecided, and curves a line. Expected responses outside [0, 1], more than three columns, 40
// subjects or 20 values of a column of a table are errors.
func Predicted(t *table.Table, columns []string, threshold float64) (chart.Figure, error) {
	if len(columns) > 3 {
		return chart.Figure{}, fmt.Errorf("a figure shows a grid over one to three columns, not %d: fix the others with --at", len(columns))
	}
	var names []string
	cells := map[string][]int{} // rows with a prediction, by subject and measure
	for i := range t.Rows {
		name := t.Value(i, "subject").Text()
		if slices.ContainsFunc(t.Columns, func(c table.Column) bool { return c.Name == "measure" }) {
			name += ", " + t.Value(i, "measure").Text()
		}
		x, ok := t.Value(i, "expected").Number()
		if !ok {
			continue
		}
		if x < 0 || x > 1 {
			return chart.Figure{}, fmt.Errorf("an expected response is %g: the figure shows those from 0 to 1", x)
		}
		if cells[name] == nil {
			names = append(names, name)
		}
		cells[name] = append(cells[name], i)
	}
	if len(names) > mostPredicted {
		return chart.Figure{}, fmt.Errorf("a figure shows at most %d subjects, not %d: choose with --where, such as 'subject == %q'", mostPredicted, len(names), names[0])
	}
	if len(columns) == 1 && t.Columns[t.Index(columns[0])].Kind == table.Number {
		return predictedCurves(t, columns[0], names, cells, threshold), nil
	}
	var bins [3][]string
	for k, name := range columns {
		for i := range t.Rows {
			if v := valueText(t.Value(i, name)); !slices.Contains(bins[k], v) {
				bins[k] = append(bins[k], v)
			}
		}
		if len(bins[k]) > mostAcross {
			return chart.Figure{}, fmt.Errorf("%s has %d values; the cells of a figure have at most %d", name, len(bins[k]), mostAcross)
		}
	}
	var grids []chart.Grid
	for _, name := range names {
		grids = append(grids, predictedGrid(t, columns, bins, name, cells[name], threshold))
	}
	scale := "expected response; below it the subject's responses there, or its interval"
	if threshold > 0 {
		scale = fmt.Sprintf("expected response; + at least %g, − less, ? undecided; below it n responses, or the interval where there are none", threshold)
	}
	return chart.GridsOf(scale, grids), nil
}

// valueText returns a value of a column of the grid as the figure writes it.
func valueText(v table.Value) string {
	if x, ok := v.Number(); ok {
		return format.Short(x)
	}
	return v.Text()
}

func number(t *table.Table, row int, column string) float64 {
	x, ok := t.Value(row, column).Number()
	if !ok {
		return math.NaN()
	}
	return x
}

func predictedCurves(t *table.Table, column string, names []string, cells map[string][]int, threshold float64) chart.Figure {
	var panels []chart.Panel
	for _, name := range names {
		expected := chart.Series{Name: "expected response with its interval"}
		for _, i := range cells[name] {
			expected.Points = append(expected.Points, chart.Point{X: number(t, i, column), Y: number(t, i, "expected"), Low: number(t, i, "low"), High: number(t, i, "high")})
		}
		slices.SortStableFunc(expected.Points, func(a, b chart.Point) int {
			if a.X < b.X {
				return -1
			}
			return 1
		})
		p := chart.Panel{Title: name, Series: []chart.Series{expected}}
		if n := len(expected.Points); threshold > 0 {
			line := chart.Series{Name: fmt.Sprintf("safe from %g", threshold)}
			for _, x := range []float64{expected.Points[0].X, expected.Points[n-1].X} {
				line.Points = append(line.Points, chart.Point{X: x, Y: threshold, Low: math.NaN(), High: math.NaN()})
			}
			p.Series = append(p.Series, line)
		}
		panels = append(panels, p)
	}
	draw := chart.LinePanels
	if doubles(panels) {
		draw = chart.DoublingPanels
	}
	return draw(column, "expected response", panels, 3, 0, 1)
}

// doubles says whether the values at which curves are drawn are positive, extend over four doublings or more, and stand more evenly on an axis of
// doublings than on a linear one.
func doubles(panels []chart.Panel) bool {
	var xs []float64
	for _, p := range panels {
		for _, v := range p.Series[0].Points {
			xs = append(xs, v.X)
		}
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)
	n := len(xs)
	if n < 3 || !(xs[0] > 0) || xs[n-1] < 16*xs[0] {
		return false
	}
	linear, double := 0.0, 0.0 // largest gap, as a share of the axis
	for i := range xs[1:] {
		linear = max(linear, (xs[i+1]-xs[i])/(xs[n-1]-xs[0]))
		double = max(double, math.Log(xs[i+1]/xs[i])/math.Log(xs[n-1]/xs[0]))
	}
	return double < linear
}

func predictedGrid(t *table.Table, columns []string, bins [3][]string, name string, rows []int, threshold float64) chart.Grid {
	g := chart.Grid{Of: name, Down: columns[0], Rows: bins[0], Columns: bins[1]}
	switch len(columns) {
	case 1: // a single row is easier to read than a single column
		g.Down, g.Across, g.Rows, g.Columns = "", columns[0], []string{""}, bins[0]
	case 3:
		for _, b := range bins[2] {
			g.Layers = append(g.Layers, columns[2]+" "+b)
		}
		fallthrough
	default:
		g.Across = columns[1]
	}
	g.Cells = empty(max(len(g.Layers), 1), len(g.Rows), len(g.Columns))
	for _, i := range rows {
		var at [3]int
		for k, c := range columns {
			at[k] = slices.Index(bins[k], valueText(t.Value(i, c)))
		}
		if len(columns) == 1 {
			at[0], at[1] = 0, at[0]
		}
		c := chart.GridCell{N: 1, Mean: number(t, i, "expected"), Hint: fmt.Sprintf("%.0f–%.0f", 100*number(t, i, "low"), 100*number(t, i, "high"))}
		if n := number(t, i, "responses"); n > 0 {
			c.Hint = fmt.Sprintf("n=%.0f", n)
		}
		if threshold > 0 {
			c.Mark = map[string]string{infer.Safe: "+", infer.Unsafe: "−", infer.Undecided: "?"}[t.Value(i, "judgement").Text()]
		}
		g.Cells[at[2]][at[0]][at[1]] = c
	}
	return g
}
