package record

import (
	"github.com/parquet-go/parquet-go"
)

// A trajectoryGroup is a row group of a shard. It is encoded as a whole, so that groups can be encoded at the same time.
type trajectoryGroup struct {
	rows  []Trajectory
	group *parquet.ConcurrentRowGroupWriter
	table tableWriter // the columns of the group
	cells rowCells
	done  chan error // receives the error of encode
}

func newTrajectoryGroup(w *parquet.GenericWriter[any]) *trajectoryGroup {
	g := &trajectoryGroup{group: w.BeginRowGroup(), done: make(chan error, 1)}
	g.table = tableWriter{columns: g.group.ColumnWriters()}
	return g
}

// encode encodes and compresses the rows.
func (g *trajectoryGroup) encode() error {
	for i := range g.rows {
		if err := g.row(&g.rows[i]); err != nil {
			return err
		}
	}
	return g.group.Flush()
}

func (g *trajectoryGroup) row(t *Trajectory) (err error) {
	values := func(c int, list []parquet.Value) {
		if err == nil {
			_, err = g.table.columns[c].WriteRowValues(list)
		}
	}
	x := &g.cells
	values(0, x.text(t.Item))
	values(1, x.integer(t.Trial))
	values(2, x.text(t.Subject))
	values(3, x.integer(t.Repetition))
	values(4, x.text(t.Viewer))
	values(5, x.text(string(t.Movement)))
	values(6, x.integer(int(t.Scale)))
	n, k := len(t.Steps), len(t.Seen)
	values(7, x.integers(n, func(i int) int32 { return t.Steps[i].Tick }))
	values(8, x.integers(n, func(i int) int32 { return t.Steps[i].X }))
	values(9, x.integers(n, func(i int) int32 { return t.Steps[i].Y }))
	values(10, x.texts(n, func(i int) string { return string(t.Steps[i].Heading) }))
	values(11, x.texts(n, func(i int) string { return t.Steps[i].Action }))
	values(12, x.integers(k, func(i int) int32 { return t.Seen[i].Step }))
	values(13, x.texts(k, func(i int) string { return t.Seen[i].Entity }))
	values(14, x.integers(k, func(i int) int32 { return t.Seen[i].X }))
	values(15, x.integers(k, func(i int) int32 { return t.Seen[i].Y }))
	values(16, x.texts(k, func(i int) string { return t.Seen[i].As }))
	return err
}

// rowCells makes the values of cells. Those of texts and of small numbers are kept, because they occur again and again. The slices
// that it returns are valid until the next call.
type rowCells struct {
	values []parquet.Value
	small  [2][]parquet.Value           // 0 … smallNumbers−1 as the first of a list, and as any other
	words  map[string]*[2]parquet.Value // texts in the same way
}

const (
	smallNumbers = 256
	mostWords    = 1 << 12 // after which all words are forgotten
)

// Repetition levels of the first value of a list, and of any other; both are present.
func first(v parquet.Value) parquet.Value { return v.Level(0, 1, 0) }
func other(v parquet.Value) parquet.Value { return v.Level(1, 1, 0) }

func (x *rowCells) integer(v int) []parquet.Value {
	x.values = append(x.values[:0], parquet.Int32Value(int32(v)))
	return x.values
}

func (x *rowCells) text(v string) []parquet.Value {
	x.values = append(x.values[:0], x.word(v)[0])
	return x.values
}

// integers returns the values of a list of n integers.
func (x *rowCells) integers(n int, value func(i int) int32) []parquet.Value {
	if x.small[0] == nil {
		for v := range int32(smallNumbers) {
			x.small[0], x.small[1] = append(x.small[0], first(parquet.Int32Value(v))), append(x.small[1], other(parquet.Int32Value(v)))
		}
	}
	if n == 0 {
		return x.empty()
	}
	x.values = x.values[:0]
	for i := range n {
		v, later := value(i), min(i, 1)
		if uint32(v) < smallNumbers {
			x.values = append(x.values, x.small[later][v])
		} else {
			x.values = append(x.values, parquet.Int32Value(v).Level(later, 1, 0))
		}
	}
	return x.values
}

// texts returns the values of a list of n texts.
func (x *rowCells) texts(n int, value func(i int) string) []parquet.Value {
	if n == 0 {
		return x.empty()
	}
	x.values = x.values[:0]
	last, word := "", x.word("")
	for i := range n {
		if v := value(i); v != last {
			last, word = v, x.word(v)
		}
		x.values = append(x.values, word[min(i, 1)])
	}
	return x.values
}

// empty returns the value of a list without elements.
func (x *rowCells) empty() []parquet.Value {
	x.values = append(x.values[:0], parquet.NullValue())
	return x.values
}

// word returns the values of a text.
func (x *rowCells) word(s string) *[2]parquet.Value {
	if w, ok := x.words[s]; ok {
		return w
	}
	if x.words == nil || len(x.words) == mostWords {
		x.words = map[string]*[2]parquet.Value{}
	}
	v := parquet.ByteArrayValue([]byte(s))
	w := &[2]parquet.Value{first(v), other(v)}
	x.words[s] = w
	return w
}
