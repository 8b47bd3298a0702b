package figure

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"achilles/infer/analysis"
	"achilles/infer/chargrid"
	"achilles/render/figure/chart"
)

// analysis returns the entries of the figures of an analysis.
func (m *Material) analysis() (out []Entry) {
	a := m.Analysis
	for _, set := range a.Sets() {
		name, of := "curves", ""
		if set != "all" {
			name, of = "curves-"+set, " of "+set
		}
		out = append(out, Entry{Name: name, Title: "Characteristic curves" + of, Section: SectionCurves, Make: func() chart.Figure { return curves(a, set) },
			Caption: "The success rate at every value of a feature, all subjects of the set together, with the least-squares line and the means in the bins of the grids."})
	}
	if len(a.Tables.Matrix) > 0 {
		out = append(out, Entry{Name: "matrix", Title: "Rank correlations between features and success", Section: SectionCurves, Make: func() chart.Figure { return featureMatrix(a) },
			Caption: "Spearman's correlations over items, or over responses with success. Features that go together cannot be distinguished by success alone."})
	}
	out = append(out, gridEntries(a)...)
	if len(a.Prediction) > 0 {
		out = append(out, Entry{Name: "models", Title: "Predictive models: mean squared error", Section: SectionModels, Make: func() chart.Figure { return models(a, a.Prediction) },
			Caption: "Mean over the splits, with an interval that allows for their common training rows. Of a binary measure it is the Brier score."})
	}
	out = append(out, subjectLosses(a)...)
	for _, s := range a.Shifts() {
		out = append(out, Entry{Name: "shift-" + s, Title: "Trained on easy items, tested on hard ones, by " + s, Section: SectionShifts, Make: func() chart.Figure { return models(a, a.Shift[s].Models) },
			Caption: "Mean squared error on the harder items, with an interval over subjects."})
	}
	return out
}

func gridEntries(a *analysis.Document) (out []Entry) {
	spaces := a.Tables.Spaces
	if len(spaces) == 0 {
		return nil
	}
	const caption = "Success rate in each cell of the features; the colour fades and the small number falls with the number of responses. + competent, − incompetent, ? too little evidence."
	for _, set := range a.Sets() {
		name, of := "grids", "all subjects"
		if set != "all" {
			name, of = "grids-"+set, set
		}
		out = append(out, Entry{Name: name, Title: "Agent characteristic grids of " + of, Section: SectionGrids, Caption: caption,
			Make: func() chart.Figure {
				var grids []chart.Grid
				for _, s := range spaces {
					g := grid(a, s, set)
					g.Of = s
					grids = append(grids, g)
				}
				return chart.Grids(grids)
			}})
	}
	if x, y, ok := alike(a); ok {
		out = append(out, Entry{Name: "grids-pair", Title: x + " and " + y + ", alike in success", Section: SectionGrids,
			Caption: "Of the pairs of subjects whose success rates differ by at most 0.01, the pair whose cells differ most. " + caption,
			Make:    func() chart.Figure { return chart.Grids([]chart.Grid{grid(a, spaces[0], x), grid(a, spaces[0], y)}) }})
	}
	for i := range a.Tables.Capability {
		s := a.Tables.Capability[i].Subject
		out = append(out, Entry{Name: "grid-" + s, Title: "Agent characteristic grid of " + s, Each: "SUBJECT", Caption: caption, Make: func() chart.Figure { return chart.Grids([]chart.Grid{grid(a, spaces[0], s)}) }})
	}
	return out
}

// bins returns the labels of the bins of a feature. It returns nil if there is no such feature.
func bins(a *analysis.Document, feature string) []string {
	for i := range a.Features {
		if a.Features[i].Name == feature {
			return a.Features[i].Bins
		}
	}
	return nil
}

// grid returns the characteristic grid of a subject or of a set of subjects, which is named of. space lists the
// features of the grid with " × " between them.
func grid(a *analysis.Document, space, of string) chart.Grid {
	fs := strings.Split(space, " × ")
	labels := [3][]string{{""}, {""}, {""}}
	for k := range fs {
		labels[k] = bins(a, fs[k])
	}
	g := chart.Grid{Of: of, Down: fs[0], Rows: labels[0], Columns: labels[1]}
	switch len(fs) {
	case 1: // a single row is easier to read than a single column
		g.Down, g.Across, g.Rows, g.Columns = "", fs[0], []string{""}, labels[0]
	case 3:
		g.Across = fs[1]
		for _, b := range labels[2] {
			g.Layers = append(g.Layers, fs[2]+" "+b)
		}
	default:
		g.Across = fs[1]
	}
	g.Cells = empty(max(len(g.Layers), 1), len(g.Rows), len(g.Columns))
	for i := range a.Tables.Cells {
		c := &a.Tables.Cells[i]
		if c.Grid != space || c.Of != of {
			continue
		}
		var at [3]int
		for k := range fs {
			at[k] = slices.Index(labels[k], c.Bins[k])
		}
		if len(fs) == 1 {
			at[0], at[1] = 0, at[0]
		}
		if min(at[0], at[1], at[2]) < 0 {
			continue
		}
		g.Cells[at[2]][at[0]][at[1]] = chart.GridCell{N: c.Responses, Mean: c.Mean, Mark: marks[c.Verdict]}
	}
	return trimmed(g)
}

// empty returns cells for a grid of the given size. The cells have no responses yet.
func empty(layers, rows, columns int) [][][]chart.GridCell {
	cells := make([][][]chart.GridCell, layers)
	for l := range cells {
		cells[l] = make([][]chart.GridCell, rows)
		for i := range cells[l] {
			cells[l][i] = make([]chart.GridCell, columns)
		}
	}
	return cells
}

var marks = map[chargrid.Decision]string{chargrid.Competent: "+", chargrid.Incompetent: "−", chargrid.Undecided: "?"}

// trimmed returns g without the layers that have no responses. If no layer has any, it returns g.
func trimmed(g chart.Grid) chart.Grid {
	var layers []string
	var cells [][][]chart.GridCell
	for l, layer := range g.Layers {
		n := 0.0
		for _, row := range g.Cells[l] {
			for _, c := range row {
				n += c.N
			}
		}
		if n > 0 {
			layers, cells = append(layers, layer), append(cells, g.Cells[l])
		}
	}
	if len(layers) > 0 {
		g.Layers, g.Cells = layers, cells
	}
	return g
}

// alike looks at the pairs of subjects whose success rates differ by at most 0.01. It sorts the subjects by success
// rate, and compares each with at most the next 199. It returns the pair x, y whose characteristic grids differ most.
// The difference of two grids is the sum, over the cells in which both subjects have responses, of the squared
// difference of the success rates times the smaller number of responses. ok is false if no pair differs.
func alike(a *analysis.Document) (x, y string, ok bool) {
	type cell struct{ n, mean float64 }
	type subject struct {
		name  string
		rate  float64
		cells map[int]cell
	}
	var all []subject
	index := map[string]int{}
	for i := range a.Tables.Capability {
		r := &a.Tables.Capability[i]
		index[r.Subject] = i
		all = append(all, subject{r.Subject, r.SuccessRate, map[int]cell{}})
	}
	for i := range a.Tables.Cells {
		c := &a.Tables.Cells[i]
		if k, known := index[c.Of]; known && c.Responses > 0 && c.Grid == a.Tables.Spaces[0] {
			all[k].cells[c.Cell] = cell{c.Responses, c.Mean}
		}
	}
	slices.SortStableFunc(all, func(a, b subject) int { return cmp.Compare(a.rate, b.rate) })
	best := 0.0
	for i := range all {
		for j := i + 1; j < len(all) && j < i+200 && all[j].rate-all[i].rate <= 0.01; j++ {
			d := 0.0
			for _, c := range slices.Sorted(maps.Keys(all[i].cells)) {
				p, q := all[i].cells[c], all[j].cells[c]
				d += (p.mean - q.mean) * (p.mean - q.mean) * math.Min(p.n, q.n)
			}
			if d > best+1e-9 {
				best, x, y, ok = d, all[i].name, all[j].name, true
			}
		}
	}
	return x, y, ok
}

// curves draws the characteristic curves of a set of subjects.
func curves(a *analysis.Document, set string) chart.Figure {
	var out []chart.Curve
	for _, f := range a.Features {
		q := chart.Curve{Feature: f.Name, Intercept: math.NaN(), Slope: math.NaN()}
		for i := range a.Tables.Curves {
			r := &a.Tables.Curves[i]
			if r.Set != set || r.Feature != f.Name || r.N == 0 {
				continue
			}
			p := chart.Point{X: r.Value, Y: r.Mean, Low: r.Low, High: r.High, Weight: r.N}
			switch {
			case f.Kind == "text": // each label of a text feature is a bin
				p.X = float64(len(q.Labels))
				q.Labels = append(q.Labels, r.Label)
				q.Values = append(q.Values, p)
			case r.Kind == "value":
				q.Values = append(q.Values, p)
			case !math.IsNaN(p.X):
				q.Bins = append(q.Bins, p)
			}
		}
		for i := range a.Tables.Correlations {
			if r := &a.Tables.Correlations[i]; r.Set == set && r.Feature == f.Name {
				q.Intercept, q.Slope = r.Line.Intercept.Value, r.Line.Slope.Value
			}
		}
		if len(q.Labels) > mostLabels || len(q.Values) == 0 {
			continue
		}
		if len(q.Values) <= len(q.Bins) { // each value is a bin and would be drawn twice
			q.Bins = nil
		}
		out = append(out, q)
	}
	return chart.Curves(out)
}

// mostLabels is the largest number of labels of a text feature whose curve is drawn.
const mostLabels = 12

// models draws the mean squared errors of models, in the order of the tables.
func models(a *analysis.Document, losses map[string]analysis.Losses) chart.Figure {
	var out []chart.ModelLoss
	for _, name := range a.Models() {
		l, ok := losses[name]
		if !ok || l.MSE == nil {
			continue
		}
		m := chart.ModelLoss{Label: name, Value: *l.MSE, Low: math.NaN(), High: math.NaN(), Ours: analysis.IsLayout(name)}
		if l.MSEInt != nil {
			m.Low, m.High = l.MSEInt[0], l.MSEInt[1]
		}
		out = append(out, m)
	}
	return chart.Models("mean squared error", out)
}
