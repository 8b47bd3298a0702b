package report

import (
	"slices"

	"achilles/render/figure"
)

// Results makes the report of a results directory, of the parts that it has.
func Results(m *figure.Material) *Page {
	p := &Page{Title: m.Name, Command: "achilles report " + figure.Quote(m.Dir), Docs: "docs/reference/scoring.md and docs/guide/report.md explain every number."}
	p.Lead = lead(m)
	p.Facts = facts(m)
	if s := m.Scores; s != nil {
		addWarnings(p, s)
		p.add(section{ID: "profiles", Title: "Profiles", Tables: tables(profileTable(s)), Figures: figures(m, figure.SectionProfiles),
			Text: []string{"What was inferred about each subject from its responses alone: posterior mean ± standard deviation, in the unit of the demand that a capability meets."}})
		p.add(section{ID: "recovery", Title: "Recovery", Tables: tables(recoveryTable(s), coverageTable(s)), Figures: figures(m, figure.SectionRecovery), Wide: true,
			Text: []string{"How far the posterior means are from the sealed truth, and how often intervals hold it."}})
		p.add(section{ID: "verdicts", Title: "Verdicts", Tables: tables(verdictTable(s), verdictWords(s), verdictGrades(s)), Figures: figures(m, figure.SectionVerdicts),
			Text: []string{"What kind of subject each is: which of a bank of rival layouts explains its responses."}})
		p.add(section{ID: "prediction", Title: "Prediction", Tables: tables(predictionTable(s)), Figures: figures(m, figure.SectionPrediction),
			Text: []string{"Forecasts of held-out responses, from a second fit without them, beside always forecasting the subject's own success rate (the aggregate)."}})
		p.add(section{ID: "paths", Title: "Paths", Tables: tables(pathTable(s)), Figures: figures(m, figure.SectionPaths),
			Text: []string{"Where subjects walked on held-out episodes, against where their profiles would have had them walk: root mean square distance over ticks, in cells."}})
		p.add(section{ID: "observers", Title: "Observers", Tables: tables(observerTable(m), publishedTable(m)), Figures: figures(m, figure.SectionObservers), Wide: true,
			Text: []string{"Whether observers are more surprised by the unexpected outcome: relative accuracy in per cent, ties half right."}})
	}
	if m.Result != nil {
		p.add(section{ID: "diagnostics", Title: "Diagnostics", Tables: tables(fitTable(m)), Figures: figures(m, figure.SectionDiagnostics), Wide: true,
			Text: []string{"How the chains of every fit ran. The figures show the profile whose chains agree least."}})
	}
	return p
}

// tables leaves out tables without rows.
func tables(ts ...table) []table {
	return slices.DeleteFunc(ts, func(t table) bool { return len(t.Rows) == 0 })
}
