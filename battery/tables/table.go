// Package tables makes a public dataset of published tables of items and responses. The tables are CSV or Parquet, wide
// or long; a small mapping in TOML says which column means what.
package tables

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// A Table is a rectangle of cells, as text. Name is the file's name, for errors.
type Table struct {
	Name   string
	Header []string
	Rows   [][]string
	lines  []int // line of each row in the file, for errors
}

// Read reads a table: Parquet if the bytes begin with its magic number, comma-separated values otherwise. It refuses a
// table without rows, empty or duplicate column names, and rows of different lengths.
func Read(name string, b []byte) (*Table, error) {
	t := &Table{Name: name}
	var err error
	if bytes.HasPrefix(b, []byte("PAR1")) {
		err = t.parquet(b)
	} else {
		err = t.csv(b)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(t.Rows) == 0 {
		return nil, fmt.Errorf("%s: the table has no rows", name)
	}
	for i, h := range t.Header {
		if h == "" {
			return nil, fmt.Errorf("%s: column %d has no name", name, i+1)
		}
		if slices.Contains(t.Header[:i], h) {
			return nil, fmt.Errorf("%s: two columns are called %q", name, h)
		}
	}
	return t, nil
}

func (t *Table) csv(b []byte) error {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))))
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		line, _ := r.FieldPos(0)
		if t.Header == nil {
			t.Header = row
			continue
		}
		t.Rows = append(t.Rows, row)
		t.lines = append(t.lines, line)
	}
	if t.Header == nil {
		return errors.New("the file is empty")
	}
	return nil
}

func (t *Table) parquet(b []byte) (err error) {
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return fmt.Errorf("not a whole Parquet file: %w", err)
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
			t.Rows = append(t.Rows, cells)
			t.lines = append(t.lines, len(t.Rows))
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

// missing says whether a cell means that there is no value.
func missing(cell string) bool {
	switch cell {
	case "", "NA", "NaN", "nan", "null", "None":
		return true
	}
	return false
}
