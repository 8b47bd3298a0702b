// Package tables makes a public dataset of the tables that people have. A format (Format) reads files as rows; a mapping in TOML says
// what the columns mean, written by a person or proposed from names and values; Build makes the dataset.
package tables

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxCells is the largest number of cells of a table of items or of subjects, which is held in memory.
const maxCells = 1 << 24

// A Table is a rectangle of cells, as text. Name is the file's name, for errors.
type Table struct {
	Name   string
	Header []string
	Rows   [][]string
	lines  []int // line of each row in the file, for errors
	read   Reading

	guessed bool // whether it is a sheet of a workbook of which nobody has said what it is
}

// ReadTable returns the table in files with the same columns. It refuses a table without rows, duplicate column names, rows of
// different lengths, and more than 16,777,216 cells. The error names the file, and the line if there is one.
func ReadTable(files []*File, r Reading) (*Table, error) {
	s, err := readRectangle(files, r)
	if err != nil {
		return nil, err
	}
	n := len(s.Header) - 1 // without the name of the file
	t := &Table{Name: s.Name, Header: s.Header[:n], read: s.Read}
	for row, err := range s.Each {
		if err != nil {
			return nil, err
		}
		if (len(t.Rows)+1)*n > maxCells {
			return nil, fmt.Errorf("%s: more than %d cells in one table", t.Name, maxCells)
		}
		t.Rows, t.lines = append(t.Rows, slices.Clone(row.Cells[:n])), append(t.lines, row.Line)
	}
	if len(t.Rows) == 0 {
		return nil, fmt.Errorf("%s: the table has no rows", t.Name)
	}
	return t, nil
}

// At returns the file and the line of a row, for errors.
func (t *Table) At(row int) string { return fmt.Sprintf("%s:%d", t.Name, t.lines[row]) }

// key returns the index of the column with the names of the rows: the one column of a key or, if the key has several, a new column
// in which they are joined.
func (t *Table) key(columns []int, name string) int {
	if len(columns) == 1 {
		return columns[0]
	}
	t.Header = append(slices.Clone(t.Header), "("+name+")")
	for i, r := range t.Rows {
		t.Rows[i] = append(r, joined(r, columns))
	}
	return len(t.Header) - 1
}

// joined returns the name of which these cells are the parts.
func joined(cells []string, columns []int) string {
	if len(columns) == 1 {
		return cells[columns[0]]
	}
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = cells[c]
	}
	return strings.Join(parts, "/")
}

// missing reports whether a cell means that there is no value.
func missing(cell string) bool {
	switch cell {
	case "", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None", ".", "-":
		return true
	}
	return false
}

// number returns the number in a cell, 0.95 for 95%; ok is false if the cell has no finite number.
func number(cell string) (x float64, ok bool) {
	digits := cell
	if strings.HasSuffix(cell, "%") {
		digits = bare(cell) + "e-2"
	}
	x, err := strconv.ParseFloat(digits, 64)
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// number returns the number in a cell that is written with the decimal sign of r.
func (r *Reading) number(cell string) (x float64, ok bool) {
	if r.Decimal == "," {
		if strings.ContainsRune(cell, '.') {
			return 0, false
		}
		cell = strings.Replace(cell, ",", ".", 1)
	}
	return number(cell)
}

// bare returns a cell without the sign of per cent.
func bare(cell string) string { return strings.TrimRight(strings.TrimSuffix(cell, "%"), " ") }

// isComma reports whether a cell is a number with a decimal comma.
func isComma(cell string) bool {
	before, after, ok := strings.Cut(bare(cell), ",")
	if !ok || after == "" || strings.Trim(after, "0123456789") != "" {
		return false
	}
	_, ok = number(strings.TrimSpace(before) + "." + after)
	return ok
}
