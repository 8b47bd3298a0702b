package record

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"achilles/sim/part"
)

// covariateFields returns the schema of subjects.parquet: the subject, then one column for each covariate.
func covariateFields(features []Feature) []field {
	return append([]field{{"subject", textCell}}, featureFields(features)...)
}

// writeCovariates writes subjects.parquet.
func (d *Dataset) writeCovariates(create Create) (part.Table, error) {
	if err := checkColumns(d.Covariates, d.Manifest.Covariates, "subject", d.Subjects, 0); err != nil {
		return part.Table{}, err
	}
	return create.table(subjectsTable, covariateFields(d.Manifest.Covariates), d.Manifest.Covariates, func(t *tableWriter) (int, error) {
		for from := 0; from < len(d.Subjects); from += rowGroup {
			n := min(rowGroup, len(d.Subjects)-from)
			index, value := intern(d.Subjects[from:from+n], nil)
			if err := cmp.Or(t.text(0, false, value, index), writeColumns(t, d.Covariates, 1, from, n), t.flush()); err != nil {
				return 0, err
			}
		}
		return len(d.Subjects), nil
	})
}

// decodeCovariates reads subjects.parquet, which has one row for every subject with responses, in their order.
func decodeCovariates(in io.ReaderAt, size int64, d *Dataset) (err error) {
	defer RecoverCorrupt(&err)
	t, err := openTable(in, size, covariateFields(d.Manifest.Covariates))
	if err != nil {
		return err
	}
	for _, f := range d.Manifest.Covariates {
		d.Covariates = append(d.Covariates, Column{Feature: f})
	}
	var subjects []string
	for _, g := range t.groups() {
		if err := d.readSubjects(t, g, &subjects); err != nil {
			return err
		}
	}
	for i, s := range subjects {
		if i >= len(d.Subjects) || s != d.Subjects[i] {
			return fmt.Errorf("row %d: subject %s: there must be one row for every subject with responses, sorted", i+1, s)
		}
	}
	if n := len(subjects); n < len(d.Subjects) {
		return fmt.Errorf("no row for subject %s, who has responses", d.Subjects[n])
	}
	for k := range d.Covariates {
		d.Covariates[k].dropMissing()
	}
	return checkColumns(d.Covariates, d.Manifest.Covariates, "subject", d.Subjects, 0)
}

func (d *Dataset) readSubjects(t *tableReader, g parquet.RowGroup, subjects *[]string) error {
	if err := t.readTexts(g, "subject", subjects); err != nil {
		return err
	}
	return readColumns(t, g, d.Covariates)
}

// checkCovariates returns an error for the first fault of the declared covariates. The table of subjects and its declaration
// must come together, and with responses.
func (m *Manifest) checkCovariates() error {
	for _, f := range m.Covariates {
		if f.Role != Covariate {
			return fmt.Errorf("covariate %q: role %q: columns of subjects have the role %s", f.Name, f.Role, Covariate)
		}
	}
	return checkFeatures(m.Covariates, "covariate", []string{"subject"})
}

// checkTables returns an error unless the table of subjects is listed just where covariates are declared, with responses.
func (m *Manifest) checkTables() error {
	listed := m.Find(subjectsTable) != nil
	switch declared := len(m.Covariates) > 0; {
	case declared && !listed:
		return fmt.Errorf("covariates are declared, and %s%s is not listed", subjectsTable, tableSuffix)
	case listed && !declared:
		return fmt.Errorf("%s%s is listed, and no covariate is declared", subjectsTable, tableSuffix)
	case listed && !m.Answered():
		return errors.New("there are covariates of subjects, and no responses")
	}
	return nil
}
