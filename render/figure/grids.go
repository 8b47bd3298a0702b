package figure

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"achilles/infer/chargrid"
	"achilles/render/figure/chart"
)

// analysis lists the figures of an analysis.
func (m *Material) analysis() (out []Entry) {
	a := m.Analysis
	for _, set := range a.Sets() {
		name, of := "curves", ""
		if set != "all" {
			name, of = "curves-"+set, " of "+set
		}
		out = append(out, Entry{Name: name, Title: "Characteristic curves" + of, Section: Curves, Make: func() chart.Figure { return a.curves(set) },
			Caption: "The success rate at every value of a feature, all subjects of the set together, with the least-squares line and the means in the bins of the grids."})
	}
	out = append(out, a.gridEntries()...)
	if len(a.Document.Prediction) > 0 {
		out = append(out, Entry{Name: "models", Title: "Predictive models: mean squared error", Section: Models, Make: func() chart.Figure { return a.models(a.Document.Prediction) },
			Caption: "Mean over the splits, with an interval that allows for their common training rows. Of a binary measure it is the Brier score."})
	}
	shifts := a.Tables["shift"]
	for _, s := range shifts.Distinct("shift") {
		out = append(out, Entry{Name: "shift-" + s, Title: "Trained on easy items, tested on hard ones, by " + s, Section: Shifts, Make: func() chart.Figure { return a.models(a.Document.Shift[s].Models) },
			Caption: "Mean squared error on the harder items, with an interval over subjects."})
	}
	return out
}

func (a *Analysis) gridEntries() (out []Entry) {
	spaces := a.Spaces()
	if len(spaces) == 0 {
		return nil
	}
	const caption = "Success rate in each cell of the features; the colour fades and the small number falls with the number of responses. + competent, − incompetent, ? too little evidence."
	for _, set := range a.Sets() {
		name, of := "grids", "all subjects"
		if set != "all" {
			name, of = "grids-"+set, set
		}
		out = append(out, Entry{Name: name, Title: "Agent characteristic grids of " + of, Section: Grids, Caption: caption,
			Make: func() chart.Figure {
				var grids []chart.Grid
				for _, s := range spaces {
					g := a.grid(s, set)
					g.Of = s
					grids = append(grids, g)
				}
				return chart.Grids(grids)
			}})
	}
	if x, y, ok := a.alike(); ok {
		out = append(out, Entry{Name: "grids-pair", Title: x + " and " + y + ", alike in success", Section: Grids,
			Caption: "Of all pairs whose success rates differ by at most one in a hundred, the one whose cells differ most: what a single number hides. " + caption,
			Make:    func() chart.Figure { return chart.Grids([]chart.Grid{a.grid(spaces[0], x), a.grid(spaces[0], y)}) }})
	}
	subjects := a.Tables["capability"]
	for _, s := range subjects.Distinct("subject") {
		out = append(out, Entry{Name: "grid-" + s, Title: "Agent characteristic grid of " + s, Caption: caption, Make: func() chart.Figure { return chart.Grids([]chart.Grid{a.grid(spaces[0], s)}) }})
	}
	return out
}

// grid is one grid of one subject or set.
func (a *Analysis) grid(space, of string) chart.Grid {
	fs := features(space)
	bins := make([][]string, 3)
	for k := range bins {
		bins[k] = []string{""}
		if k < len(fs) {
			bins[k] = a.bins(fs[k])
		}
	}
	g := chart.Grid{Of: of, Down: fs[0], Rows: bins[0], Columns: bins[1]}
	switch len(fs) {
	case 1: // a single row reads better than a single column
		g.Down, g.Across, g.Rows, g.Columns = "", fs[0], []string{""}, bins[0]
	case 3:
		g.Across = fs[1]
		for _, b := range bins[2] {
			g.Layers = append(g.Layers, fs[2]+" "+b)
		}
	default:
		g.Across = fs[1]
	}
	g.Cells = empty(max(len(g.Layers), 1), len(g.Rows), len(g.Columns))
	t := a.Tables["cells"]
	for r := range t.Rows {
		if t.Text(r, "grid") != space || t.Text(r, "of") != of {
			continue
		}
		at := make([]int, 3)
		for k := range fs {
			at[k] = slices.Index(bins[k], t.Text(r, fmt.Sprintf("bin%d", k+1)))
		}
		if len(fs) == 1 {
			at[0], at[1] = 0, at[0]
		}
		if min(at[0], at[1], at[2]) < 0 {
			continue
		}
		g.Cells[at[2]][at[0]][at[1]] = chart.GridCell{N: finite(t.Number(r, "responses")), Mean: finite(t.Number(r, "mean")), Verdict: marks[t.Text(r, "verdict")]}
	}
	return trimmed(g)
}

// empty is a grid without responses.
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

var marks = map[string]string{string(chargrid.Competent): "+", string(chargrid.Incompetent): "−", string(chargrid.Undecided): "?"}

// trimmed leaves out layers that nobody was tested in.
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

// alike finds the two subjects of nearly the same success rate whose cells differ most: the sum over cells of the squared
// difference of success, weighted by the smaller number of responses.
func (a *Analysis) alike() (x, y string, ok bool) {
	spaces := a.Spaces()
	type subject struct {
		name string
		rate float64
		n, m map[string]float64
	}
	var all []subject
	index := map[string]int{}
	capability := a.Tables["capability"]
	for i := range capability.Rows {
		s := subject{capability.Text(i, "subject"), capability.Number(i, "success_rate"), map[string]float64{}, map[string]float64{}}
		index[s.name] = i
		all = append(all, s)
	}
	cells := a.Tables["cells"]
	for i := range cells.Rows {
		k, known := index[cells.Text(i, "of")]
		if n := cells.Number(i, "responses"); known && n > 0 && cells.Text(i, "grid") == spaces[0] {
			all[k].n[cells.Text(i, "cell")], all[k].m[cells.Text(i, "cell")] = n, cells.Number(i, "mean")
		}
	}
	slices.SortStableFunc(all, func(a, b subject) int { return cmp.Compare(a.rate, b.rate) })
	best := 0.0
	for i := range all {
		for j := i + 1; j < len(all) && j < i+200 && all[j].rate-all[i].rate <= 0.01; j++ {
			d := 0.0
			for _, c := range slices.Sorted(maps.Keys(all[i].n)) {
				e := all[i].m[c] - all[j].m[c]
				d += e * e * math.Min(all[i].n[c], all[j].n[c])
			}
			if d > best+1e-9 {
				best, x, y, ok = d, all[i].name, all[j].name, true
			}
		}
	}
	return x, y, ok
}

// curves are the characteristic curves of a set.
func (a *Analysis) curves(set string) chart.Figure {
	t, lines := a.Tables["curves"], a.Tables["correlations"]
	var out []chart.Curve
	for _, f := range a.Document.Features {
		q := chart.Curve{Feature: f.Name, Intercept: math.NaN(), Slope: math.NaN()}
		for i := range t.Rows {
			if t.Text(i, "set") != set || t.Text(i, "feature") != f.Name || finite(t.Number(i, "responses")) == 0 {
				continue
			}
			p := chart.Point{X: t.Number(i, "value"), Y: t.Number(i, "mean"), Low: t.Number(i, "low"), High: t.Number(i, "high"), Weight: t.Number(i, "responses")}
			switch {
			case f.Kind == "text": // every label is a bin
				p.X = float64(len(q.Labels))
				q.Labels = append(q.Labels, t.Text(i, "label"))
				q.Values = append(q.Values, p)
			case t.Text(i, "kind") == "value":
				q.Values = append(q.Values, p)
			case !math.IsNaN(p.X):
				q.Bins = append(q.Bins, p)
			}
		}
		for i := range lines.Rows {
			if lines.Text(i, "set") == set && lines.Text(i, "feature") == f.Name {
				q.Intercept, q.Slope = lines.Number(i, "intercept"), lines.Number(i, "slope")
			}
		}
		if len(q.Labels) > mostLabels || len(q.Values) == 0 {
			continue
		}
		if len(q.Values) <= len(q.Bins) { // every value is a bin of its own
			q.Bins = nil
		}
		out = append(out, q)
	}
	return chart.Curves(out)
}

// mostLabels is the number of labels of a feature from which its curve is no picture any more.
const mostLabels = 12

// models draws the mean squared errors, in the order of the files.
func (a *Analysis) models(losses map[string]Losses) chart.Figure {
	var out []chart.Model
	names, layouts := a.Models()
	for i, name := range names {
		l, ok := losses[name]
		if !ok || l.MSE == nil {
			continue
		}
		m := chart.Model{Label: name, Value: *l.MSE, Low: math.NaN(), High: math.NaN(), Ours: layouts[i]}
		if l.MSEInterval != nil {
			m.Low, m.High = l.MSEInterval[0], l.MSEInterval[1]
		}
		out = append(out, m)
	}
	return chart.Models("mean squared error", out)
}
