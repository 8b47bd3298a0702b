package report

import (
	"html/template"
	"slices"

	"achilles/render/figure"
	"achilles/render/format"
	"achilles/render/tabular"
	"achilles/scenarios/score"
)

// Results returns the report of a results directory, from the parts that the directory has. next is the command that
// the reader should type next; it may be empty.
func Results(m *figure.Material, next string) *Page {
	p := &Page{Title: m.Name, Next: next, Command: "achilles report " + format.Quote(m.Dir), Docs: "docs/reference/scoring.md and docs/guide/report.md explain every number."}
	p.Lead = lead(m)
	if s := m.Scores; s != nil {
		p.Headline, p.Doubts = s.Headline(), s.Doubts()
		if s.Unblinded {
			p.Alarm = "Unblinded: this result was inferred after the seal had been opened."
		}
		p.lead(m)
		p.grades(m, s)
	}
	p.add(section{ID: "run", Title: "What was run", Facts: facts(m)})
	if m.Result != nil {
		p.add(section{ID: "diagnostics", Title: "Diagnostics", Tables: tables(fitTable(m)), Figures: figures(m, figure.SectionDiagnostics),
			Text: []string{"How the chains of every fit ran. The traces and ranks are of the profile whose chains agree least, the pairs of the one with the strongest correlation."}})
	}
	return p
}

// grades adds the sections about what was inferred and graded.
func (p *Page) grades(m *figure.Material, s *score.Scores) {
	watch := m.Watch()
	p.add(section{ID: "verdicts", Title: "Verdicts", Tables: tables(verdictTable(s).watched(watch), verdictWords(s), verdictGrades(s)), Figures: figures(m, figure.SectionVerdicts),
		Text: []string{"What kind of subject each is: which of a bank of rival layouts explains its responses."}})
	p.add(section{ID: "recovery", Title: "Recovery", Blocks: blocks(s, nil, "recovery"), Tables: tables(classificationTable(s), simulatedTable(s), coverageTable(s)), Figures: figures(m, figure.SectionRecovery),
		Text: []string{"How far the posterior means are from the sealed truth, and how often intervals hold it."}})
	p.add(section{ID: "profiles", Title: "Profiles", Tables: tables(profileTable(s).watched(watch)), Figures: figures(m, figure.SectionProfiles),
		Text: []string{"What was inferred about each subject from its responses alone: posterior mean ± standard deviation, in the unit of the demand that a capability meets."}})
	p.add(section{ID: "parameters", Title: "Items", Tables: tables(unitTable(m)), Figures: figures(m, figure.SectionUnits),
		Text: []string{"What was inferred about items and about everybody, together with the subjects: posterior mean ± standard deviation."}})
	p.add(section{ID: "prediction", Title: "Prediction", Blocks: blocks(s, watch, "prediction"), Tables: tables(valueTables(s)...), Figures: figures(m, figure.SectionPrediction),
		Text: []string{"Forecasts of held-out responses, from a second fit without them, beside always forecasting the subject's own success rate (the aggregate). Replicated responses are from the fit of all responses."}})
	p.add(section{ID: "ctest", Title: "C-test", Tables: tables(ctestTable(s)), Figures: figures(m, figure.SectionCTest),
		Text: []string{"Right answers, each weighted by the complexity of its series, beside what algorithmic item response theory gives. The figures are those of Chmait et al. (2017), computed anew, with ours beside them."}})
	p.add(section{ID: "collectives", Title: "Collectives", Tables: tables(collectiveTable(s)),
		Text: []string{"What groups did, as a rule decided over the actual answers of their members, beside what formulas say of members who err independently."}})
	p.add(section{ID: "paths", Title: "Paths", Tables: tables(pathTable(s).watched(m.WatchParadigms())), Figures: figures(m, figure.SectionPaths),
		Text: []string{"Where subjects walked on held-out episodes, against where their profiles would have had them walk: root mean square distance over ticks, in cells."}})
	p.add(section{ID: "observers", Title: "Observers", Tables: tables(observerTable(m).watched(m.WatchTasks()), publishedTable(m)), Figures: figures(m, figure.SectionObservers),
		Text: []string{"Whether observers are more surprised by the unexpected outcome: relative accuracy in per cent, ties half right."}})
}

// watched adds to the rows of subjects the commands that show the subjects' episodes. command has the commands by
// subject name.
func (t table) watched(command map[string]string) table {
	for i := range t.Rows {
		if c := &t.Rows[i].Cells[0]; !t.Rows[i].Last {
			c.Watch = command[c.Text]
		}
	}
	return t
}

// blocks returns the tables of the scores that have these names. watch has the commands that show an episode of a row.
func blocks(s *score.Scores, watch tabular.Watch, names ...string) (out []template.HTML) {
	for _, name := range names {
		for _, t := range s.Tables() {
			if t.Name == name {
				out = append(out, tabular.HTML(t, t.Name, watch))
			}
		}
	}
	return out
}

// tables returns the tables that have rows.
func tables(ts ...table) []table {
	return slices.DeleteFunc(ts, func(t table) bool { return len(t.Rows) == 0 })
}
