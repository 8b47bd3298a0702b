package infer

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"

	"github.com/parquet-go/parquet-go"

	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/table"
)

// unitDrawsName names the table of draws of units, and the folder of its files.
const unitDrawsName = "parameterdraws"

// mostKept is the largest number of draws of units that are kept: of more, every draw whose number a whole number divides.
const mostKept = 1 << 24

// A UnitDraw is the value at one posterior draw of one parameter of an item, of a group, or of everybody.
type UnitDraw struct {
	Parameter string  `parquet:"parameter,plain"`
	Kind      string  `parquet:"kind,plain"` // as in Unit
	Unit      string  `parquet:"unit,plain"`
	Chain     int32   `parquet:"chain"`
	Draw      int32   `parquet:"draw"` // within the chain, as in the table of the subjects' draws
	Value     float64 `parquet:"value"`
}

var unitDrawsAre = table.Table{
	Name: unitDrawsName, Title: "Posterior draws of item and shared parameters, one file per chain", FileOnly: true, Key: []string{"unit", "parameter", "chain", "draw"},
	Columns: []table.Column{
		{Name: "parameter", Kind: table.Text},
		{Name: "kind", Kind: table.Text},
		{Name: "unit", Kind: table.Text},
		{Name: "chain", Kind: table.Count},
		{Name: "draw", Kind: table.Count, Doc: "within the chain"},
		{Name: "value", Digits: 4},
	},
}

func unitDrawsFile(chain int) string { return fmt.Sprintf("%s/%06d.parquet", unitDrawsName, chain) }

// putUnitDraws writes the draws of all units, one file a chain, each in the order of the units.
func (r jointly) putUnitDraws(out *listing, units []Unit, draws [][][]float64) error {
	at := r.unitPlaces()
	if len(at) == 0 {
		return nil
	}
	step := keptStep(len(at), draws, mostKept)
	for c, chain := range draws {
		f, err := out.create(unitDrawsFile(c))
		if err != nil {
			return err
		}
		w := record.NewRowWriter[UnitDraw](f, r.Scratch)
		var rows []UnitDraw
		for k, u := range units {
			rows = rows[:0]
			for i := 0; i < len(chain); i += step {
				rows = append(rows, UnitDraw{Parameter: u.Parameter, Kind: u.Kind, Unit: u.Unit, Chain: int32(c), Draw: int32(i), Value: chain[i][at[k]]})
			}
			f.rows += len(rows)
			if err = w.Write(rows); err != nil {
				break
			}
		}
		if err = cmp.Or(err, w.Close(), f.Close()); err != nil {
			return fmt.Errorf("infer: %s: %w", f.name, err)
		}
	}
	return nil
}

// keptStep returns the step from one kept draw to the next with which about `most` draws of so many units are kept.
func keptStep(units int, draws [][][]float64, most int) int {
	n := 0
	for _, chain := range draws {
		n += units * len(chain)
	}
	return max(1, (n+most-1)/most)
}

// unitPlaces returns where the values of units are in a vector of all values, in the order of Result.Units.
func (r jointly) unitPlaces() (out []int) {
	has := unitsOf(r.joint.Layout(), r.Engine)
	for i := range r.joint.Layout().Parameters {
		if has(i) {
			for at := r.joint.First(i); at < r.joint.First(i)+r.joint.Units(i); at++ {
				out = append(out, at)
			}
		}
	}
	return out
}

// UnitDraws are the posterior draws of the units of a Result, Result.Units, which stay on disk.
type UnitDraws struct {
	units int
	draws []int32 // numbers of the draws that are kept, the same in all chains and for all units
	files []chainFile
}

// A chainFile is the file of the draws of one chain.
type chainFile struct {
	dir  fs.FS
	file part.File
}

// newUnitDraws returns the draws that the manifest lists, or nil if it lists none. The number of units is that of the table of
// parameters.
func newUnitDraws(dir fs.FS, m *part.Manifest, units int) (_ *UnitDraws, err error) {
	i := slices.IndexFunc(m.Tables, func(t part.Table) bool { return t.Name == unitDrawsName })
	if i < 0 {
		return nil, nil
	}
	d := &UnitDraws{units: units}
	for c, file := range m.Tables[i].Files {
		if file.Path != unitDrawsFile(c) {
			return nil, fmt.Errorf("inferred/%s: the file of chain %d is %s, which the manifest does not list here", file.Path, c, unitDrawsFile(c))
		}
		numbers, err := drawNumbers(dir, file, units)
		if err != nil {
			return nil, fmt.Errorf("inferred/%s: %w", file.Path, err)
		}
		if c > 0 && !slices.Equal(numbers, d.draws) {
			return nil, fmt.Errorf("inferred/%s: it has other draws than %s", file.Path, d.files[0].file.Path)
		}
		d.draws, d.files = numbers, append(d.files, chainFile{dir, file})
	}
	return d, nil
}

// drawNumbers returns the numbers of the draws of the first of so many units.
func drawNumbers(dir fs.FS, file part.File, units int) (out []int32, err error) {
	column, done, err := openColumn(dir, file, "draw")
	if err != nil {
		return nil, err
	}
	defer done()
	if units == 0 || column.rows == 0 || column.rows%int64(units) != 0 {
		return nil, fmt.Errorf("%d rows, for %d item and shared parameters: each needs the same number of draws", column.rows, units)
	}
	values := make([]parquet.Value, column.rows/int64(units))
	if err := column.read(values); err != nil {
		return nil, err
	}
	for _, v := range values {
		out = append(out, v.Int32())
	}
	return out, nil
}

// Chains returns the number of chains.
func (d *UnitDraws) Chains() int { return len(d.files) }

// Draws returns the numbers within a chain of the draws that are kept: 0, 1, 2 … or, where there were many, 0, k, 2k …. The table of the
// subjects' draws has the same draws under the same numbers.
func (d *UnitDraws) Draws() []int32 { return d.draws }

// Of returns the draws of Result.Units[unit], [chain][number in Draws].
func (d *UnitDraws) Of(unit int) ([][]float64, error) {
	if unit < 0 || unit >= d.units {
		panic("infer: draws are wanted of a unit that the result does not have")
	}
	for draws, err := range d.from(unit) {
		return draws, err
	}
	return nil, io.ErrUnexpectedEOF
}

// All yields the draws of all units in the order of Result.Units, each as Of returns them, and holds those of one unit at a time. An
// error is the last that it yields.
func (d *UnitDraws) All() iter.Seq2[[][]float64, error] { return d.from(0) }

// from yields the draws of a unit and of those after it.
func (d *UnitDraws) from(unit int) iter.Seq2[[][]float64, error] {
	return func(yield func([][]float64, error) bool) {
		columns := make([]*column, len(d.files))
		for c, f := range d.files {
			column, done, err := openColumn(f.dir, f.file, "value")
			if err != nil {
				yield(nil, err)
				return
			}
			defer done()
			column.skip = int64(unit * len(d.draws))
			columns[c] = column
		}
		values := make([]parquet.Value, len(d.draws))
		for range d.units - unit {
			out := make([][]float64, len(columns))
			for c, column := range columns {
				if err := column.read(values); err != nil {
					yield(nil, fmt.Errorf("inferred/%s: %w", d.files[c].file.Path, err))
					return
				}
				for _, v := range values {
					out[c] = append(out[c], v.Double())
				}
			}
			if !yield(out, nil) {
				return
			}
		}
	}
}

// A column reads the values of one column of a table from the first to the last.
type column struct {
	rows   int64 // in all
	chunks []parquet.ColumnChunk
	skip   int64 // number of values to leave out
	pages  parquet.Pages
	values parquet.ValueReader // of the page that is being read; nil: none
}

// openColumn opens a column of a Parquet file, which done closes.
func openColumn(dir fs.FS, file part.File, name string) (_ *column, done func(), err error) {
	defer record.RecoverCorrupt(&err)
	f, err := openTable(dir, file)
	if err != nil {
		return nil, nil, err
	}
	leaf, ok := f.Schema().Lookup(name)
	if !ok {
		return nil, nil, errors.Join(fmt.Errorf("no column %s", name), f.Close())
	}
	c := &column{rows: f.NumRows()}
	for _, g := range f.RowGroups() {
		c.chunks = append(c.chunks, g.ColumnChunks()[leaf.ColumnIndex])
	}
	return c, func() {
		if c.pages != nil {
			_ = c.pages.Close()
		}
		_ = f.Close()
	}, nil
}

// read reads the next values, as many as out has.
func (c *column) read(out []parquet.Value) (err error) {
	defer record.RecoverCorrupt(&err)
	for n := 0; n < len(out); {
		if c.values == nil {
			if err := c.turn(); err != nil {
				return err
			}
		}
		k, err := c.values.ReadValues(out[n:])
		n += k
		switch {
		case errors.Is(err, io.EOF):
			c.values = nil
		case err != nil:
			return err
		case k == 0:
			return io.ErrNoProgress
		}
	}
	return nil
}

// turn goes on to the next page.
func (c *column) turn() error {
	for {
		if c.pages == nil {
			for len(c.chunks) > 0 && c.skip >= c.chunks[0].NumValues() {
				c.skip, c.chunks = c.skip-c.chunks[0].NumValues(), c.chunks[1:]
			}
			if len(c.chunks) == 0 {
				return io.ErrUnexpectedEOF
			}
			c.pages, c.chunks = c.chunks[0].Pages(), c.chunks[1:]
			if c.skip > 0 {
				if err := c.pages.SeekToRow(c.skip); err != nil {
					return err
				}
				c.skip = 0
			}
		}
		page, err := c.pages.ReadPage()
		if errors.Is(err, io.EOF) {
			if err := c.pages.Close(); err != nil {
				return err
			}
			c.pages = nil
			continue
		}
		if err != nil {
			return err
		}
		c.values = page.Values()
		return nil
	}
}
