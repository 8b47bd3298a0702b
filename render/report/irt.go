package report

import (
	"fmt"
	"strings"

	"achilles/infer/irt"
	judging "achilles/infer/table"
	"achilles/render/format"
	"achilles/render/tabular"
	"achilles/scenarios/score"
	"achilles/sim/num"
	"achilles/sim/table"
)

// irtScreen is the number of lines of the first screen of an item analysis.
const irtScreen = 24

// Items returns the first screen of an item analysis of a name, as text of a width: what fits, what does not, the items that fit worst, and
// what is not to be trusted. ends has the lines at its end.
func Items(a *irt.Analysis, name string, width int, ends []string) string {
	var top, under strings.Builder
	say := func(b *strings.Builder, s string) { b.Write(tabular.Sentence(s, width)) }
	for _, s := range irtLead(a, name) {
		say(&top, s)
	}
	if n := len(a.Warnings); n > 0 {
		say(&under, fmt.Sprintf("Caution: %s", shortened(a.Warnings[0].Text, 2*width)))
		for _, w := range a.Warnings[1:min(n, 3)] {
			say(&under, "Caution: "+shortened(w.Text, width))
		}
		if n > 3 {
			say(&under, fmt.Sprintf("%s more: table warnings.", num.Counted(n-3, "warning")))
		}
	}
	for _, s := range ends {
		say(&under, s)
	}
	t := tabular.WorstFirst(a.Items())
	room := max(4, irtScreen-strings.Count(top.String(), "\n")-strings.Count(under.String(), "\n")-5) // blank lines around, the heads, and what is not shown
	brief, rest, omitted := tabular.Brief(t, width, room)
	if rest != "" {
		rest = string(tabular.Sentence(rest+", the worst fit first; all: table items.", width))
	}
	if len(omitted) > 0 {
		rest += tabular.OmittedIn(omitted, width) + "\n"
	}
	return top.String() + "\n" + string(brief) + rest + "\n" + under.String()
}

// shortened returns the first sentence of a text if it is longer than most.
func shortened(s string, most int) string {
	if first, _, ok := strings.Cut(s, ". "); ok && len(s) > most {
		return first + "."
	}
	return s
}

// irtLead returns the result in sentences.
func irtLead(a *irt.Analysis, name string) (out []string) {
	whole := find(a, "model")
	value := func(column string, digits int) string {
		x, ok := whole.Value(0, column).Number()
		if !ok {
			return "–"
		}
		return format.Number(x, digits)
	}
	out = append(out, fmt.Sprintf("%s: %s subjects × %s, model %s (%s).", name, num.Count(int(a.Fit.Subjects)), num.Counted(len(a.Fit.Items), "item"), a.Model, a.Why))
	fit := fmt.Sprintf("Log likelihood %s, AIC %s, BIC %s.", value("log_likelihood", 2), value("aic", 1), value("bic", 1))
	if whole.Has("m2") {
		of := ""
		if some, _ := whole.Value(0, "m2_subjects").Number(); some < a.Fit.Subjects {
			of = " of the " + num.Count(int(some)) + " subjects without a missing response"
		}
		fit = fmt.Sprintf("Fit%s: M2 %s, df %s, %s; RMSEA2 %s [%s, %s]. ", of, value("m2", 2), value("m2_df", 0), pOf(whole, "m2_p"), value("rmsea2", 3), value("rmsea2_low", 3), value("rmsea2_high", 3)) + fit
	} else if len(whole.Foot) > 0 {
		fit += " " + whole.Foot[0]
	}
	out = append(out, fit)
	s := "Reliability " + value("reliability", 2)
	if whole.Has("reliability_low") {
		s += " [" + value("reliability_low", 2) + ", " + value("reliability_high", 2) + "]"
	}
	if a.Repeats {
		s += " (of one response per item marginal " + value("marginal_reliability", 2) + ")"
	} else {
		s += " (marginal " + value("marginal_reliability", 2) + ")"
	}
	if a.Has(judging.HardlyDiffer) {
		s += ": subjects hardly differ"
	}
	switch {
	case a.Has(irt.PerfectOrder):
		s += ". The standard deviation of abilities is at its bound, and not known"
	case whole.Has("spread_se"):
		s += fmt.Sprintf(". Standard deviation of abilities %s (SE %s) log odds", value("spread", 4), value("spread_se", 4))
	case a.Flat():
		s += ". The standard deviation of abilities is at its bound of 0"
	case a.Fit.Spread > 0:
		s += fmt.Sprintf(". Standard deviation of abilities %s log odds, without a standard error", value("spread", 4))
	}
	s += "."
	out = append(out, s)
	low := func(table, column, what string) string {
		t := find(a, table)
		if t == nil || !t.Has(column) {
			return what + " not tested"
		}
		n, all := 0, 0
		for row := range t.Rows {
			if x, ok := t.Value(row, column).Number(); ok {
				stand := standsFor(t, row)
				if all += stand; x < 0.05 {
					n += stand
				}
			}
		}
		return fmt.Sprintf("%s %s of %s", what, num.Count(n), num.Count(all))
	}
	said := []string{low("items", "fit_corrected", "items"), low("pairs", "corrected", "pairs of items"), low("subjects", "person_corrected", "subjects")}
	out = append(out, "Not as the model expects (corrected p < 0.05): "+strings.Join(said, ", ")+".")
	if a.Groups != nil && len(a.Groups) <= mostGroupsSaid {
		out = append(out, abilitiesBy(a))
	}
	if t := find(a, "dif"); t != nil {
		what := low("dif", "corrected", fmt.Sprintf("Items that function differently by %s:", a.Settings.By))
		if t.Has("corrected") {
			what += " (corrected p < 0.05)"
		}
		out = append(out, what+".")
	}
	if t := find(a, "drift"); t != nil {
		out = append(out, fmt.Sprintf("%s; mean of abilities on their scale %s (SE %s), SD %s. %s.", num.Counted(len(t.Rows), "anchor"), format.Number(a.Fit.Groups[0].Mean, 3), format.Number(a.Fit.Groups[0].MeanSE, 3), format.Number(a.Fit.Groups[0].SD, 3), low("drift", "corrected", "Anchors that have changed:")))
	}
	return out
}

// pOf says the p-value in a column of the first row.
func pOf(t *table.Table, column string) string {
	p, ok := t.Value(0, column).Number()
	if !ok {
		return "p –"
	}
	s := format.PValue(p, 3)
	if !strings.HasPrefix(s, "<") {
		return "p = " + s
	}
	return "p < " + s[1:]
}

// mostGroupsSaid is the largest number of groups whose abilities the first screen has.
const mostGroupsSaid = 4

// abilitiesBy says how able groups are, on the scale of the first.
func abilitiesBy(a *irt.Analysis) string {
	var out []string
	for k, g := range a.Fit.Groups {
		s := fmt.Sprintf("%s mean %s", a.Groups[k], format.Number(g.Mean, 3))
		if g.MeanSE > 0 {
			s += fmt.Sprintf(" (SE %s)", format.Number(g.MeanSE, 3))
		}
		s += ", SD " + format.Number(g.SD, 3)
		if g.SDSE > 0 {
			s += fmt.Sprintf(" (SE %s)", format.Number(g.SDSE, 3))
		}
		out = append(out, s)
	}
	return fmt.Sprintf("Ability by %s, on one scale: %s.", a.Settings.By, strings.Join(out, "; "))
}

// standsFor returns how many subjects a row of the table of subjects stands for.
func standsFor(t *table.Table, row int) int {
	for k, c := range t.Columns {
		if c.Name == "count" {
			n, _ := t.Rows[row][k].Number()
			return int(n)
		}
	}
	return 1
}

func find(a *irt.Analysis, name string) *table.Table {
	for _, t := range a.Tables() {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// ItemPage returns the report of an item analysis.
func ItemPage(a *irt.Analysis, name string) *Page {
	lead := irtLead(a, name)
	p := &Page{Title: "Items and subjects: " + name, Lead: strings.Join(lead, " "), Docs: "docs/guide/irt.md explains every number."}
	for _, w := range a.Warnings {
		p.Doubts = append(p.Doubts, score.Doubt{About: w.Kind, Text: w.Text})
	}
	for _, x := range []struct {
		id, title, text string
		tables          []string
	}{
		{"model", "Model", "How likely the responses are under the model, and how far means and products of two responses are from what it expects.", []string{"model", "abilities", "groups"}},
		{"items", "Items", "Difficulty and discrimination of each item, and whether responses to it follow the model.", []string{"items", "parameters"}},
		{"dependence", "Dependence", "Items that have something in common beside ability: shared passages, hints, or the same question twice.", []string{"pairs"}},
		{"differences", "Differences", "Items that are harder or easier for some subjects of the same ability, or than they were when they were anchored.", []string{"dif", "drift"}},
		{"information", "Information", "Where on the scale the test measures well.", []string{"information"}},
		{"subjects", "Subjects", "Abilities, and subjects whose responses do not follow from them.", []string{"subjects"}},
		{"table", "The table itself", "What counts alone show, before any model.", []string{"judgement"}},
	} {
		s := section{ID: x.id, Title: x.title, Text: []string{x.text}}
		for _, name := range x.tables {
			if t := find(a, name); t != nil {
				s.Blocks = append(s.Blocks, pageTables(most(t))...)
			}
		}
		p.add(s)
	}
	return p
}

// onItemPage is the number of rows of a table on the page.
const onItemPage = 500

// most returns the table with its first rows, and a sentence that says so if there are more.
func most(t *table.Table) *table.Table {
	if len(t.Rows) <= onItemPage {
		return t
	}
	out := *tabular.WorstFirst(t)
	n := len(out.Rows)
	out.Rows = out.Rows[:onItemPage]
	out.Notes = nil
	out.Foot = append(append([]string{}, t.Foot...), fmt.Sprintf("The first %d of %s rows; all are in %s.csv.", onItemPage, num.Count(n), t.Name))
	return &out
}
