// Package tables makes a public dataset from published tables of items and responses. The tables are CSV or Parquet, wide
// or long; a small mapping in TOML says what the columns mean.
package tables

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"achilles/sim/record"
)

// maxCells is the largest number of cells of a table. A cell without text takes a byte of a file, and 16 of memory.
const maxCells = 1 << 24

// A Table is a rectangle of cells, as text. Name is the file's name, for errors.
type Table struct {
	Name   string
	Header []string
	Rows   [][]string
	lines  []int // line of each row in the file, for errors
}

// Read returns the table in the bytes of a file: Parquet if the bytes begin with its magic number, comma-separated
// values otherwise. It refuses a table without rows, empty or duplicate column names, rows of different lengths, and
// more than 16,777,216 cells. The error names the file, and the line if there is one.
func Read(name string, b []byte) (*Table, error) {
	t := &Table{Name: name}
	var err error
	if bytes.HasPrefix(b, []byte("PAR1")) {
		if err = t.parquet(b); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	} else {
		err = t.csv(b)
	}
	if err != nil {
		return nil, err
	}
	if len(t.Rows) == 0 {
		return nil, fmt.Errorf("%s: the table has no rows", name)
	}
	return t, t.checkHeader()
}

func (t *Table) checkHeader() error {
	column := make(map[string]int, len(t.Header))
	for i, h := range t.Header {
		if h == "" {
			return fmt.Errorf("%s: column %d has no name", t.Name, i+1)
		}
		if _, twice := column[h]; twice {
			return fmt.Errorf("%s: two columns are called %q", t.Name, h)
		}
		column[h] = i
	}
	if len(t.Header) == 1 && strings.ContainsAny(t.Header[0], ";\t") {
		return fmt.Errorf("%s:1: one column, called %q; cells are separated by commas", t.Name, t.Header[0])
	}
	return nil
}

// at returns the file and the line of a row, for errors.
func (t *Table) at(row int) string { return fmt.Sprintf("%s:%d", t.Name, t.lines[row]) }

// add appends a row, which must have as many cells as the header.
func (t *Table) add(line int, cells []string) error {
	if len(cells) != len(t.Header) {
		return fmt.Errorf("%d cells; the header has %d", len(cells), len(t.Header))
	}
	if (len(t.Rows)+1)*len(cells) > maxCells {
		return fmt.Errorf("more than %d cells in one table", maxCells)
	}
	t.Rows = append(t.Rows, cells)
	t.lines = append(t.lines, line)
	return nil
}

func (t *Table) csv(b []byte) error {
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
		return fmt.Errorf("%s: the text is UTF-16; save it as UTF-8", t.Name)
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	if first, _, _ := bytes.Cut(b, []byte("\n")); bytes.Count(first, []byte(",")) >= maxCells {
		return fmt.Errorf("%s:1: more than %d columns", t.Name, maxCells)
	}
	r := csv.NewReader(bytes.NewReader(b))
	r.FieldsPerRecord = -1 // not checked here: add compares the number of cells with the header
	for {
		row, err := r.Read()
		var fault *csv.ParseError
		switch {
		case errors.Is(err, io.EOF) && t.Header == nil:
			return fmt.Errorf("%s: the file is empty", t.Name)
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &fault):
			return fmt.Errorf("%s:%d: column %d: %w", t.Name, fault.Line, fault.Column, fault.Err)
		case err != nil:
			return fmt.Errorf("%s: %w", t.Name, err)
		case t.Header == nil:
			t.Header = row
			continue
		}
		line, _ := r.FieldPos(0)
		if err := t.add(line, row); err != nil {
			return fmt.Errorf("%s:%d: %w", t.Name, line, err)
		}
	}
}

func (t *Table) parquet(b []byte) (err error) {
	defer record.RecoverCorrupt(&err)
	f, err := record.OpenParquet(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	for _, p := range f.Schema().Columns() {
		if len(p) != 1 {
			return fmt.Errorf("column %s is nested; only flat tables can be imported", strings.Join(p, "."))
		}
		t.Header = append(t.Header, p[0])
	}
	for _, g := range f.RowGroups() {
		if err := t.readGroup(g); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) readGroup(g parquet.RowGroup) error {
	rows := g.Rows()
	defer rows.Close()
	buf := make([]parquet.Row, 256)
	for {
		n, err := rows.ReadRows(buf)
		for _, r := range buf[:n] {
			cells := make([]string, len(t.Header))
			for _, v := range r {
				if !v.IsNull() {
					cells[v.Column()] = cellText(v)
				}
			}
			if row := len(t.Rows) + 1; t.add(row, cells) != nil {
				return fmt.Errorf("row %d: more than %d cells in one table", row, maxCells)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func cellText(v parquet.Value) string {
	switch v.Kind() {
	case parquet.Double:
		return strconv.FormatFloat(v.Double(), 'g', -1, 64)
	case parquet.Float:
		return strconv.FormatFloat(float64(v.Float()), 'g', -1, 32)
	case parquet.Boolean:
		return strconv.FormatBool(v.Boolean())
	}
	return v.String()
}

// missing reports whether a cell means that there is no value.
func missing(cell string) bool {
	switch cell {
	case "", "NA", "NaN", "nan", "null", "None":
		return true
	}
	return false
}

// number returns the number in a cell; ok is false if the cell has no finite number.
func number(cell string) (x float64, ok bool) {
	x, err := strconv.ParseFloat(cell, 64)
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}
