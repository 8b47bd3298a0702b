package analysis

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"achilles/sim/num"
	"achilles/sim/table"
)

// DocumentFile is the name of the file that has a Document except its tables.
const DocumentFile = "analysis.json"

// JSON returns the content of DocumentFile.
func (d *Document) JSON() ([]byte, error) {
	b, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", DocumentFile, err)
	}
	return append(b, '\n'), nil
}

// Files returns the tables of the analysis, each of which is a file, in the order in which people read them.
func (d *Document) Files() (out []*table.Table) {
	for _, f := range d.files() {
		if t := f.table(); len(t.Rows) > 0 || !f.optional {
			out = append(out, t)
		}
	}
	return out
}

// Read returns the document with this JSON. It reads those tables that Files has not from JSON. rows returns the table of a
// name, or nil if there is none. The error names the table and, for a value, the row and the column.
func Read(content []byte, rows func(name string) (*table.Table, error)) (*Document, error) {
	d := new(Document)
	if err := json.Unmarshal(content, d); err != nil {
		return nil, fmt.Errorf("%s: %w", DocumentFile, err)
	}
	if d.Format != Format || d.Version != version {
		return nil, fmt.Errorf("%s: format %q version %d; this program reads %q version %d", DocumentFile, d.Format, d.Version, Format, version)
	}
	for _, f := range d.files() {
		if f.read == nil {
			continue
		}
		t, err := rows(f.name)
		switch {
		case err != nil:
			return nil, err
		case t == nil && f.optional:
			continue
		case t == nil:
			return nil, fmt.Errorf("there is no table %s", f.name)
		}
		if err := f.read(t); err != nil {
			return nil, fmt.Errorf("table %s: %w", f.name, err)
		}
	}
	return d, nil
}

// A file is a table that has a file.
type file struct {
	name     string
	optional bool // whether the file is left out if the table has no rows
	table    func() *table.Table
	read     func(*table.Table) error // nil: the table is made of what DocumentFile has
}

// A column is a column of a table of rows R, with the address of its value in a row: a *string, *int or *float64. So the same
// line makes values of rows, and rows of values.
type column[R any] struct {
	table.Column
	at func(r *R) any
}

func col[R any](c table.Column, at func(r *R) any) column[R] {
	switch at(new(R)).(type) {
	case *string:
		c.Kind = table.Text
	case *int:
		c.Kind = table.Count
	}
	return column[R]{c, at}
}

// fill returns a table of rows.
func fill[R any](t table.Table, rows []R, columns []column[R]) *table.Table {
	var fields []table.Field[R]
	for _, c := range columns {
		fields = append(fields, table.Col(c.Column, func(r R) table.Value {
			switch v := c.at(&r).(type) {
			case *string:
				return table.Named(*v)
			case *int:
				return table.Int(*v)
			case *float64:
				return table.Maybe(num.Finite(*v))
			}
			return table.None
		}))
	}
	return table.Of(t, rows, fields)
}

// drain returns the rows of a table. It finds columns by their names.
func drain[R any](t *table.Table, columns []column[R]) ([]R, error) {
	at := make([]int, len(columns))
	for k, c := range columns {
		at[k] = slices.IndexFunc(t.Columns, func(has table.Column) bool { return has.Name == c.Name && has.Kind == c.Kind })
		if at[k] < 0 {
			return nil, fmt.Errorf("there is no column %q of kind %s", c.Name, c.Kind)
		}
	}
	rows := make([]R, len(t.Rows))
	for i, values := range t.Rows {
		for k, c := range columns {
			v := values[at[k]]
			x, ok := v.Number()
			switch to := c.at(&rows[i]).(type) {
			case *string:
				*to = v.Text()
			case *int:
				if *to = int(x); !ok {
					return nil, fmt.Errorf("row %d, column %q: no value", i+1, c.Name)
				}
			case *float64:
				if *to = x; !ok {
					*to = math.NaN()
				}
			}
		}
	}
	return rows, nil
}

// kept returns the file of a table whose rows are read back.
func kept[R any](t table.Table, optional bool, rows *[]R, columns []column[R]) file {
	return file{t.Name, optional, func() *table.Table { return fill(t, *rows, columns) }, func(t *table.Table) (err error) {
		*rows, err = drain(t, columns)
		return err
	}}
}

// files returns the files of all tables, in the order in which people read them.
func (d *Document) files() []file {
	t := &d.Tables
	correlations := kept(correlationsAre, false, &t.Correlations, correlationColumns)
	robustness := kept(robustnessIs, false, &t.Robustness, robustnessColumns)
	capability := kept(capabilityIs, false, &t.Capability, capabilityColumns(t.Spaces))
	return []file{
		{correlations.name, false, func() *table.Table { return reasoned(correlations.table()) }, correlations.read},
		kept(matrixIs, false, &t.Matrix, matrixColumns),
		kept(curvesAre, false, &t.Curves, curveColumns),
		{robustness.name, false, func() *table.Table { return reasoned(robustness.table()) }, robustness.read},
		kept(eachIs, true, &t.Each, eachColumns),
		kept(cellsAre, false, &t.Cells, cellColumns),
		{capability.name, false, capability.table, func(x *table.Table) (err error) {
			t.Spaces = spacesOf(x)
			t.Capability, err = drain(x, capabilityColumns(t.Spaces))
			return err
		}},
		kept(regionsAre, false, &t.Regions, regionColumns),
		kept(nextIs, false, &t.Next, nextColumns(t.Spaces)),
		{lossesAre.Name, true, func() *table.Table { return table.Of(lossesAre, d.losses(), lossColumns) }, nil},
		kept(predictionIs, false, &t.Prediction, gradeColumns),
		kept(subjectLossesAre, true, &t.SubjectLosses, subjectLossColumns),
		kept(shiftIs, false, &t.Shift, shiftColumns),
		kept(scoresAre, true, &t.Scores, scoreColumns),
		kept(intervalsAre, true, &t.Intervals, intervalColumns),
		kept(newIs, true, &t.New, newColumns),
		kept(abilitiesAre, true, &t.Abilities, abilityColumns),
		kept(classesAre, true, &t.Classes, classColumns),
		kept(similarityIs, true, &t.Similarity, similarityColumns),
		kept(comparedAre, true, &t.Compared, comparedColumns),
		kept(extremesAre, true, &t.Extremes, extremeColumns),
		kept(vectorsAre, true, &t.Vectors, vectorColumns),
		kept(parametersAre, true, &t.Parameters, parameterColumns),
		kept(masksAre, true, &t.Masks, maskColumns),
		kept(observedIs, true, &t.Observed, observedColumns),
		kept(shortFormsAre, true, &t.ShortForms, shortFormColumns),
		kept(agreementIs, true, &t.Agreement, agreementColumns),
		kept(searchesAre, true, &t.Searches, searchColumns),
		kept(resampledIs, true, &t.Resampled, resampledColumns),
		kept(consistencyIs, true, &t.Consistency, consistencyColumns),
	}
}
