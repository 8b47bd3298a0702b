package cli

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"strconv"

	"achilles/scenarios/results"
	"achilles/sim/record"
	"achilles/sim/store"
)

// csvTables writes tables into a directory, until an error.
type csvTables struct {
	out   *store.Draft
	files int
	err   error // the first
}

// table writes a table, whose rows the function rows writes.
func (t *csvTables) table(name string, rows func(c *csv.Writer) error) {
	if t.err != nil {
		return
	}
	f, err := t.out.Create(name)
	if err != nil {
		t.err = err
		return
	}
	buffer := bufio.NewWriterSize(f, 1<<16)
	c := csv.NewWriter(buffer)
	err = rows(c)
	c.Flush()
	t.err = cmp.Or(err, c.Error(), buffer.Flush(), f.Close())
	t.files++
}

// copied writes a table of the inferred part as it is there.
func (t *csvTables) copied(name string, d *results.Dir, place string) {
	if t.err != nil {
		return
	}
	b, err := d.ReadFile(place + "/" + name)
	if t.err = err; err == nil {
		t.err = t.out.Put(name, b)
	}
	t.files++
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// writeRows writes a table of n rows.
func writeRows(c *csv.Writer, header []string, n int, row func(i int) []string) error {
	err := c.Write(header)
	for i := 0; err == nil && i < n; i++ {
		err = c.Write(row(i))
	}
	return err
}

// cells returns a row of columns; a missing value is empty.
func cells(columns []record.Column, i int) (row []string) {
	for _, c := range columns {
		switch {
		case c.Missing != nil && c.Missing[i]:
			row = append(row, "")
		case c.Kind == record.Number:
			row = append(row, number(c.Number[i]))
		default:
			row = append(row, c.Text[i])
		}
	}
	return row
}
