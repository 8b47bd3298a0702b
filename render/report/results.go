package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"achilles/render/figure"
	"achilles/render/tabular"
	"achilles/scenarios/score"
	"achilles/sim/expr"
	"achilles/sim/table"
)

// Results returns the report of a results directory, from the parts that the directory has. next is the command that
// the reader should type next; it may be empty.
func Results(m *figure.Material, next string) *Page {
	p := &Page{Title: m.Name, Next: next, Command: "achilles report " + expr.Quote(m.Dir), Docs: "docs/reference/scoring.md and docs/guide/report.md explain every number."}
	p.Lead = lead(m)
	if s := m.Scores; s != nil {
		said, rare := outside(m)
		if p.Doubts = s.Doubts(); rare {
			p.Doubts = append(p.Doubts, score.Doubt{About: "Fit", Text: said})
		}
		p.Alarm = strings.Join(s.Alarms(), " ")
		p.lead(m)
		p.grades(m, s, said)
	}
	p.add(section{ID: "run", Title: "What was run", Facts: facts(m)})
	if m.Result != nil {
		fits := section{ID: "diagnostics", Title: "Diagnostics",
			Text: []string{"Convergence diagnostics of every fit. Trace and rank plots: subject with the largest R-hat; pairs plot: subject with the strongest posterior correlation."}}
		if t := score.FitTable(m.Result.Diagnostics.Fits, m.Scores); len(t.Rows) > 0 {
			fits.More.add(t, nil)
		}
		p.figures(&fits, m, figure.SectionDiagnostics)
		p.add(fits)
	}
	return p
}

// outside says how many observed proportions lie outside their intervals, "" if none is replicated; rare is true if fewer than one in a
// hundred replicated data sets have as many.
func outside(m *figure.Material) (said string, rare bool) {
	x, ok := m.Outside()
	if !ok {
		return "", false
	}
	return fmt.Sprintf("%d of %d proportions of successes lie outside their 90 %% posterior predictive interval, %.0f expected (figure predictive)", x.N, x.Of, x.Expected), x.Rare
}

// grades adds the sections about what was inferred and graded. outside is a sentence about replicated data sets, or "".
func (p *Page) grades(m *figure.Material, s *score.Scores, outside string) {
	watch := m.Watch()
	// graded returns a section with tables: shown at once, those before an empty name, and folded, those after it.
	graded := func(id, title, text string, watch tabular.Watch, of string, names ...string) section {
		out := section{ID: id, Title: title, Text: []string{text}}
		after := slices.Index(append(names, ""), "")
		for _, t := range s.Tables() {
			switch k := slices.Index(names, t.Name); {
			case k < 0:
			case k < after:
				if t.Name == "profiles" {
					t = ranked(t, len(s.Parameters()))
				}
				out.Blocks = append(out.Blocks, tabular.HTML(t, t.Name, watch))
			default:
				out.More.add(t, watch)
			}
		}
		p.figures(&out, m, of)
		return out
	}
	p.Summary = graded("", "", "", nil, "", "summary").Blocks
	p.add(graded("subjects", "Subjects", "Programs, people, language models and other subjects that took the same battery, and what asking them took.", watch, "", "subjects"))
	p.add(graded("classification", "Classification", "Agent type of each subject: posterior probabilities over the candidate set.", watch, figure.SectionVerdicts,
		"classifications", "", "explanations", "design", "confusion", "grades"))
	p.add(graded("recovery", "Recovery", "RMSE of posterior means against the sealed truth, and coverage of credible intervals.", nil, figure.SectionRecovery,
		"recovery", "binary", "models", "", "coverage", "simulated"))
	p.add(graded("profiles", "Profiles", "What was inferred about each subject from its responses alone: posterior mean ± standard deviation, in the unit of the demand that a capability meets.", watch, figure.SectionProfiles,
		"profiles"))
	items := section{ID: "parameters", Title: "Items", Blocks: units(m), Text: []string{"Item and shared parameters, inferred jointly with the subjects: posterior mean ± SD."}}
	p.figures(&items, m, figure.SectionUnits)
	p.add(items)
	prediction := graded("prediction", "Prediction", "Forecasts of held-out responses, from a second fit without them, beside the baseline: the subject's own success rate as every forecast. Replicated responses are from the fit of all responses.", watch, figure.SectionPrediction,
		"prediction", "values")
	if outside != "" {
		prediction.Text = append(prediction.Text, outside+".")
	}
	p.add(prediction)
	p.add(wrong(s, watch))
	p.add(unranked(s))
	p.add(graded("ctest", "C-test", "Correct answers, weighted by the complexity of the series, and their expectation under algorithmic item response theory. Figures of Chmait et al. (2017) are recomputed, with our results added.", nil, figure.SectionCTest,
		"ctest"))
	p.add(graded("collectives", "Collectives", "Accuracy of groups that aggregate their members' answers by a rule, and the accuracy expected if members erred independently.", nil, "",
		"collectives"))
	p.add(graded("paths", "Paths", "Actual against predicted paths on held-out episodes: RMSE over ticks, in cells.", m.WatchParadigms(), figure.SectionPaths,
		"paths"))
	p.add(graded("observers", "Observers", "Whether observers are more surprised by the unexpected outcome: relative accuracy in per cent, ties half right.", m.WatchTasks(), figure.SectionObservers,
		"ranking", "observers", "", "language-models", "published-observers"))
}

// ranked returns the profiles of more subjects than a page shows with the most able first, so that it shows those at both ends: by the
// estimate where there is one parameter, otherwise by success rate.
func ranked(t *table.Table, parameters int) *table.Table {
	by := "success_rate"
	if parameters == 1 {
		by = "estimate"
	}
	if len(t.Rows) <= tabular.ManyLines*parameters || !t.Has(by) {
		return t
	}
	sorted, err := tabular.Sort(t, by)
	if err != nil {
		panic("report: the table of profiles lacks a column that it has")
	}
	return sorted
}

// add folds a table.
func (f *fold) add(t *table.Table, watch tabular.Watch) {
	f.Blocks = append(f.Blocks, tabular.HTML(t, t.Name, watch))
	f.titles = append(f.titles, cmp.Or(t.Title, t.Name))
}

// wrongSection is the section of what is most wrong.
const wrongSection = "wrong"

// The page has the first of the most wrong predictions: this many, and folded the hurdles of fewer.
const (
	wrongRows    = 10
	wrongHurdles = 40
)

// wrong returns the section of the first rows of the tables of what is most wrong. The hurdles of the very first stand beside it.
func wrong(s *score.Scores, watch tabular.Watch) section {
	out := section{ID: wrongSection, Title: "Most wrong",
		Text: []string{fmt.Sprintf("Held-out responses whose predictions are furthest from the truth, at most %d of a subject, and the hurdles of the first of them. scores/misses.csv and scores/hurdles.csv have more.", score.LeadingOfSubject)}}
	for _, t := range s.Tables() {
		some := *t
		switch {
		case t.Name == "misses" && len(t.Rows) > 0:
			some.Rows = nil
			for _, i := range s.LeadingMisses(wrongRows) {
				some.Rows = append(some.Rows, t.Rows[i])
			}
			out.Blocks = append(out.Blocks, tabular.HTML(&some, t.Name, watch))
		case t.Name == "hurdles" && len(t.Rows) > 0:
			first := ofFirst(s)
			rest := some
			some.Rows, rest.Rows = t.Rows[:first], t.Rows[first:min(first+wrongHurdles, len(t.Rows))]
			some.Title += ", the first"
			out.Blocks = append(out.Blocks, tabular.HTML(&some, t.Name, watch))
			if len(rest.Rows) > 0 {
				rest.Title += ", the next"
				out.More.add(&rest, watch)
			}
		}
	}
	return out
}

// unranked returns the section that says why nothing is known to be most wrong; an empty one if misses are known, or nothing was predicted.
func unranked(s *score.Scores) section {
	if s.Unranked == "" || s.Prediction == nil {
		return section{}
	}
	return section{ID: wrongSection, Title: "Most wrong", Facts: []fact{{Name: "Not ranked", Text: s.Unranked}}}
}

// ofFirst returns the number of rows that the table of hurdles has of the first miss with hurdles.
func ofFirst(s *score.Scores) int {
	for _, why := range s.Why {
		if why != nil && why.Why == "" {
			return len(why.Hurdles) + 1
		}
	}
	return 0
}

// Play adds a player of episodes to the section of what is most wrong, if the page has one.
func (p *Page) Play(player template.HTML) {
	for i := range p.Sections {
		if s := &p.Sections[i]; s.ID == wrongSection {
			s.Blocks = append(s.Blocks, player)
		}
	}
}

// units returns the table of what was inferred about items and about everybody.
func units(m *figure.Material) []template.HTML {
	if m.Result == nil {
		return nil
	}
	return pageTables(score.UnitTable(m.Result.Units, m.Scores))
}
