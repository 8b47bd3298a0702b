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
	"achilles/scenarios/score"
)

// Analysis returns the report of an analysis.
func Analysis(m *figure.Material) *Page {
	d := m.Analysis
	p := &Page{Title: "Analysis: " + m.Name, Command: "achilles report " + format.Quote(m.Dir), Docs: "docs/reference/analysis.md and docs/guide/report.md explain every number."}
	p.Lead = fmt.Sprintf("What the success of %d subjects on %d items depends on: %d responses, success rate %s.", d.Subjects, d.Items, d.Responses, format.Number(d.SuccessRate, 3))
	for _, w := range d.Warnings {
		p.Doubts = append(p.Doubts, score.Doubt{About: w.About, Text: w.Message})
	}
	p.lead(m)
	p.add(section{ID: "correlations", Title: "Correlations", Tables: tables(correlationTable(d), matrixTable(d)),
		Text: []string{"What goes with success. Fisher's interval takes responses as independent; the other resamples subjects, and is the honest one where there are twenty or more. Conformance is minus the rank correlation of the values of a feature and the mean success at each: 1 where success falls from every value to the next."}})
	p.add(section{ID: "curves", Title: "Curves", Figures: figures(m, figure.SectionCurves), Text: []string{"Characteristic curves: success by each feature alone."}})
	p.add(section{ID: "grids", Title: "Grids", Figures: figures(m, figure.SectionGrids),
		Text: []string{"Agent characteristic grids: where in the space of features there is competence, incompetence, or too little evidence."}})
	p.add(section{ID: "competence", Title: "Competence", Tables: tables(regionTable(d), nextTable(d)),
		Text: []string{"Neighbouring cells with one verdict, over the grid of capability, and where one more trial would tell most."}})
	p.add(section{ID: "capability", Title: "Capability", Tables: tables(capabilityTable(d)), Text: capabilityText(d)})
	p.add(section{ID: "robustness", Title: "Robustness", Tables: tables(robustnessTable(d)),
		Text: []string{"One minus the mean, over cells, of the largest difference of success between the values of a feature that ought not to matter; beside it what chance alone makes."}})
	p.add(section{ID: "prediction", Title: "Prediction", Tables: tables(predictionModels(d)), Figures: figures(m, figure.SectionModels),
		Text: []string{"How well success is predicted by models fitted to the same training parts, from the success rate of all to measurement layouts."}})
	p.add(section{ID: "scores", Title: "Scores", Tables: tables(scoreTable("", d.Tables.Scores)),
		Text: []string{"The numbers by which papers compare models: mean over the splits and standard deviation between them, with published numbers beneath."}})
	p.add(section{ID: "new", Title: "New subjects and items", Tables: tables(newTables(d)...),
		Text: []string{"The same scores where no response of the tested subjects, none to the tested items, or neither was seen in training. Models that know items only by their responses then fall back on means; those with features need not."}})
	p.add(section{ID: "short-forms", Title: "Short forms", Tables: tables(shortFormTable(d)),
		Text: []string{"How well the total of a new subject, or of a whole new family of subjects, is predicted from a few items, chosen by what they tell of the total on the other subjects, or drawn at random."}})
	p.add(section{ID: "abilities", Title: "Abilities", Tables: tables(agreementTable(d), misfitTable(d)), Figures: figures(m, figure.SectionAbilities),
		Text: []string{"What models that give subjects an ability and items parameters say, fitted to all responses."}})
	p.add(section{ID: "shifts", Title: "Shifts", Tables: tables(shiftTable(d)), Figures: figures(m, figure.SectionShifts),
		Text: []string{"Trained on easy items, tested on hard ones. A model that knows only how often a subject has succeeded promises too much: its bias is the drop in success."}})
	p.add(section{ID: "run", Title: "What was run", Facts: analysisFacts(m)})
	return p
}

func analysisFacts(m *figure.Material) []fact {
	d := m.Analysis
	out := []fact{{"Measure", d.Measure, false},
		{"Data", fmt.Sprintf("%d subjects × %d items, %d responses; success rate %s", d.Subjects, d.Items, d.Responses, format.Number(d.SuccessRate, 4)), false}}
	for _, role := range []string{"relevant", "irrelevant", "other"} {
		var names []string
		for _, f := range d.Features {
			if f.Role == role {
				names = append(names, fmt.Sprintf("%s (%d bins: %s)", f.Name, len(f.Bins), f.Binning))
			}
		}
		if names != nil {
			out = append(out, fact{strings.ToUpper(role[:1]) + role[1:] + " features", strings.Join(names, ", "), false})
		}
	}
	return append(out, fact{"Settings", fmt.Sprintf("intervals at %g %%, %d bootstrap replicates, %d permutations; competence: a success rate above %g with probability %g",
		100*d.Settings.Level, d.Settings.Replicates, d.Settings.Permutations, d.Settings.Threshold, d.Settings.Confidence), true})
}

// estimate returns the cell that the function number returns, with the interval below x if both ends are known.
func estimate(x float64, i chargrid.Interval, decimals int) tableCell {
	c := number(x, decimals)
	if c.Value != nil && !math.IsNaN(i.Low) && !math.IsNaN(i.High) {
		c.Below = []string{between(i.Low, i.High, decimals)}
	}
	return c
}

// bySubjects returns a cell with the bootstrap interval over subjects. The table sorts the cell by the estimate.
func bySubjects(e chargrid.Estimate) tableCell {
	if math.IsNaN(e.Cluster.Low) || math.IsNaN(e.Cluster.High) {
		return tableCell{}
	}
	return tableCell{Text: between(e.Cluster.Low, e.Cluster.High, 3), Value: number(e.Value, 3).Value}
}

// reasoned returns a cell with the name of a feature. If reason is not empty, it says why numbers are missing, and
// becomes a note of the table.
func (t *table) reasoned(feature, reason string) tableCell {
	c := text(feature)
	if reason != "" {
		t.mark(&c, feature+": "+reason)
	}
	return c
}

func correlationTable(d *analysis.Document) table {
	t := table{Head: append([]column{{Name: "feature"}, {Name: "set"}}, numbers("responses", "values", "Spearman, Fisher", "by subjects", "Pearson, Fisher", "by subjects", "conformance", "slope")...)}
	for _, r := range d.Tables.Correlations {
		t.Rows = append(t.Rows, tableRow{Cells: []tableCell{t.reasoned(r.Feature, r.Reason), text(r.Set), number(r.Responses, 0), count(r.Levels),
			estimate(r.Spearman.Value, r.Spearman.Fisher, 3), bySubjects(r.Spearman), estimate(r.Pearson.Value, r.Pearson.Fisher, 3), bySubjects(r.Pearson),
			estimate(r.Conformance.Value, r.Conformance.Cluster, 2), estimate(r.Line.Slope.Value, r.Line.Slope.Cluster, 3)}})
	}
	return t
}

// matrixTable returns the lower triangle of the matrix of rank correlations.
func matrixTable(d *analysis.Document) table {
	var rows, columns []string
	for _, r := range d.Tables.Matrix {
		if !slices.Contains(rows, r.A) {
			rows = append(rows, r.A)
		}
		if !slices.Contains(columns, r.B) {
			columns = append(columns, r.B)
		}
	}
	t := table{Title: "Rank correlations between features and success", Head: append([]column{{Name: ""}}, numbers(columns...)...)}
	for _, name := range rows {
		cells := make([]tableCell, len(t.Head))
		cells[0] = text(name)
		for _, r := range d.Tables.Matrix {
			if r.A == name {
				cells[1+slices.Index(columns, r.B)] = number(r.Spearman, 3)
			}
		}
		t.Rows = append(t.Rows, tableRow{Cells: cells})
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

func capabilityTable(d *analysis.Document) table {
	t := table{Head: append([]column{{Name: "subject"}}, numbers(append([]string{"responses", "success rate"}, d.Tables.Spaces...)...)...)}
	for _, r := range d.Tables.Capability {
		row := []tableCell{text(r.Subject), count(r.Responses), number(r.SuccessRate, 3)}
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
		t.Rows = append(t.Rows, tableRow{Cells: row})
	}
	t.Foot = []string{"± standard error."}
	return t
}

func robustnessTable(d *analysis.Document) table {
	t := table{Head: append([]column{{Name: "feature"}, {Name: "set"}}, numbers("robustness", "spread", "spread by chance", "P", "cells")...)}
	for _, r := range d.Tables.Robustness {
		t.Rows = append(t.Rows, tableRow{Cells: []tableCell{t.reasoned(r.Feature, r.Reason), text(r.Set), number(r.Value, 3), number(r.Spread, 3), number(r.Expected, 3), number(r.P, 3), count(r.Cells)}})
	}
	t.Foot = []string{"P: share of deals of the values among the trials of each cell with at least this spread."}
	return t
}

// regionTable returns the regions of sets of subjects. Regions of single subjects are only in regions.csv.
func regionTable(d *analysis.Document) table {
	t := table{Title: "Regions of neighbouring cells with one verdict", Head: append([]column{{Name: "verdict"}, {Name: "of"}}, numbers("cells", "responses", "mean")...)}
	sets := d.Sets()
	for _, r := range d.Tables.Regions {
		if slices.Contains(sets, r.Of) {
			t.Rows = append(t.Rows, tableRow{Cells: []tableCell{text(string(r.Verdict)), text(r.Of), count(r.Cells), number(r.Responses, 0), number(r.Mean, 3)}})
		}
	}
	t.Foot = []string{"Of every subject: regions.csv."}
	return t
}

func nextTable(d *analysis.Document) table {
	t := table{Title: "Cells to test next, the most telling first", Head: []column{{Name: "of"}}}
	var features []string
	if s := d.Tables.Spaces; len(s) > 0 {
		features = strings.Split(s[0], " × ")
	}
	for _, f := range features {
		t.Head = append(t.Head, column{Name: f})
	}
	t.Head = append(t.Head, numbers("items", "P(competent)", "gain")...)
	sets := d.Sets()
	for _, r := range d.Tables.Next {
		if !slices.Contains(sets, r.Of) {
			continue
		}
		row := []tableCell{text(r.Of)}
		for _, bin := range r.Bins[:len(features)] {
			row = append(row, text(bin))
		}
		t.Rows = append(t.Rows, tableRow{Cells: append(row, count(r.Items), number(r.P, 3), number(r.Gain, 3))})
	}
	t.Foot = []string{"Gain: what one more trial there is expected to take off P(1 − P). Items 0: the battery has none there. Of every subject: next.csv."}
	return t
}

// losses returns the cells of a model's row: the name of the model, and its losses. All losses except the log loss are
// in per cent.
func losses(name string, l analysis.Losses) []tableCell {
	percent := func(x *float64, i *[2]float64, decimals int) tableCell {
		if x == nil {
			return tableCell{}
		}
		c := number(100**x, decimals)
		if i != nil {
			c.Below = []string{between(100*i[0], 100*i[1], 1)}
		}
		return c
	}
	return []tableCell{{Text: name, Strong: figure.IsLayout(name)}, percent(l.Error, l.ErrorInt, 2), percent(l.MAE, l.MAEInt, 2), percent(l.MSE, l.MSEInt, 2), optional(l.LogLoss, 4), percent(l.Bias, nil, 1)}
}

const lossFoot = "Error: predictions on the wrong side of one half. MSE is the Brier score of a binary measure. Below each its interval; measurement layouts in bold."

func predictionModels(d *analysis.Document) table {
	t := table{Head: append([]column{{Name: "model"}}, numbers("error, %", "MAE, %", "MSE, %", "log loss", "bias, %")...), Foot: []string{lossFoot}}
	for _, name := range d.Models() {
		if l, ok := d.Prediction[name]; ok {
			t.Rows = append(t.Rows, tableRow{Cells: losses(name, l)})
		}
	}
	return t
}

func shiftTable(d *analysis.Document) table {
	t := table{Head: append([]column{{Name: "harder by"}, {Name: "model"}}, numbers("error, %", "MAE, %", "MSE, %", "log loss", "bias, %")...), Foot: []string{lossFoot}}
	for _, s := range d.Shifts() {
		for _, name := range d.Models() {
			if l, ok := d.Shift[s].Models[name]; ok {
				t.Rows = append(t.Rows, tableRow{Cells: append([]tableCell{text(s)}, losses(name, l)...)})
			}
		}
	}
	return t
}
