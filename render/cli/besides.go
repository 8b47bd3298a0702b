package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"achilles/battery/tables"
	"achilles/scenarios/results"
	"achilles/sim/record"
)

// withSubjects adds to data of a results directory, as covariates, the columns of a table of its subjects that it has not yet. The column with the most
// of the subjects' names, or of their ids, says whose row each is; who has no row, or an empty cell, has no value.
func withSubjects(data *record.Dataset, d *results.Dir, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	var files []*tables.File
	for _, path := range paths {
		var err error
		if files, err = appendFiles(files, path); err != nil {
			return err
		}
	}
	t, err := tables.ReadTable(files, tables.Reading{})
	if err != nil {
		return err
	}
	known := namesIn(d)
	at := map[string]int{}
	for i, id := range data.Subjects {
		at[id], at[known.name(id)] = i, i
	}
	key, most := -1, 0
	for k := range t.Header {
		n := 0
		for _, row := range t.Rows {
			if _, ok := at[row[k]]; ok {
				n++
			}
		}
		if n > most {
			key, most = k, n
		}
	}
	if key < 0 {
		return fmt.Errorf("%s: no column has the names of subjects, such as %s", t.Name, known.name(data.Subjects[0]))
	}
	row := make([][]string, len(data.Subjects))
	for i, r := range t.Rows {
		s, ok := at[r[key]]
		if ok && row[s] != nil {
			return fmt.Errorf("%s: subject %s has a row already", t.At(i), r[key])
		}
		if ok {
			row[s] = r
		}
	}
	for k, name := range t.Header {
		has := func(c record.Column) bool { return c.Name == name }
		if k == key || slices.ContainsFunc(data.Covariates, has) {
			continue
		}
		c := covariate(name, k, row)
		data.Covariates = append(data.Covariates, c)
		data.Manifest.Covariates = append(data.Manifest.Covariates, c.Feature)
	}
	return nil
}

// covariate returns a column of the rows of subjects: of numbers where all cells are.
func covariate(name string, k int, rows [][]string) record.Column {
	c := record.Column{Feature: record.Feature{Name: name, Role: record.Covariate, Kind: record.Text}, Text: make([]string, len(rows)), Missing: make([]bool, len(rows))}
	numbers, all := make([]float64, len(rows)), true
	for i, row := range rows {
		if row == nil || strings.TrimSpace(row[k]) == "" || row[k] == "NA" {
			c.Missing[i] = true
			continue
		}
		x, err := strconv.ParseFloat(row[k], 64)
		c.Text[i], numbers[i], all = row[k], x, all && err == nil && x-x == 0
	}
	if all {
		c.Kind, c.Number, c.Text = record.Number, numbers, nil
	}
	return c
}

// alreadyImported returns an error for a flag of import that says nothing of a results directory.
func alreadyImported(dir string, flags *pflag.FlagSet) (err error) {
	reads := pflag.NewFlagSet("", pflag.ContinueOnError)
	(&importing{}).flags(reads)
	flags.Visit(func(f *pflag.Flag) {
		if reads.Lookup(f.Name) != nil && !slices.Contains([]string{"out", "force", "subjects", "responses"}, f.Name) && err == nil {
			err = usagef("--%s says how a table is read, and %s has been: import the table again with it", f.Name, dir)
		}
	})
	return err
}
