package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

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
		p.Doubts = append(s.Doubts(), misfits(m)...)
		p.Alarm = strings.Join(s.Alarms(), " ")
		p.lead(m)
		p.grades(m, s)
	}
	p.add(section{ID: "run", Title: "What was run", Facts: facts(m)})
	if m.Result != nil {
		p.add(section{ID: "diagnostics", Title: "Diagnostics", Blocks: pageTables(score.FitTable(m.Result.Diagnostics.Fits, m.Scores)), Figures: figures(m, figure.SectionDiagnostics),
			Text: []string{"Convergence diagnostics of every fit. Trace and rank plots: subject with the largest R-hat; pairs plot: subject with the strongest posterior correlation."}})
	}
	return p
}

// misfits returns a doubt if more observed proportions lie outside their 90 % interval than one in a hundred fitting results would have.
func misfits(m *figure.Material) []score.Doubt {
	n, of, ok := m.Outside()
	expected := 0.1 * float64(of)
	if !ok || float64(n) <= expected+2.33*math.Sqrt(0.9*expected) {
		return nil
	}
	return []score.Doubt{{About: "Fit", Text: fmt.Sprintf("%d of %d proportions of successes lie outside their 90 %% posterior predictive interval, %.0f expected (figure predictive)", n, of, expected)}}
}

// grades adds the sections about what was inferred and graded.
func (p *Page) grades(m *figure.Material, s *score.Scores) {
	blocks := func(watch tabular.Watch, names ...string) (out []template.HTML) {
		for _, t := range s.Tables() {
			if slices.Contains(names, t.Name) {
				out = append(out, tabular.HTML(t, t.Name, watch))
			}
		}
		return out
	}
	watch := m.Watch()
	p.Summary = blocks(nil, "summary")
	p.add(section{ID: "subjects", Title: "Subjects", Blocks: blocks(watch, "subjects"),
		Text: []string{"Programs, people, language models and other subjects that took the same battery, and what asking them took."}})
	p.add(section{ID: "classification", Title: "Classification", Blocks: blocks(watch, "classifications", "explanations", "design", "confusion", "grades"), Figures: figures(m, figure.SectionVerdicts),
		Text: []string{"Agent type of each subject: posterior probabilities over the candidate set."}})
	p.add(section{ID: "recovery", Title: "Recovery", Blocks: blocks(nil, "recovery", "coverage", "binary", "simulated", "models"), Figures: figures(m, figure.SectionRecovery),
		Text: []string{"RMSE of posterior means against the sealed truth, and coverage of credible intervals."}})
	p.add(section{ID: "profiles", Title: "Profiles", Blocks: blocks(watch, "profiles"), Figures: figures(m, figure.SectionProfiles),
		Text: []string{"What was inferred about each subject from its responses alone: posterior mean ± standard deviation, in the unit of the demand that a capability meets."}})
	p.add(section{ID: "parameters", Title: "Items", Blocks: units(m), Figures: figures(m, figure.SectionUnits),
		Text: []string{"Item and shared parameters, inferred jointly with the subjects: posterior mean ± SD."}})
	p.add(section{ID: "prediction", Title: "Prediction", Blocks: blocks(watch, "prediction", "values"), Figures: figures(m, figure.SectionPrediction),
		Text: []string{"Forecasts of held-out responses, from a second fit without them, beside the baseline: the subject's own success rate as every forecast. Replicated responses are from the fit of all responses."}})
	p.add(section{ID: wrongSection, Title: "Most wrong", Blocks: wrong(s, watch),
		Text: []string{"Held-out responses whose predictions are furthest from the truth, and the hurdles of the first of them. scores/misses.csv and scores/hurdles.csv have more."}})
	p.add(section{ID: "ctest", Title: "C-test", Blocks: blocks(nil, "ctest"), Figures: figures(m, figure.SectionCTest),
		Text: []string{"Correct answers, weighted by the complexity of the series, and their expectation under algorithmic item response theory. Figures of Chmait et al. (2017) are recomputed, with our results added."}})
	p.add(section{ID: "collectives", Title: "Collectives", Blocks: blocks(nil, "collectives"),
		Text: []string{"Accuracy of groups that aggregate their members' answers by a rule, and the accuracy expected if members erred independently."}})
	p.add(section{ID: "paths", Title: "Paths", Blocks: blocks(m.WatchParadigms(), "paths"), Figures: figures(m, figure.SectionPaths),
		Text: []string{"Actual against predicted paths on held-out episodes: RMSE over ticks, in cells."}})
	p.add(section{ID: "observers", Title: "Observers", Blocks: blocks(m.WatchTasks(), "ranking", "observers", "language-models", "published-observers"), Figures: figures(m, figure.SectionObservers),
		Text: []string{"Whether observers are more surprised by the unexpected outcome: relative accuracy in per cent, ties half right."}})
}

// wrongSection is the section of what is most wrong.
const wrongSection = "wrong"

// The page has the first of the most wrong predictions: this many, and the hurdles of fewer.
const (
	wrongRows    = 20
	wrongHurdles = 40
)

// wrong returns the first rows of the tables of what is most wrong.
func wrong(s *score.Scores, watch tabular.Watch) (out []template.HTML) {
	for _, t := range s.Tables() {
		most := map[string]int{"misses": wrongRows, "hurdles": wrongHurdles}[t.Name]
		if most == 0 {
			continue
		}
		some := *t
		some.Rows = t.Rows[:min(most, len(t.Rows))]
		out = append(out, tabular.HTML(&some, t.Name, watch))
	}
	return out
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
