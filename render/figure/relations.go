package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/infer/analysis"
	"achilles/infer/chargrid"
	"achilles/render/figure/chart"
	"achilles/sim/num"
	"achilles/sim/record"
)

// successRate is the name of the success rate beside those of parameters.
const successRate = "success rate"

// relations returns the entries of figures that relate parameters over subjects: to each other, and to the success rate (Burden et
// al. 2023, Figure 4).
func relations(m *Material) (out []Entry) {
	names := m.Scores.Parameters()
	if len(subjects(m)) < 3 || len(names) == 0 {
		return nil
	}
	if rated(m) {
		names = append(slices.Clone(names), successRate)
	}
	if len(names) > 1 {
		out = append(out, Entry{Name: "correlations", Title: "Correlations of parameters over subjects", Section: SectionProfiles, Make: func() chart.Figure { return correlations(m, names) },
			Caption: "Pearson's correlations of posterior means, and of success rates, over the subjects. They describe these subjects: a battery that confounds demands also correlates what it measures." + apart(m)})
	}
	for i, x := range names {
		for _, y := range names[i+1:] {
			entry := Entry{Name: "plane-" + x + "-" + y, Title: y + " by " + x, Each: "PARAMETER-PARAMETER", Make: func() chart.Figure { return plane(m, x, y) },
				Caption: "Posterior means of every subject, with the equal-tailed 90 % intervals."}
			if y == successRate {
				entry.Name, entry.Each, entry.Caption = "success-"+x, "PARAMETER", "Success rate over all scored responses by posterior mean and equal-tailed 90 % interval, of every subject: subjects of one success rate may differ in a capability."
			}
			entry.Caption += apart(m)
			out = append(out, entry)
		}
	}
	return out
}

// binaryMeasure returns the index of the first binary measure of a dataset, or -1.
func binaryMeasure(d *record.Dataset) int {
	return slices.IndexFunc(d.Manifest.Measures, func(m record.Measure) bool { return m.Family == record.Binary })
}

// rated reports whether subjects have success rates.
func rated(m *Material) bool { return m.Public != nil && binaryMeasure(m.Public) >= 0 }

// along returns a point for each subject in the order of the profiles, NaN where it has none.
func along(m *Material, name string) (points []chart.Estimate) {
	if name != successRate {
		for _, p := range of(m, name) {
			points = append(points, estimate(m, p, p.Name))
		}
		return points
	}
	measure := binaryMeasure(m.Public)
	passed, n := map[string]float64{}, map[string]float64{}
	for _, r := range m.Public.Responses.All() {
		if id := m.Public.Subjects[r.Subject]; int(r.Measure) == measure && r.Unscored == 0 {
			passed[id] += r.Value
			n[id]++
		}
	}
	for _, p := range of(m, m.Scores.Parameters()[0]) {
		points = append(points, chart.Estimate{Label: p.Name, Mean: passed[p.Subject] / n[p.Subject], Q5: math.NaN(), Q95: math.NaN()})
	}
	return points
}

func plane(m *Material, x, y string) chart.Figure {
	across := map[string]chart.Estimate{}
	for _, e := range along(m, x) {
		across[e.Label] = e
	}
	var g chart.Group
	for _, e := range along(m, y) {
		if v, ok := across[e.Label]; ok && num.Finite(v.Mean) != nil && num.Finite(e.Mean) != nil {
			g.Points = append(g.Points, chart.Point{X: v.Mean, Y: e.Mean, Low: e.Q5, High: e.Q95, XLow: v.Q5, XHigh: v.Q95})
		}
	}
	return chart.Scatter(x, y, []chart.Group{g})
}

func correlations(m *Material, names []string) chart.Figure {
	values := make([]map[string]float64, len(names))
	for k, name := range names {
		values[k] = map[string]float64{}
		for _, e := range along(m, name) {
			if num.Finite(e.Mean) != nil {
				values[k][e.Label] = e.Mean
			}
		}
	}
	return correlationHeat(names, func(i, j int) float64 {
		var x, y []float64
		for _, s := range subjects(m) {
			a, there := values[i][s]
			if b, too := values[j][s]; there && too {
				x, y = append(x, a), append(y, b)
			}
		}
		return chargrid.Pearson(x, y, nil)
	})
}

// correlationHeat draws the correlations of all pairs of names.
func correlationHeat(names []string, of func(i, j int) float64) chart.Figure {
	cells := make([][]chart.Cell, len(names))
	for i := range names {
		cells[i] = make([]chart.Cell, len(names))
		for j := range names {
			r := of(i, j)
			if num.Finite(r) == nil {
				cells[i][j].Text = "–"
				continue
			}
			share := (r + 1) / 2
			cells[i][j] = chart.Cell{Share: &share, Text: strings.Replace(fmt.Sprintf("%.2f", math.Round(r*100)/100+0), "-", "−", 1)} // + 0: no −0
		}
	}
	return chart.Correlations(names, names, cells)
}

// featureMatrix draws the rank correlations of features and success that an analysis has.
func featureMatrix(a *analysis.Document) chart.Figure {
	var names []string
	value := map[[2]string]float64{}
	for _, r := range a.Tables.Matrix {
		for _, n := range []string{r.B, r.A} {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
		value[[2]string{r.A, r.B}], value[[2]string{r.B, r.A}] = r.Spearman, r.Spearman
	}
	return correlationHeat(names, func(i, j int) float64 {
		if i == j {
			return 1
		}
		v, ok := value[[2]string{names[i], names[j]}]
		if !ok {
			return math.NaN()
		}
		return v
	})
}
