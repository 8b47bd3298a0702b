package record

import (
	"slices"

	"github.com/parquet-go/parquet-go"
)

// A trajectoryGroup is a row group of a shard. It is encoded as a whole, so that groups can be encoded at the same time.
type trajectoryGroup struct {
	shard *shardWriter
	last  bool // of the shard
	rows  []Trajectory
	group *parquet.ConcurrentRowGroupWriter
	table tableWriter // the columns of the group
	cells rowCells
	item  string       // of the last row
	lists []listValues // of the trajectories of that item, each of which several rows may share
	done  chan error   // receives the error of encode
}

func newTrajectoryGroup(s *shardWriter) *trajectoryGroup {
	g := &trajectoryGroup{shard: s, group: s.table.w.BeginRowGroup(), done: make(chan error, 1)}
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
	values(0, x.alone(t.Item))
	values(1, x.integer(t.Trial))
	values(2, x.text(t.Subject))
	values(3, x.integer(t.Repetition))
	values(4, x.text(t.Viewer))
	values(5, x.text(string(t.Movement)))
	values(6, x.integer(int(t.Scale)))
	for c, list := range g.listsOf(t).values {
		values(7+c, list)
	}
	return err
}

// listValues are the values of a trajectory in the columns that are lists: five of its steps, and five of its sightings.
type listValues struct {
	shape
	values [10][]parquet.Value
}

// A shape tells whether two trajectories share their steps and sightings.
type shape struct {
	steps *Step
	seen  *Sighting
	n, k  int // numbers of steps and sightings
}

func (t *Trajectory) shape() shape {
	x := shape{n: len(t.Steps), k: len(t.Seen)}
	if x.n > 0 {
		x.steps = &t.Steps[0]
	}
	if x.k > 0 {
		x.seen = &t.Seen[0]
	}
	return x
}

// mostShapes is the largest number of shapes of an item that are kept, whose lists take some kilobytes each. Of more, the last one gives
// way: what many subjects do comes early.
const mostShapes = 16

// listsOf returns the lists of a trajectory, valid until the next call. Those of one item are made once for all trajectories that share
// them: many subjects act in the same way.
func (g *trajectoryGroup) listsOf(t *Trajectory) *listValues {
	if t.Item != g.item {
		g.item, g.lists = t.Item, g.lists[:0]
	}
	shape := t.shape()
	for i := range g.lists {
		if g.lists[i].shape == shape {
			return &g.lists[i]
		}
	}
	if len(g.lists) < mostShapes {
		g.lists = slices.Grow(g.lists, 1)[:len(g.lists)+1] // with the memory of the lists that were there
	}
	l, x := &g.lists[len(g.lists)-1], &g.cells
	l.shape = shape
	n, k := len(t.Steps), len(t.Seen)
	v := &l.values
	v[0] = x.integers(v[0], n, func(i int) int32 { return t.Steps[i].Tick })
	v[1] = x.integers(v[1], n, func(i int) int32 { return t.Steps[i].X })
	v[2] = x.integers(v[2], n, func(i int) int32 { return t.Steps[i].Y })
	v[3] = x.texts(v[3], n, func(i int) string { return string(t.Steps[i].Heading) })
	v[4] = x.texts(v[4], n, func(i int) string { return t.Steps[i].Action })
	v[5] = x.integers(v[5], k, func(i int) int32 { return t.Seen[i].Step })
	v[6] = x.texts(v[6], k, func(i int) string { return t.Seen[i].Entity })
	v[7] = x.integers(v[7], k, func(i int) int32 { return t.Seen[i].X })
	v[8] = x.integers(v[8], k, func(i int) int32 { return t.Seen[i].Y })
	v[9] = x.texts(v[9], k, func(i int) string { return t.Seen[i].As })
	return l
}

// rowCells makes the values of cells. Those of texts and of small numbers are kept, because they occur again and again. The values of
// one number or text are valid until the next call; those of lists are in the memory of a slice that is given.
type rowCells struct {
	values []parquet.Value
	small  [2][]parquet.Value           // 0 … smallNumbers−1 as the first of a list, and as any other
	words  map[string]*[2]parquet.Value // texts in the same way

	last      string // of alone
	lastValue parquet.Value
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

// alone returns the value of a text that seldom comes again.
func (x *rowCells) alone(v string) []parquet.Value {
	if v != x.last || x.lastValue.IsNull() {
		x.last, x.lastValue = v, parquet.ByteArrayValue([]byte(v)).Level(0, 0, 0)
	}
	x.values = append(x.values[:0], x.lastValue)
	return x.values
}

// integers returns the values of a list of n integers.
func (x *rowCells) integers(list []parquet.Value, n int, value func(i int) int32) []parquet.Value {
	if x.small[0] == nil {
		for v := range int32(smallNumbers) {
			x.small[0], x.small[1] = append(x.small[0], first(parquet.Int32Value(v))), append(x.small[1], other(parquet.Int32Value(v)))
		}
	}
	if list = list[:0]; n == 0 {
		return append(list, parquet.NullValue())
	}
	for i := range n {
		v, later := value(i), min(i, 1)
		if uint32(v) < smallNumbers {
			list = append(list, x.small[later][v])
		} else {
			list = append(list, parquet.Int32Value(v).Level(later, 1, 0))
		}
	}
	return list
}

// texts returns the values of a list of n texts.
func (x *rowCells) texts(list []parquet.Value, n int, value func(i int) string) []parquet.Value {
	if list = list[:0]; n == 0 {
		return append(list, parquet.NullValue())
	}
	last, word := "", x.word("")
	for i := range n {
		if v := value(i); v != last {
			last, word = v, x.word(v)
		}
		list = append(list, word[min(i, 1)])
	}
	return list
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
