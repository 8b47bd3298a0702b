package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/infer/analysis"
	"achilles/infer/chargrid"
	"achilles/render/figure"
	"achilles/render/format"
)

// Analysis makes the report of the directory of an analysis.
func Analysis(m *figure.Material) *Page {
	d := m.Analysis
	p := &Page{Title: "Analysis: " + m.Name, Command: "achilles report " + figure.Quote(m.Dir), Docs: "docs/reference/analysis.md and docs/guide/report.md explain every number."}
	p.Lead = fmt.Sprintf("What the success of %d subjects on %d items depends on: %d responses, success rate %s.", d.Subjects, d.Items, d.Responses, format.Number(d.SuccessRate, 3))
	for _, w := range d.Warnings {
		p.Warnings = append(p.Warnings, Warning{w.About, w.Message})
	}
	p.Facts = analysisFacts(m)
	p.add(Section{ID: "correlations", Title: "Correlations", Tables: tables(correlationTable(d), matrixTable(d)),
		Text: []string{"What goes with success. Fisher's interval takes responses as independent; the other resamples subjects, and is the honest one where there are twenty or more. Conformance is minus the rank correlation of the values of a feature and the mean success at each: 1 where success falls from every value to the next."}})
	p.add(Section{ID: "curves", Title: "Curves", Figures: figures(m, figure.Curves), Wide: true, Text: []string{"Characteristic curves: success by each feature alone."}})
	p.add(Section{ID: "grids", Title: "Grids", Figures: figures(m, figure.Grids), Wide: true,
		Text: []string{"Agent characteristic grids: where in the space of features there is competence, incompetence, or too little evidence."}})
	p.add(Section{ID: "competence", Title: "Competence", Tables: tables(regionTable(d), nextTable(d)),
		Text: []string{"Neighbouring cells with one verdict, over the grid of capability, and where one more trial would tell most."}})
	p.add(Section{ID: "capability", Title: "Capability", Tables: tables(capabilityTable(d)), Text: capabilityText(d)})
	p.add(Section{ID: "robustness", Title: "Robustness", Tables: tables(robustnessTable(d)),
		Text: []string{"One minus the mean, over cells, of the largest difference of success between the values of a feature that ought not to matter; beside it what chance alone makes."}})
	p.add(Section{ID: "prediction", Title: "Prediction", Tables: tables(predictionModels(d)), Figures: figures(m, figure.Models), Wide: true,
		Text: []string{"How well success is predicted by models fitted to the same training parts, from the success rate of all to measurement layouts."}})
	p.add(Section{ID: "shifts", Title: "Shifts", Tables: tables(shiftTable(d)), Figures: figures(m, figure.Shifts),
		Text: []string{"Trained on easy items, tested on hard ones. A model that knows only how often a subject has succeeded promises too much: its bias is the drop in success."}})
	return p
}

func analysisFacts(m *figure.Material) []Fact {
	d := m.Analysis
	out := []Fact{{"Measure", d.Measure},
		{"Data", fmt.Sprintf("%d subjects × %d items, %d responses; success rate %s", d.Subjects, d.Items, d.Responses, format.Number(d.SuccessRate, 4))}}
	for _, role := range []string{"relevant", "irrelevant", "other"} {
		var names []string
		for _, f := range d.Features {
			if f.Role == role {
				names = append(names, fmt.Sprintf("%s (%d bins: %s)", f.Name, len(f.Bins), f.Binning))
			}
		}
		if names != nil {
			out = append(out, Fact{strings.ToUpper(role[:1]) + role[1:] + " features", strings.Join(names, ", ")})
		}
	}
	return append(out, Fact{"Settings", fmt.Sprintf("intervals at %g %%, %d bootstrap replicates, %d permutations; competence: a success rate above %g with probability %g",
		100*d.Settings.Level, d.Settings.Replicates, d.Settings.Permutations, d.Settings.Threshold, d.Settings.Confidence)})
}

// estimate is a number with its interval below, where there is one.
func estimate(x float64, i chargrid.Interval, decimals int) Cell {
	c := number(x, decimals)
	if c.Value != nil && !math.IsNaN(i.Low) && !math.IsNaN(i.High) {
		c.Below = []string{between(i.Low, i.High, decimals)}
	}
	return c
}

// bySubjects is the interval by the bootstrap over subjects, sorted by the estimate.
func bySubjects(e chargrid.Estimate) Cell {
	if math.IsNaN(e.Cluster.Low) || math.IsNaN(e.Cluster.High) {
		return Cell{}
	}
	return Cell{Text: between(e.Cluster.Low, e.Cluster.High, 3), Value: number(e.Value, 3).Value}
}

// reasoned is the name of a feature, with a note where its numbers are missing for a reason.
func (t *Table) reasoned(feature, reason string) Cell {
	c := text(feature)
	if reason != "" {
		t.mark(&c, feature+": "+reason)
	}
	return c
}

func correlationTable(d *analysis.Document) Table {
	t := Table{Head: append([]Column{{Name: "feature"}, {Name: "set"}}, numbers("responses", "values", "Spearman, Fisher", "by subjects", "Pearson, Fisher", "by subjects", "conformance", "slope")...)}
	for _, r := range d.Tables.Correlations {
		t.Rows = append(t.Rows, Row{Cells: []Cell{t.reasoned(r.Feature, r.Reason), text(r.Set), number(r.Responses, 0), count(r.Levels),
			estimate(r.Spearman.Value, r.Spearman.Fisher, 3), bySubjects(r.Spearman), estimate(r.Pearson.Value, r.Pearson.Fisher, 3), bySubjects(r.Pearson),
			estimate(r.Conformance.Value, r.Conformance.Cluster, 2), estimate(r.Line.Slope.Value, r.Line.Slope.Cluster, 3)}})
	}
	return t
}

// matrixTable is the lower triangle of rank correlations.
func matrixTable(d *analysis.Document) Table {
	var rows, columns []string
	for _, r := range d.Tables.Matrix {
		if !slices.Contains(rows, r.A) {
			rows = append(rows, r.A)
		}
		if !slices.Contains(columns, r.B) {
			columns = append(columns, r.B)
		}
	}
	t := Table{Title: "Rank correlations between features and success", Head: append([]Column{{Name: ""}}, numbers(columns...)...)}
	for _, name := range rows {
		cells := make([]Cell, len(t.Head))
		cells[0] = text(name)
		for _, r := range d.Tables.Matrix {
			if r.A == name {
				cells[1+slices.Index(columns, r.B)] = number(r.Spearman, 3)
			}
		}
		t.Rows = append(t.Rows, Row{Cells: cells})
	}
	return t
}

func capabilityText(d *analysis.Document) []string {
	out := []string{"The mean, over the cells that have a response, of the success rate in the cell, each cell counting the same. A subject that was never tested in a hard cell looks as capable as one that was and passed: compare the number of cells."}
	if d.Capability != nil && d.Correlation != nil {
		s := fmt.Sprintf("Over %s, with responses in %d of %d cells, its correlation with the success rate is %s", d.Capability.Space, d.Capability.UsedCells, d.Capability.Cells, format.Number(*d.Correlation, 3))
		if i := d.Capability.Fisher; i != nil {
			s += " " + between(i[0], i[1], 3)
		}
		out = append(out, s+" across subjects.")
	}
	return out
}

func capabilityTable(d *analysis.Document) Table {
	t := Table{Head: append([]Column{{Name: "subject"}}, numbers(append([]string{"responses", "success rate"}, d.Tables.Spaces...)...)...)}
	for _, r := range d.Tables.Capability {
		row := []Cell{text(r.Subject), count(r.Responses), number(r.SuccessRate, 3)}
		for _, s := range r.Spaces {
			c := number(s.Capability, 3)
			if c.Value != nil {
				if !math.IsNaN(s.SE) {
					c.Text += " ±" + format.Number(s.SE, 3)
				}
				c.Below = []string{fmt.Sprint(s.Cells, " cells")}
			}
			row = append(row, c)
		}
		t.Rows = append(t.Rows, Row{Cells: row})
	}
	t.Foot = []string{"± standard error."}
	return t
}

func robustnessTable(d *analysis.Document) Table {
	t := Table{Head: append([]Column{{Name: "feature"}, {Name: "set"}}, numbers("robustness", "spread", "spread by chance", "P", "cells")...)}
	for _, r := range d.Tables.Robustness {
		t.Rows = append(t.Rows, Row{Cells: []Cell{t.reasoned(r.Feature, r.Reason), text(r.Set), number(r.Value, 3), number(r.Spread, 3), number(r.Expected, 3), number(r.P, 3), count(r.Cells)}})
	}
	t.Foot = []string{"P: share of deals of the values among the trials of each cell with at least this spread."}
	return t
}

// regionTable has the regions of everybody and of the groups; those of subjects are in regions.csv.
func regionTable(d *analysis.Document) Table {
	t := Table{Title: "Regions of neighbouring cells with one verdict", Head: append([]Column{{Name: "verdict"}, {Name: "of"}}, numbers("cells", "responses", "mean")...)}
	sets := d.Sets()
	for _, r := range d.Tables.Regions {
		if slices.Contains(sets, r.Of) {
			t.Rows = append(t.Rows, Row{Cells: []Cell{text(string(r.Verdict)), text(r.Of), count(r.Cells), number(r.Responses, 0), number(r.Mean, 3)}})
		}
	}
	t.Foot = []string{"Of every subject: regions.csv."}
	return t
}

func nextTable(d *analysis.Document) Table {
	t := Table{Title: "Cells to test next, the most telling first", Head: []Column{{Name: "of"}}}
	var features []string
	if s := d.Tables.Spaces; len(s) > 0 {
		features = strings.Split(s[0], " × ")
	}
	for _, f := range features {
		t.Head = append(t.Head, Column{Name: f})
	}
	t.Head = append(t.Head, numbers("items", "P(competent)", "gain")...)
	sets := d.Sets()
	for _, r := range d.Tables.Next {
		if !slices.Contains(sets, r.Of) {
			continue
		}
		row := []Cell{text(r.Of)}
		for _, bin := range r.Bins[:len(features)] {
			row = append(row, text(bin))
		}
		t.Rows = append(t.Rows, Row{Cells: append(row, count(r.Items), number(r.P, 3), number(r.Gain, 3))})
	}
	t.Foot = []string{"Gain: what one more trial there is expected to take off P(1 − P). Items 0: the battery has none there. Of every subject: next.csv."}
	return t
}

// losses are the cells of a model, in per cent where losses are shares.
func losses(name string, l analysis.Losses) []Cell {
	percent := func(x *float64, i *[2]float64, decimals int) Cell {
		if x == nil {
			return Cell{}
		}
		c := number(100**x, decimals)
		if i != nil {
			c.Below = []string{between(100*i[0], 100*i[1], 1)}
		}
		return c
	}
	return []Cell{{Text: name, Strong: figure.IsLayout(name)}, percent(l.Error, l.ErrorInt, 2), percent(l.MAE, l.MAEInt, 2), percent(l.MSE, l.MSEInt, 2), optional(l.LogLoss, 4), percent(l.Bias, nil, 1)}
}

const lossFoot = "Error: predictions on the wrong side of one half. MSE is the Brier score of a binary measure. Below each its interval; measurement layouts in bold."

func predictionModels(d *analysis.Document) Table {
	t := Table{Head: append([]Column{{Name: "model"}}, numbers("error, %", "MAE, %", "MSE, %", "log loss", "bias, %")...), Foot: []string{lossFoot}}
	for _, name := range d.Models() {
		if l, ok := d.Prediction[name]; ok {
			t.Rows = append(t.Rows, Row{Cells: losses(name, l)})
		}
	}
	return t
}

func shiftTable(d *analysis.Document) Table {
	t := Table{Head: append([]Column{{Name: "harder by"}, {Name: "model"}}, numbers("error, %", "MAE, %", "MSE, %", "log loss", "bias, %")...), Foot: []string{lossFoot}}
	for _, s := range d.Shifts() {
		for _, name := range d.Models() {
			if l, ok := d.Shift[s].Models[name]; ok {
				t.Rows = append(t.Rows, Row{Cells: append([]Cell{text(s)}, losses(name, l)...)})
			}
		}
	}
	return t
}
