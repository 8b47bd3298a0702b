package layout

import (
	"slices"
	"strings"

	"achilles/sim/expr"
	"achilles/sim/record"
)

// A columnsOf says of what a section of a layout declares columns: of the items or of the subjects.
type columnsOf struct {
	section  string // section of the layout
	unit     string // item or subject
	kind     symbolKind
	declared func(l *Layout) *[]Metafeature
}

var (
	ofItems    = &columnsOf{"metafeature", "item", aMetafeature, func(l *Layout) *[]Metafeature { return &l.Metafeatures }}
	ofSubjects = &columnsOf{"covariate", "subject", aCovariate, func(l *Layout) *[]Metafeature { return &l.Covariates }}
)

// metafeatures returns the columns of the items that the layout declares, under their names in the layout. It returns an
// error if a column is missing or not as declared.
func (l *Layout) metafeatures(items *record.Items) (map[string]expr.Column, error) {
	out := map[string]expr.Column{}
	for _, m := range l.Metafeatures {
		col, ok := items.Column(m.Column)
		if !ok && record.IsHistory(m.Column) && m.Column != record.Position {
			return nil, m.at.Errorf("the items have no column %s: it counts earlier trials of a block, and is known where subjects are measured one by one and the items have the columns block, round, phase, well and requiresOP", m.Column)
		}
		if !ok && m.Column == record.Position {
			return nil, m.at.Errorf("the items have no column %s; that of responses is known only where subjects are measured one by one, all their items at once", m.Column)
		}
		if !ok {
			return nil, m.at.Errorf("the items have no column %s%s", m.Column, expr.Hint(m.Column, namesOf(items.Columns, true, "suite", "paradigm", "task")))
		}
		c, err := m.checked(col, ofItems.unit, items.ID)
		if err != nil {
			return nil, err
		}
		out[m.Name] = c
	}
	return out, nil
}

// covariates returns the columns of the subjects that the layout declares, under their names in the layout. It returns an
// error if a column is missing or not as declared.
func (l *Layout) covariates(subjects []string, columns []record.Column) (map[string]expr.Column, error) {
	out := map[string]expr.Column{}
	for _, m := range l.Covariates {
		i := slices.IndexFunc(columns, func(c record.Column) bool { return c.Name == m.Column })
		if i < 0 {
			return nil, m.at.Errorf("the subjects have no column %s%s", m.Column, hintOfSubjects(m.Column, namesOf(columns, true)))
		}
		c, err := m.checked(columns[i], ofSubjects.unit, subjects)
		if err != nil {
			return nil, err
		}
		out[m.Name] = c
	}
	return out, nil
}

// namesOf returns the names of columns, or of those of texts alone, after some others.
func namesOf(columns []record.Column, numbers bool, others ...string) []string {
	for _, c := range columns {
		if numbers || c.Kind == record.Text {
			others = append(others, c.Name)
		}
	}
	return others
}

// hintOfSubjects says which of the known columns of subjects may have been meant, or how there come to be any.
func hintOfSubjects(name string, known []string) string {
	if len(known) == 0 {
		return ": import a table of subjects that has it, with [[covariate]] in the mapping"
	}
	return expr.Hint(name, known)
}

// checked returns a column with its missing values filled in. It returns an error if the column is not as declared. ids are
// the names of its rows, each of which is a unit: an item or a subject.
func (m *Metafeature) checked(col record.Column, unit string, ids []string) (expr.Column, error) {
	if isText := m.Levels != nil; isText != (col.Kind == record.Text) {
		if isText {
			return expr.Column{}, m.at.Errorf("column %s has numbers: declare range = [lowest, highest] in place of levels", m.Column)
		}
		return expr.Column{}, m.at.Errorf("column %s has texts: declare levels = [\"a\", \"b\"] in place of a range", m.Column)
	}
	out := expr.Column{Number: slices.Clone(col.Number), Text: col.Text}
	for i, id := range ids {
		switch missing := col.Missing != nil && col.Missing[i]; {
		case missing && m.Missing != nil:
			out.Number[i] = *m.Missing
		case missing && m.Levels != nil:
			return out, m.at.Errorf("%s %s has no value of column %s: give it one", unit, id, m.Column)
		case missing:
			return out, m.at.Errorf("%s %s has no value of column %s: declare missing = a number to stand for it", unit, id, m.Column)
		case m.Levels != nil:
			if !slices.Contains(m.Levels, col.Text[i]) {
				return out, m.at.Errorf("%s %s has %s %q, which is not among the levels %s", unit, id, m.Column, col.Text[i], strings.Join(m.Levels, ", "))
			}
		case !(m.Range[0] <= col.Number[i] && col.Number[i] <= m.Range[1]):
			return out, m.at.Errorf("%s %s has %s = %g, outside the declared range %g to %g", unit, id, m.Column, col.Number[i], m.Range[0], m.Range[1])
		}
	}
	return out, nil
}
