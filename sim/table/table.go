// Package table has the one form in which results are handed on: rows of typed values under columns that say what they
// are. Grades, profiles, classifications, diagnostics, analyses and designs are Tables. Package render/tabular makes text, HTML and
// files of them; nothing else does.
package table

import (
	"fmt"
	"slices"
	"strings"
)

// A Table is rows of values, with all that a reader needs to print, sort, export and explain them.
type Table struct {
	Was     string    `json:"was,omitempty"`   // former name, by which it is found, too
	Name    string    `json:"name"`            // name of its file without the extension, unique in a directory
	Title   string    `json:"title,omitempty"` // a heading without a final stop
	Columns []Column  `json:"columns,omitempty"`
	Print   []string  `json:"print,omitempty"` // columns that people see, in their order; nil: all that are not Hidden, as they stand
	Key     []string  `json:"key,omitempty"`   // columns whose values together name a row; the last one is empty in a row that sums up the others
	Rows    [][]Value `json:"-"`
	Notes   []Note    `json:"notes,omitempty"`
	Foot    []string  `json:"foot,omitempty"`  // sentences that hold for the whole table
	View    *View     `json:"view,omitempty"`  // how people see it, if not row by row
	More    []View    `json:"more,omitempty"`  // further views, below the first
	Worst   []string  `json:"worst,omitempty"` // columns that bring the worst rows first, the weightiest column first: larger values before smaller ones, p-values and behind a minus the other way round

	FileOnly bool `json:"file_only,omitempty"` // too long to read: shown to who asks for it by name alone
}

// A Column says what its values are and how they are printed. It is printed unless Hidden is set, it has no value in any
// row, or another column prints it as its interval, its spread, its error or its bound.
type Column struct {
	Name   string `json:"name"`           // in files: lower case, words joined by _, unique in the table
	Was    string `json:"was,omitempty"`  // former name, by which conditions and sorting find it, too
	Head   string `json:"head,omitempty"` // in print; empty: Name with spaces
	Doc    string `json:"doc,omitempty"`  // what it is, in a phrase
	Unit   string `json:"unit,omitempty"`
	Kind   Kind   `json:"kind"`
	Digits int    `json:"digits,omitempty"` // decimals of a number in print; negative: as many as its spread says (num.Decimals), or three significant ones

	Low     string `json:"low,omitempty"` // columns of the ends of the interval that is printed behind the value
	High    string `json:"high,omitempty"`
	To      string `json:"to,omitempty"`      // column of the upper end of an interval of which this column has the lower: printed as one interval
	Spread  string `json:"spread,omitempty"`  // column of the standard deviation that is printed behind ±
	Error   string `json:"error,omitempty"`   // column of the standard error that is printed behind in parentheses
	AtMost  string `json:"at_most,omitempty"` // column of the probability that a value is at its maximum; where a row has it, only the lower end is printed
	Better  Better `json:"better,omitempty"`  // with Than: bold where the value is better
	Than    string `json:"than,omitempty"`    // column to compare with
	Percent bool   `json:"percent,omitempty"` // a share that is printed in per cent
	Dot     bool   `json:"dot,omitempty"`     // 0 is printed as a dot
	Test    bool   `json:"test,omitempty"`    // a p-value: one below its last digit is printed as <0.001, and the smallest is sorted first
	Prose   bool   `json:"prose,omitempty"`   // sentences, which may be broken into lines
	Hidden  bool   `json:"hidden,omitempty"`  // in files only
	Weight  int    `json:"weight,omitempty"`  // columns of a larger weight are left out first where there is little room; those of weight 0 stay
}

// Better says which values of a column are better.
type Better int8

// The values of Better.
const (
	Unjudged Better = iota
	Less
	More
)

// A Note is a remark on a cell. Equal texts share a number in print.
type Note struct {
	Row    int    `json:"row"`              // index of the row
	Column string `json:"column,omitempty"` // column of the cell
	Text   string `json:"text,omitempty"`
}

// A View shows some rows of a table, or a long table with one line for each value of Down and a group of columns for each
// value of Across. Files have all rows, one by one.
type View struct {
	Title  string            `json:"title,omitempty"` // empty: that of the table
	Where  string            `json:"where,omitempty"` // only rows whose value in this column has the text Is; empty: all rows
	Is     string            `json:"is,omitempty"`
	Down   string            `json:"down,omitempty"`
	Across string            `json:"across,omitempty"` // empty: row by row
	Cell   string            `json:"cell,omitempty"`   // column in each group
	Bare   bool              `json:"bare,omitempty"`   // cells have neither interval nor spread
	Below  []string          `json:"below,omitempty"`  // further columns of each group, printed under the cell
	Once   []string          `json:"once,omitempty"`   // columns that have one value for each line, printed after the groups
	First  bool              `json:"first,omitempty"`  // Once is printed before the groups
	Short  map[string]string `json:"short,omitempty"`  // shorter heads for values of Across
}

// A Field is a column together with its value in a row.
type Field[R any] struct {
	Column
	Of func(r R) Value
}

// Col returns a column with the function of its values.
func Col[R any](c Column, of func(r R) Value) Field[R] { return Field[R]{c, of} }

// Of fills a table with a row for each of rows.
func Of[R any](t Table, rows []R, fields []Field[R]) *Table {
	for _, f := range fields {
		t.Columns = append(t.Columns, f.Column)
	}
	for _, r := range rows {
		row := make([]Value, len(fields))
		for i, f := range fields {
			row[i] = f.Of(r)
		}
		t.Rows = append(t.Rows, row)
	}
	return &t
}

// Views returns all views of the table; none: it is seen row by row.
func (t *Table) Views() []View {
	if t.View == nil {
		return nil
	}
	return append([]View{*t.View}, t.More...)
}

// Index returns the index of a column. It panics if the table has no such column.
func (t *Table) Index(column string) int {
	i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == column })
	if i < 0 {
		panic("table: no such column")
	}
	return i
}

// Has reports whether a column has a value in any row.
func (t *Table) Has(column string) bool {
	i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == column })
	return i >= 0 && slices.ContainsFunc(t.Rows, func(row []Value) bool { return row[i].there })
}

// Value returns the value of a row in a column.
func (t *Table) Value(row int, column string) Value { return t.Rows[row][t.Index(column)] }

// Note adds a note on a cell, for each text.
func (t *Table) Note(row int, column string, texts ...string) {
	for _, s := range texts {
		t.Notes = append(t.Notes, Note{row, column, s})
	}
}

// Sum reports whether a row sums up the others: the last column of the key has no value.
func (t *Table) Sum(row int) bool {
	return len(t.Key) > 0 && !t.Value(row, t.Key[len(t.Key)-1]).there
}

// Check returns an error if the table contradicts itself: a column without a name or named twice, a reference to a column
// that is not there, or a row of another length. It says what is wrong, for tests and for tables that were read.
func (t *Table) Check() error {
	seen := map[string]bool{"": true}
	for _, c := range t.Columns {
		if c.Name == "" || seen[c.Name] {
			return fmt.Errorf("table %s: column %q appears twice, or has no name", t.Name, c.Name)
		}
		seen[c.Name] = true
	}
	names := slices.Concat(t.Key, t.Print)
	for _, c := range t.Columns {
		names = append(names, c.Low, c.High, c.To, c.Spread, c.Error, c.AtMost, c.Than)
	}
	for _, v := range t.Views() {
		names = append(append(append(names, v.Where, v.Down, v.Across, v.Cell), v.Below...), v.Once...)
	}
	for _, by := range t.Worst {
		names = append(names, strings.TrimPrefix(by, "-"))
	}
	for _, n := range t.Notes {
		if names = append(names, n.Column); n.Row < 0 || n.Row >= len(t.Rows) {
			return fmt.Errorf("table %s: a note on row %d of %d", t.Name, n.Row, len(t.Rows))
		}
	}
	for _, name := range names {
		if !seen[name] {
			return fmt.Errorf("table %s: no column %q", t.Name, name)
		}
	}
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("table %s: row %d has %d values for %d columns", t.Name, i, len(row), len(t.Columns))
		}
		for k, v := range row {
			if v.there && v.kind != t.Columns[k].Kind {
				return fmt.Errorf("table %s: row %d, column %s: a %s in a column of kind %s", t.Name, i, t.Columns[k].Name, v.kind, t.Columns[k].Kind)
			}
		}
	}
	return nil
}
