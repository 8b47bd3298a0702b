package cli

import (
	"bytes"
	"fmt"
	"slices"

	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/scenarios/score"
	"achilles/sim/expr"
	"achilles/sim/table"
)

// screen is the number of lines that a result is printed on at first.
const screen = 24

// firstScreen prints the result on one screen: the summary beside its baselines, its cautions, a line per subject with what
// sets it apart, and how the chains ran. name is the scenario's, or empty; ends has the lines at the end, about where everything
// is.
func firstScreen(a *app, d *results.Dir, s *score.Scores, name string, ends []string) {
	width := a.width()
	var top, under bytes.Buffer
	var left []string
	if t := find(s.Tables(), "summary"); t != nil {
		if name != "" {
			name += ": "
		}
		top.Write(tabular.Sentence(name+t.Title, width))
		brief, _, omitted := tabular.Brief(t, width, screen)
		left = omitted
		top.Write(brief)
		for _, n := range t.Notes {
			under.Write(tabular.Sentence("Caution: "+n.Text, width))
		}
		if text := gravest(s); text != "" {
			under.Write(tabular.Sentence(text+fmt.Sprintf("; all: achilles show %s warnings", expr.Quote(d.String())), width))
		}
		for _, f := range t.Foot {
			under.Write(tabular.Sentence(f, width))
		}
	}
	if top.Len() == 0 {
		for _, x := range s.Alarms() {
			under.Write(tabular.Sentence("Caution: "+x, width))
		}
	}
	for _, n := range s.Notes {
		under.Write(tabular.Sentence("Note: "+n+".", width))
	}
	for _, e := range ends {
		under.Write(tabular.Sentence(e, width))
	}
	if t := subjects(s); t != nil {
		room := max(2, screen-bytes.Count(top.Bytes(), []byte("\n"))-bytes.Count(under.Bytes(), []byte("\n"))-3) // a blank line before and behind, and the heads
		brief, rest, omitted := tabular.Brief(t, width, room)
		if rest != "" {
			t = tabular.WorstFirst(t)
			brief, rest, omitted = tabular.Brief(t, width, max(1, room-2)) // as what follows takes two lines
			if len(t.Worst) > 0 {
				rest += ", worst first"
			}
			rest = string(tabular.Sentence(fmt.Sprintf("%s; all: achilles show %s %s", rest, expr.Quote(d.String()), t.Name), width))
		}
		fmt.Fprintf(&top, "\n%s%s%s\n", brief, rest, tabular.OmittedIn(append(left, omitted...), width))
	} else if len(left) > 0 {
		top.WriteString(tabular.OmittedIn(left, width) + "\n")
	}
	fmt.Fprintf(a.stdout, "%s%s", top.Bytes(), under.Bytes())
}

// gravest returns the number of the warnings that are not minor, and the gravest of them; "" if there are none.
func gravest(s *score.Scores) string {
	n, first := 0, -1
	for i := range s.Warnings {
		if !s.Warnings[i].Minor() {
			if n++; first < 0 {
				first = i
			}
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("Caution: 1 warning: %s: %s", fitOf(s.Warnings[first].Subject), s.Warnings[first].Detail)
	}
	return fmt.Sprintf("Caution: %d warnings; most serious: %s: %s", n, fitOf(s.Warnings[first].Subject), s.Warnings[first].Detail)
}

func find(tables []*table.Table, name string) *table.Table {
	if i := slices.IndexFunc(tables, func(t *table.Table) bool { return t.Name == name }); i >= 0 {
		return tables[i]
	}
	return nil
}

// subjects returns the table that has a line per subject with what sets it apart: the verdicts, else the profiles of few subjects,
// the predictions of many, or the observers; of many rows the worst first. It returns nil if there is none.
func subjects(s *score.Scores) *table.Table {
	const few = 12
	tables := s.Tables()
	if t := find(tables, "classifications"); t != nil && len(t.Rows) <= few {
		return t
	}
	if t := find(tables, "profiles"); t != nil && s.Verdicts == nil && len(s.Profiles) <= few*len(s.Parameters()) {
		return t
	}
	for _, name := range []string{"classifications", "prediction", "ranking"} {
		if t := find(tables, name); t != nil {
			return tabular.WorstFirst(t)
		}
	}
	return nil
}
