package infer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"achilles/sim/record"

	"github.com/parquet-go/parquet-go"
)

// Draws is a table of posterior draws with one slice for each column. Element i of each slice belongs to row i: one
// draw of one subject. Values has one slice for each parameter.
type Draws struct {
	Parameters  []string
	Subject     []string
	Chain, Draw []int32
	Values      [][]float64
}

// drawsSchema returns the schema of a table with columns subject, chain, draw and one for each parameter. index is the
// position of each column, because Parquet sorts the columns of a group by name.
func drawsSchema(parameters []string) (s *parquet.Schema, index map[string]int) {
	g := parquet.Group{
		"subject": parquet.Encoded(parquet.String(), &parquet.Plain),
		"chain":   parquet.Int(32), "draw": parquet.Int(32),
	}
	for _, p := range parameters {
		g[p] = parquet.Leaf(parquet.DoubleType)
	}
	s = parquet.NewSchema("draws", g)
	index = map[string]int{}
	for i, path := range s.Columns() {
		index[path[0]] = i
	}
	return s, index
}

// A drawsWriter writes the table of draws, one subject after the other.
type drawsWriter struct {
	w          *parquet.Writer
	parameters []string
	index      map[string]int // position of each column
	row        parquet.Row
}

// newDrawsWriter begins a table. Columns wait in scratch until they are written; nil is memory.
func newDrawsWriter(out io.Writer, parameters []string, scratch parquet.BufferPool) (*drawsWriter, error) {
	for _, p := range parameters {
		if p == "subject" || p == "chain" || p == "draw" {
			return nil, fmt.Errorf("a parameter must not be called %q", p)
		}
	}
	schema, index := drawsSchema(parameters)
	w := parquet.NewWriter(out, append(record.RowOptions(scratch), schema)...)
	return &drawsWriter{w, parameters, index, make(parquet.Row, len(index))}, nil
}

// write adds the draws of a subject, [chain][draw][parameter].
func (d *drawsWriter) write(subject string, draws [][][]float64) error {
	set := func(name string, v parquet.Value) { d.row[d.index[name]] = v.Level(0, 0, d.index[name]) }
	set("subject", parquet.ByteArrayValue([]byte(subject)))
	for c, chain := range draws {
		set("chain", parquet.Int32Value(int32(c)))
		for i, draw := range chain {
			set("draw", parquet.Int32Value(int32(i)))
			for k, p := range d.parameters {
				set(p, parquet.DoubleValue(draw[k]))
			}
			if _, err := d.w.WriteRows([]parquet.Row{d.row}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *Draws) decode(b []byte) (err error) {
	defer record.RecoverCorrupt(&err)
	f, err := record.OpenParquet(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	index := map[string]int{}
	for i, path := range f.Schema().Columns() {
		index[path[0]] = i
		if !slices.Contains([]string{"subject", "chain", "draw"}, path[0]) {
			d.Parameters = append(d.Parameters, path[0])
		}
	}
	if len(index) != len(d.Parameters)+3 {
		return errors.New("columns subject, chain and draw are needed")
	}
	d.Values = make([][]float64, len(d.Parameters))
	for _, g := range f.RowGroups() {
		if err := d.readGroup(g, index); err != nil {
			return err
		}
	}
	return nil
}

func (d *Draws) readGroup(g parquet.RowGroup, index map[string]int) error {
	rows := g.Rows()
	defer rows.Close()
	buf := make([]parquet.Row, 256)
	for {
		n, err := rows.ReadRows(buf)
		for _, r := range buf[:n] {
			d.Subject = append(d.Subject, r[index["subject"]].String())
			d.Chain = append(d.Chain, r[index["chain"]].Int32())
			d.Draw = append(d.Draw, r[index["draw"]].Int32())
			for k, p := range d.Parameters {
				d.Values[k] = append(d.Values[k], r[index[p]].Double())
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
