package tables

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"achilles/sim/record"
)

// isParquet reports whether a file is Parquet.
func isParquet(f *File) bool { return bytes.HasPrefix(f.Head, []byte("PAR1")) }

// A leaves table is a Parquet file. Its columns are the leaves that have one value a row, called by their paths: metric.acc.
type leaves struct {
	file   *File
	header []string
	place  []int    // of each leaf of the file: its index in header, or −1
	lists  []string // leaves with several values a row, which are left out
}

func openParquet(f *File) (t *leaves, err error) {
	t = &leaves{file: f}
	err = t.with(func(p *parquet.File) error {
		for _, path := range p.Schema().Columns() {
			name := strings.Join(path, ".")
			leaf, ok := p.Schema().Lookup(path...)
			if !ok || leaf.MaxRepetitionLevel > 0 {
				t.place, t.lists = append(t.place, -1), append(t.lists, name)
				continue
			}
			t.place = append(t.place, len(t.header))
			t.header = append(t.header, name)
		}
		return nil
	})
	return t, err
}

// with calls f with the file.
func (t *leaves) with(f func(p *parquet.File) error) (err error) {
	h, err := t.file.Open()
	if err != nil {
		return err
	}
	defer h.Close()
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", t.file.Name, err)
		}
	}()
	defer record.RecoverCorrupt(&err)
	p, err := record.OpenParquet(h, t.file.Size)
	if err != nil {
		return err
	}
	return f(p)
}

// errStop ends a reading that nobody needs any more.
var errStop = errors.New("tables: stop")

func (t *leaves) rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		line := 0
		cells := make([]string, len(t.header))
		err := t.with(func(p *parquet.File) error {
			buf := make([]parquet.Row, 256)
			for _, g := range p.RowGroups() {
				if err := t.group(g, buf, cells, &line, yield); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(Row{}, err)
		}
	}
}

func (t *leaves) group(g parquet.RowGroup, buf []parquet.Row, cells []string, line *int, yield func(Row, error) bool) error {
	rows := g.Rows()
	defer rows.Close()
	for {
		n, err := rows.ReadRows(buf)
		for _, r := range buf[:n] {
			clear(cells)
			for _, v := range r {
				if c := t.place[v.Column()]; c >= 0 && !v.IsNull() {
					cells[c] = cellText(v)
				}
			}
			*line++
			if !yield(Row{File: t.file.Name, Line: *line, Cells: cells}, nil) {
				return errStop
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
