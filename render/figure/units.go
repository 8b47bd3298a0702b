package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"achilles/infer"
	judging "achilles/infer/table"
	"achilles/render/figure/chart"
)

// units returns the entries of the parameters that items have, if subjects and items were measured together.
func units(m *Material) (out []Entry) {
	if m.Result == nil {
		return nil
	}
	for _, name := range itemParameters(m) {
		caption := fmt.Sprintf("Posterior mean of %s with equal-tailed 50 %% (thick) and 90 %% (thin) intervals, ordered by mean.", name)
		if n := len(unitsOf(m, name)); n > mostSubjects {
			caption += fmt.Sprintf(" %d of %d, evenly chosen.", mostSubjects, n)
		}
		if apart := judging.Apart(m.Result.Diagnostics.Findings); apart != "" {
			caption += " " + apart
		}
		out = append(out, Entry{Name: "items-" + name, Title: "Items by " + name, Section: SectionUnits, Make: func() chart.Figure { return unitForest(m, name) }, Caption: caption})
	}
	return out
}

// itemParameters returns the names of the parameters that more than one unit has.
func itemParameters(m *Material) (names []string) {
	for _, u := range m.Result.Units {
		if u.Kind != infer.SharedUnit && !slices.Contains(names, u.Parameter) {
			names = append(names, u.Parameter)
		}
	}
	return names
}

// unitsOf returns the units of a parameter, sorted by their means.
func unitsOf(m *Material, parameter string) (out []infer.Unit) {
	for _, u := range m.Result.Units {
		if u.Parameter == parameter {
			out = append(out, u)
		}
	}
	slices.SortStableFunc(out, func(a, b infer.Unit) int { return cmp.Compare(a.Shown(), b.Shown()) })
	return out
}

// unitForest draws the posteriors of a parameter of items, at most mostSubjects of them.
func unitForest(m *Material, parameter string) chart.Figure {
	all := unitsOf(m, parameter)
	n := min(len(all), mostSubjects)
	lo, hi := math.Inf(1), math.Inf(-1)
	var rows []chart.Estimate
	for i := range n {
		u := all[i*(len(all)-1)/max(n-1, 1)]
		lo, hi = min(lo, u.Q5), max(hi, u.Q95)
		rows = append(rows, chart.Estimate{Label: u.Unit, Mean: u.Shown(), Q5: u.Q5, Q25: u.Q25, Q75: u.Q75, Q95: u.Q95})
	}
	return chart.Forest(parameter, lo, hi, rows)
}
