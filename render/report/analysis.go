package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/render/figure"
	"achilles/render/format"
)

// Analysis makes the report of the directory of an analysis.
func Analysis(m *figure.Material) *Page {
	a := m.Analysis
	d := &a.Document
	p := &Page{Title: "Analysis: " + m.Name, Command: "achilles report " + figure.Quote(m.Dir), Docs: "docs/reference/analysis.md and docs/guide/report.md explain every number."}
	p.Lead = fmt.Sprintf("What the success of %d subjects on %d items depends on: %d responses, success rate %s.", d.Subjects, d.Items, d.Responses, format.Number(d.SuccessRate, 3))
	for _, w := range d.Warnings {
		p.Warnings = append(p.Warnings, Warning{w.About, w.Message})
	}
	p.Facts = analysisFacts(m)
	p.add(Section{ID: "correlations", Title: "Correlations", Tables: tables(correlationTable(a), matrixTable(a)),
		Text: []string{"What goes with success. Fisher's interval takes responses as independent; the other resamples subjects, and is the honest one where there are twenty or more. Conformance is minus the rank correlation of the values of a feature and the mean success at each: 1 where success falls from every value to the next."}})
	p.add(Section{ID: "curves", Title: "Curves", Figures: figures(m, figure.Curves), Wide: true, Text: []string{"Characteristic curves: success by each feature alone."}})
	p.add(Section{ID: "grids", Title: "Grids", Figures: figures(m, figure.Grids), Wide: true,
		Text: []string{"Agent characteristic grids: where in the space of features there is competence, incompetence, or too little evidence."}})
	p.add(Section{ID: "competence", Title: "Competence", Tables: tables(regionTable(a), nextTable(a)),
		Text: []string{"Neighbouring cells with one verdict, over the grid of capability, and where one more trial would tell most."}})
	p.add(Section{ID: "capability", Title: "Capability", Tables: tables(capabilityTable(a)), Text: capabilityText(a)})
	p.add(Section{ID: "robustness", Title: "Robustness", Tables: tables(robustnessTable(a)),
		Text: []string{"One minus the mean, over cells, of the largest difference of success between the values of a feature that ought not to matter; beside it what chance alone makes."}})
	p.add(Section{ID: "prediction", Title: "Prediction", Tables: tables(predictionModels(a)), Figures: figures(m, figure.Models), Wide: true,
		Text: []string{"How well success is predicted by models fitted to the same training parts, from the success rate of all to measurement layouts."}})
	p.add(Section{ID: "shifts", Title: "Shifts", Tables: tables(shiftTable(a)), Figures: figures(m, figure.Shifts),
		Text: []string{"Trained on easy items, tested on hard ones. A model that knows only how often a subject has succeeded promises too much: its bias is the drop in success."}})
	return p
}

func analysisFacts(m *figure.Material) []Fact {
	d := &m.Analysis.Document
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

// cell is the number in a column of a table with the interval in two others.
func cell(t *figure.Table, row int, column, low, high string, decimals int) Cell {
	c := number(t.Number(row, column), decimals)
	if l, h := t.Number(row, low), t.Number(row, high); c.Value != nil && !math.IsNaN(l) && !math.IsNaN(h) {
		c.Below = []string{between(l, h, decimals)}
	}
	return c
}

func correlationTable(a *figure.Analysis) Table {
	t := Table{Head: append([]Column{{Name: "feature"}, {Name: "set"}}, numbers("responses", "values", "Spearman, Fisher", "by subjects", "Pearson, Fisher", "by subjects", "conformance", "slope")...)}
	src := a.Tables["correlations"]
	for i := range src.Rows {
		c := text(src.Text(i, "feature"))
		if why := src.Text(i, "reason"); why != "" {
			t.mark(&c, src.Text(i, "feature")+": "+why)
		}
		by := func(what string) Cell {
			x := number(src.Number(i, what), 3)
			l, h := src.Number(i, what+"_cluster_low"), src.Number(i, what+"_cluster_high")
			if math.IsNaN(l) || math.IsNaN(h) {
				return Cell{}
			}
			return Cell{Text: between(l, h, 3), Value: x.Value}
		}
		t.Rows = append(t.Rows, Row{Cells: []Cell{c, text(src.Text(i, "set")), number(src.Number(i, "responses"), 0), number(src.Number(i, "values"), 0),
			cell(&src, i, "spearman", "spearman_fisher_low", "spearman_fisher_high", 3), by("spearman"),
			cell(&src, i, "pearson", "pearson_fisher_low", "pearson_fisher_high", 3), by("pearson"),
			cell(&src, i, "conformance", "conformance_cluster_low", "conformance_cluster_high", 2), cell(&src, i, "slope", "slope_cluster_low", "slope_cluster_high", 3)}})
	}
	return t
}

// matrixTable is the lower triangle of rank correlations.
func matrixTable(a *figure.Analysis) Table {
	src := a.Tables["matrix"]
	t := Table{Title: "Rank correlations between features and success"}
	columns := src.Distinct("b")
	t.Head = append([]Column{{Name: ""}}, numbers(columns...)...)
	for _, row := range src.Distinct("a") {
		cells := make([]Cell, len(t.Head))
		cells[0] = text(row)
		for i := range src.Rows {
			if src.Text(i, "a") == row {
				cells[1+slices.Index(columns, src.Text(i, "b"))] = number(src.Number(i, "spearman"), 3)
			}
		}
		t.Rows = append(t.Rows, Row{Cells: cells})
	}
	return t
}

func capabilityText(a *figure.Analysis) []string {
	d := &a.Document
	out := []string{"The mean, over the cells that have a response, of the success rate in the cell, each cell counting the same. A subject that was never tested in a hard cell looks as capable as one that was and passed: compare the number of cells."}
	if d.Capability != nil && d.Correlation != nil {
		s := fmt.Sprintf("Over %s, with responses in %d of %d cells, its correlation with the success rate is %s", d.Capability.Space, d.Capability.UsedCells, d.Capability.Cells, format.Number(*d.Correlation, 3))
		if i := d.Capability.Interval; i != nil {
			s += " " + between(i[0], i[1], 3)
		}
		out = append(out, s+" across subjects.")
	}
	return out
}

func capabilityTable(a *figure.Analysis) Table {
	src := a.Tables["capability"]
	spaces := a.Spaces()
	t := Table{Head: append([]Column{{Name: "subject"}}, numbers("responses", "success rate")...)}
	for _, s := range spaces {
		t.Head = append(t.Head, Column{Name: s, Number: true})
	}
	for i := range src.Rows {
		row := []Cell{text(src.Text(i, "subject")), number(src.Number(i, "responses"), 0), number(src.Number(i, "success_rate"), 3)}
		for _, s := range spaces {
			c := number(src.Number(i, s), 3)
			if c.Value != nil {
				if se := src.Number(i, s+" se"); !math.IsNaN(se) {
					c.Text += " ±" + format.Number(se, 3)
				}
				c.Below = []string{src.Text(i, s+" cells") + " cells"}
			}
			row = append(row, c)
		}
		t.Rows = append(t.Rows, Row{Cells: row})
	}
	t.Foot = []string{"± standard error."}
	return t
}

func robustnessTable(a *figure.Analysis) Table {
	src := a.Tables["robustness"]
	t := Table{Head: append([]Column{{Name: "feature"}, {Name: "set"}}, numbers("robustness", "spread", "spread by chance", "P", "cells")...)}
	for i := range src.Rows {
		c := text(src.Text(i, "feature"))
		if why := src.Text(i, "reason"); why != "" {
			t.mark(&c, src.Text(i, "feature")+": "+why)
		}
		t.Rows = append(t.Rows, Row{Cells: []Cell{c, text(src.Text(i, "set")), number(src.Number(i, "robustness"), 3), number(src.Number(i, "spread"), 3), number(src.Number(i, "spread_by_chance"), 3), number(src.Number(i, "p"), 3), number(src.Number(i, "cells"), 0)}})
	}
	t.Foot = []string{"P: share of deals of the values among the trials of each cell with at least this spread."}
	return t
}

// regionTable has the regions of everybody and of the groups; those of subjects are in regions.csv.
func regionTable(a *figure.Analysis) Table {
	src, sets := a.Tables["regions"], a.Sets()
	t := Table{Title: "Regions of neighbouring cells with one verdict", Head: append([]Column{{Name: "verdict"}, {Name: "of"}}, numbers("cells", "responses", "mean")...)}
	for i := range src.Rows {
		if slices.Contains(sets, src.Text(i, "of")) {
			t.Rows = append(t.Rows, Row{Cells: []Cell{text(src.Text(i, "verdict")), text(src.Text(i, "of")), number(src.Number(i, "cells"), 0), number(src.Number(i, "responses"), 0), number(src.Number(i, "mean"), 3)}})
		}
	}
	t.Foot = []string{"Of every subject: regions.csv."}
	return t
}

func nextTable(a *figure.Analysis) Table {
	src, sets := a.Tables["next"], a.Sets()
	t := Table{Title: "Cells to test next, the most telling first"}
	var features []string
	if s := a.Spaces(); len(s) > 0 {
		features = strings.Split(s[0], " × ")
	}
	t.Head = []Column{{Name: "of"}}
	for _, f := range features {
		t.Head = append(t.Head, Column{Name: f})
	}
	t.Head = append(t.Head, numbers("items", "P(competent)", "gain")...)
	for i := range src.Rows {
		if !slices.Contains(sets, src.Text(i, "of")) {
			continue
		}
		row := []Cell{text(src.Text(i, "of"))}
		for k := range features {
			row = append(row, text(src.Text(i, fmt.Sprintf("bin%d", k+1))))
		}
		t.Rows = append(t.Rows, Row{Cells: append(row, number(src.Number(i, "items"), 0), number(src.Number(i, "p_competent"), 3), number(src.Number(i, "gain"), 3))})
	}
	t.Foot = []string{"Gain: what one more trial there is expected to take off P(1 − P). Items 0: the battery has none there. Of every subject: next.csv."}
	return t
}

func losses(name string, l figure.Losses, layout bool) []Cell {
	interval := func(x *float64, i *[2]float64) Cell {
		c := Cell{}
		if x != nil {
			c = number(100**x, 2)
			if i != nil {
				c.Below = []string{between(100*i[0], 100*i[1], 1)}
			}
		}
		return c
	}
	bias := Cell{}
	if l.Bias != nil {
		bias = number(100**l.Bias, 1)
	}
	return []Cell{{Text: name, Strong: layout}, interval(l.Error, l.ErrorInterval), interval(l.MAE, l.MAEInterval), interval(l.MSE, l.MSEInterval), optional(l.LogLoss, 4), bias}
}

const lossFoot = "Error: predictions on the wrong side of one half. MSE is the Brier score of a binary measure. Below each its interval; measurement layouts in bold."

func predictionModels(a *figure.Analysis) Table {
	t := Table{Head: append([]Column{{Name: "model"}}, numbers("error, %", "MAE, %", "MSE, %", "log loss", "bias, %")...), Foot: []string{lossFoot}}
	names, layouts := a.Models()
	for i, name := range names {
		if l, ok := a.Document.Prediction[name]; ok {
			t.Rows = append(t.Rows, Row{Cells: losses(name, l, layouts[i])})
		}
	}
	return t
}

func shiftTable(a *figure.Analysis) Table {
	t := Table{Head: append([]Column{{Name: "harder by"}, {Name: "model"}}, numbers("error, %", "MAE, %", "MSE, %", "log loss", "bias, %")...), Foot: []string{lossFoot}}
	src := a.Tables["shift"]
	names, layouts := a.Models()
	for _, s := range src.Distinct("shift") {
		for i, name := range names {
			if l, ok := a.Document.Shift[s].Models[name]; ok {
				t.Rows = append(t.Rows, Row{Cells: append([]Cell{text(s)}, losses(name, l, layouts[i])...)})
			}
		}
	}
	return t
}
