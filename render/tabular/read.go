package tabular

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/table"
)

// Read reads the rows of a table of a part from its files, which are CSV or Parquet.
func Read(fsys fs.FS, t *part.Table) (*table.Table, error) { return ReadIf(fsys, t, nil) }

// ReadIf reads the rows that keep wants; nil: all.
func ReadIf(fsys fs.FS, t *part.Table, keep func(row []table.Value) bool) (*table.Table, error) {
	out := t.Table
	for _, f := range t.Files {
		b, err := fs.ReadFile(fsys, f.Path)
		if err != nil {
			return nil, err
		}
		read := readCSV
		if path.Ext(f.Path) == ".parquet" {
			read = readParquet
		}
		if err := read(b, &out, keep); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	if err := out.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", t.Files[0].Path, err)
	}
	return &out, nil
}

// readCSV adds the rows of a file that CSV made.
func readCSV(b []byte, out *table.Table, keep func(row []table.Value) bool) error {
	in := csv.NewReader(bytes.NewReader(b))
	in.FieldsPerRecord = len(out.Columns)
	in.ReuseRecord = true
	for line := 0; ; line++ {
		texts, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		values := make([]table.Value, len(texts))
		for i, text := range texts {
			if line == 0 {
				if text != out.Columns[i].Name {
					return fmt.Errorf("column %q, where the manifest has %q", text, out.Columns[i].Name)
				}
				continue
			}
			if values[i], err = table.Parse(out.Columns[i].Kind, text); err != nil {
				return fmt.Errorf("row %d, column %s: %q is not a %s", line, out.Columns[i].Name, text, out.Columns[i].Kind)
			}
		}
		if line > 0 && (keep == nil || keep(values)) {
			out.Rows = append(out.Rows, values)
		}
	}
}

// readParquet adds the rows of a Parquet file, whose columns may stand in any order. A list becomes a text: its elements with
// spaces between.
func readParquet(b []byte, out *table.Table, keep func(row []table.Value) bool) (err error) {
	defer record.RecoverCorrupt(&err)
	f, err := record.OpenParquet(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	at := map[int]int{} // index of a column of the file → index of the column of the table
	for i, path := range f.Schema().Columns() {
		k := slices.IndexFunc(out.Columns, func(c table.Column) bool { return c.Name == path[0] })
		if k < 0 {
			return fmt.Errorf("column %q is not in the manifest", path[0])
		}
		at[i] = k
	}
	if len(at) != len(out.Columns) {
		return fmt.Errorf("%d columns, where the manifest has %d", len(at), len(out.Columns))
	}
	for _, g := range f.RowGroups() {
		if err := readGroup(g, at, out, keep); err != nil {
			return err
		}
	}
	return nil
}

// readGroup adds the rows of a row group that keep wants.
func readGroup(g parquet.RowGroup, at map[int]int, out *table.Table, keep func(row []table.Value) bool) error {
	rows := g.Rows()
	defer rows.Close()
	buffer := make([]parquet.Row, 256)
	for {
		n, err := rows.ReadRows(buffer)
		for _, r := range buffer[:n] {
			values := make([]table.Value, len(out.Columns))
			for i, cells := range r.Range {
				values[at[i]] = valueOf(out.Columns[at[i]].Kind, cells)
			}
			if keep == nil || keep(values) {
				out.Rows = append(out.Rows, values)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && n == 0 {
			err = io.ErrNoProgress
		}
		if err != nil {
			return err
		}
	}
}

// valueOf returns the value of the cells that a row has in a column: one, or those of a list.
func valueOf(kind table.Kind, cells []parquet.Value) table.Value {
	var values []table.Value
	for _, c := range cells {
		switch {
		case c.IsNull():
		case c.Kind() == parquet.Boolean:
			values = append(values, table.Bool(c.Boolean()))
		case c.Kind() == parquet.Int32:
			values = append(values, table.Int(int(c.Int32())))
		case c.Kind() == parquet.Int64:
			values = append(values, table.Int(int(c.Int64())))
		case c.Kind() == parquet.Double:
			values = append(values, table.Float(c.Double()))
		default:
			values = append(values, table.String(string(c.Bytes())))
		}
	}
	switch {
	case len(values) == 0:
		return table.None
	case kind != table.Text:
		return values[0]
	}
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = v.Text()
	}
	return table.String(strings.Join(texts, " "))
}
