package tables

import "fmt"

// covariates adds the covariates of the subjects with responses. Rows of other subjects are left out. It returns an error if
// there is a table and no covariate, or the reverse, or if a subject has no row or two.
func (b *builder) covariates(t *Table) error {
	m := b.m
	switch {
	case t == nil && len(m.Covariates) == 0:
		return nil
	case len(m.Covariates) == 0:
		return m.root.At("").Errorf("there is a table of subjects, %s, but the mapping does not describe it: add [subjects] with id, and a [[covariate]] for each column to publish", t.Name)
	}
	id := 0
	if b.derived[1] == nil {
		if m.Subject == nil {
			return m.root.At("subjects").Errorf("is missing: add [subjects] with id, the column of %s with the subject's name", t.Name)
		}
		columns, err := m.columns(t, "subjects.id", m.Subject)
		if err != nil {
			return err
		}
		id = t.key(columns, "subject")
	}
	row := make(map[string]int, len(t.Rows))
	for i, cells := range t.Rows {
		if first, twice := row[cells[id]]; twice {
			return fmt.Errorf("%s: subject %s is listed already, in line %d", t.At(i), cells[id], t.lines[first])
		}
		row[cells[id]] = i
	}
	answered := &Table{Name: t.Name, Header: t.Header, read: t.read}
	for _, s := range b.d.Subjects {
		i, ok := row[s]
		if !ok {
			return fmt.Errorf("%s: no row for subject %q, who has responses", t.Name, s)
		}
		answered.Rows, answered.lines = append(answered.Rows, t.Rows[i]), append(answered.lines, t.lines[i])
	}
	var err error
	if b.d.Covariates, err = newSheet(answered, "subject", id).published(m, m.Covariates); err != nil {
		return err
	}
	for _, c := range b.d.Covariates {
		b.d.Manifest.Covariates = append(b.d.Manifest.Covariates, c.Feature)
	}
	if len(b.d.Covariates) == 0 {
		return m.root.At("covariate").Errorf("every covariate is an intermediate result (step): there is none to publish")
	}
	return nil
}
