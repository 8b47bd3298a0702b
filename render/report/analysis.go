package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"achilles/infer/analysis"
	"achilles/render/figure"
	"achilles/render/format"
	"achilles/render/tabular"
	"achilles/scenarios/score"
	"achilles/sim/expr"
	"achilles/sim/num"
	grid "achilles/sim/table"
)

// Analysis returns the report of an analysis.
func Analysis(m *figure.Material) *Page {
	d := m.Analysis
	p := &Page{Title: "Analysis: " + m.Name, Command: "achilles report " + expr.Quote(m.Dir), Docs: "docs/reference/analysis.md and docs/guide/report.md explain every number."}
	p.Lead = fmt.Sprintf("Predictors of success: %s, %s, %s, success rate %s.", num.Counted(d.Subjects, "subject"), num.Counted(d.Items, "item"), num.Counted(d.Responses, "response"), format.Number(d.SuccessRate, 3))
	if head := d.Headline(); head != "" {
		p.Lead += " " + head
	}
	for _, w := range d.Warnings {
		p.Doubts = append(p.Doubts, score.Doubt{About: w.About, Text: w.Message})
	}
	p.lead(m)
	random, shifted := d.Losses()
	// part adds a section of tables that have rows, and figures. What is folded stands behind a nil table.
	part := func(id, title, of, text string, tables ...*grid.Table) {
		out := section{ID: id, Title: title, Text: []string{text}}
		after := slices.Index(append(tables, nil), nil)
		out.Blocks = pageTables(tables[:after]...)
		for _, t := range tables[min(after+1, len(tables)):] {
			if len(t.Rows) > 0 {
				out.More.add(t, nil)
			}
		}
		p.figures(&out, m, of)
		p.add(out)
	}
	part("correlations", "Correlations", "", "Correlations of item features with success.", d.Table("correlations"), nil, d.Table("matrix"))
	part("curves", "Curves", figure.SectionCurves, "Characteristic curves: success by each feature alone.")
	part("grids", "Grids", figure.SectionGrids, "Agent characteristic grids: where in the space of features there is competence, incompetence, or too little evidence.")
	part("competence", "Competence", "", "Neighbouring cells of the capability grid with the same classification, and where one more trial would be most informative.", nil, d.Regions(), d.Next())
	p.add(section{ID: "capability", Title: "Capability", Blocks: pageTables(d.Table("capability")), Text: capabilityText(d)})
	part("robustness", "Robustness", "", "Robustness: how little success varies with features declared irrelevant.", nil, d.Table("robustness"))
	part("prediction", "Prediction", figure.SectionModels, "Predictive accuracy of models fitted to the same training responses, from the overall success rate to measurement layouts.", random)
	part("scores", "Scores", "", "Standard scores for model comparison: mean ± SD over splits, with published values below.", nil, d.Table("scores"))
	part("intervals", "Intervals", "", "Intervals of predictions: how many contain the truth, and how wide they are.", d.Table("intervals"))
	part("new", "New subjects and items", "", "The same scores with the test subjects, the test items, or both excluded from training. Models without item features then fall back on means.", append([]*grid.Table{nil}, d.NewScores()...)...)
	part("short-forms", "Short forms", "", "How well the total of a new subject, or of a whole new family of subjects, is predicted from a few items, chosen by how well they predict the total on the other subjects, drawn at random, or (adaptive) chosen one after the other by the responses of the new subject.", d.Table("short_forms"))
	part("abilities", "Abilities", figure.SectionAbilities, "Subject abilities and item parameters from models fitted to all responses.", d.Table("agreement"), d.Table("consistency"), nil, d.Misfits())
	part("shifts", "Shifts", figure.SectionShifts, "Trained on easy items, tested on hard ones. A model that knows only the subject's success rate overpredicts: its bias is the drop in success.", shifted)
	p.add(section{ID: "run", Title: "What was run", Facts: analysisFacts(m)})
	return p
}

// pageTables returns the tables that have rows, as the page shows them.
func pageTables(ts ...*grid.Table) (out []template.HTML) {
	for _, t := range ts {
		if len(t.Rows) > 0 {
			out = append(out, tabular.HTML(t, t.Name, nil))
		}
	}
	return out
}

func analysisFacts(m *figure.Material) []fact {
	d := m.Analysis
	out := []fact{{"Measure", d.Measure, false},
		{"Data", fmt.Sprintf("%s × %s, %s; success rate %s", num.Counted(d.Subjects, "subject"), num.Counted(d.Items, "item"), num.Counted(d.Responses, "response"), format.Number(d.SuccessRate, 4)), false}}
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

func capabilityText(d *analysis.Document) []string {
	out := []string{"The mean, over the cells that have a response, of the success rate in the cell, each cell counting the same. A subject that was never tested in a hard cell looks as capable as one that was and passed: compare the number of cells."}
	if d.Capability != nil && d.Correlation != nil {
		s := fmt.Sprintf("Over %s, with responses in %d of %d cells, its correlation with the success rate is %s", d.Capability.Space, d.Capability.UsedCells, d.Capability.Cells, format.Number(*d.Correlation, 3))
		if i := d.Capability.Fisher; i != nil {
			s += fmt.Sprintf(" [%s, %s]", format.Number(i[0], 3), format.Number(i[1], 3))
		}
		out = append(out, s+" across subjects.")
	}
	return out
}
