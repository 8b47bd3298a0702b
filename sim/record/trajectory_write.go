package record

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"

	"achilles/sim/part"
)

// Trajectories are in shards that mix many subjects and items, so that neither size nor order of the files reveals
// anything.
const (
	trajectoryIndex     = trajectoryFolder + "index.parquet"
	trajectoryRowGroup  = 1 << 10
	trajectoriesPerFile = 1 << 14
	trajectoryPage      = 1 << 14 // bytes; small, because reading one trajectory decodes a whole page of each column
)

// trajectoryFields returns the schema of a shard: one row per trajectory, with its steps and sightings as lists.
func trajectoryFields() []field {
	return []field{
		{"item", textCell}, {"trial", integerCell}, {"subject", textCell}, {"repetition", integerCell},
		{"viewer", textCell}, {"movement", textCell}, {"scale", integerCell},
		{"tick", integerList}, {"x", integerList}, {"y", integerList}, {"heading", textList}, {"action", textList},
		{"seen_step", integerList}, {"seen_entity", textList}, {"seen_x", integerList}, {"seen_y", integerList},
		{"seen_as", textList},
	}
}

// indexFields returns the schema of the index: where each trajectory is.
func indexFields() []field {
	return []field{
		{"item", textCell}, {"trial", integerCell}, {"subject", textCell}, {"repetition", integerCell},
		{"steps", integerCell}, {"shard", integerCell}, {"row", integerCell},
	}
}

// A TrajectoryWriter writes trajectories into shards. It holds Jobs + 1 row groups in memory, or one if Jobs is 0 or 1.
type TrajectoryWriter struct {
	Jobs    int                // up to Jobs goroutines encode row groups; 0 or 1: none but the caller's
	Scratch parquet.BufferPool // where the compressed index waits until Close; nil is memory

	create   Create
	files    []part.File
	entries  []entry            // the last rows of the index, which are not yet written
	last     Key                // key of the last trajectory
	checked  []shape            // of trajectories of its item, at most mostShapes
	index    *shardWriter       // nil before the first trajectory
	shard    *shardWriter       // is being filled; nil if there is none
	open     []*shardWriter     // are not closed, in order: this one and those before it
	shards   int32              // number of shards that are full
	group    *trajectoryGroup   // is being filled; nil if there is none
	encoding []*trajectoryGroup // are full, and not yet written, in order
	free     []*trajectoryGroup // of the shard
	row      int32              // number of the next row in the current shard
	err      error              // the first error, after which nothing is written
}

// An entry is one row of the index.
type entry struct {
	Key
	steps, shard, row int32
}

// NewTrajectoryWriter returns a writer that calls create to create its files. Their paths are relative to the public
// directory.
func NewTrajectoryWriter(create Create) *TrajectoryWriter {
	return &TrajectoryWriter{create: create}
}

// Write appends a trajectory, whose slices must not change until Close returns. Trajectories must come sorted by item, trial,
// subject and repetition, without duplicates. After an error only Close may be called.
func (w *TrajectoryWriter) Write(t *Trajectory) error {
	if w.err == nil {
		w.err = w.write(t)
	}
	return w.err
}

func (w *TrajectoryWriter) write(t *Trajectory) error {
	if err := w.check(t); err != nil {
		return fmt.Errorf("trajectory of %s: %w", t.Key, err)
	}
	if w.index != nil && compareKeys(w.last, t.Key) >= 0 {
		return fmt.Errorf("trajectory of %s: not sorted, or written twice", t.Key)
	}
	if err := w.begin(); err != nil {
		return err
	}
	w.group.rows = append(w.group.rows, *t)
	if err := w.enter(entry{t.Key, int32(len(t.Steps)), w.shards, w.row}); err != nil {
		return fmt.Errorf("%s: %w", trajectoryIndex, err)
	}
	w.last = t.Key
	w.row++
	if w.row == trajectoriesPerFile {
		return w.endShard()
	}
	if w.row%trajectoryRowGroup == 0 {
		return w.endGroup()
	}
	return nil
}

// check returns an error for the first fault of a trajectory. Steps and sightings that it shares with an earlier trajectory of its item,
// whose shape is kept, are known to be right.
func (w *TrajectoryWriter) check(t *Trajectory) error {
	if w.last.Item != t.Item {
		w.checked = w.checked[:0]
	}
	shape := t.shape()
	if slices.Contains(w.checked, shape) {
		return t.checkHead()
	}
	if len(w.checked) == mostShapes {
		w.checked = w.checked[:mostShapes-1]
	}
	w.checked = append(w.checked, shape)
	return t.check()
}

// begin opens the index, a shard and a row group, unless they are open.
func (w *TrajectoryWriter) begin() error {
	if w.index == nil {
		out, err := w.create(trajectoryIndex)
		if err != nil {
			return err
		}
		w.index = newShardWriter(trajectoryIndex, out, "index", indexFields(), trajectoryPage, w.Scratch)
	}
	if w.shard == nil {
		path := fmt.Sprintf("%s%06d.parquet", trajectoryFolder, w.shards)
		out, err := w.create(path)
		if err != nil {
			return err
		}
		w.shard, w.row = newShardWriter(path, out, "trajectories", trajectoryFields(), trajectoryPage, nil), 0
		w.open = append(w.open, w.shard)
	}
	if w.group == nil {
		if n := len(w.free); n > 0 {
			w.group, w.free = w.free[n-1], w.free[:n-1]
		} else {
			w.group = newTrajectoryGroup(w.shard)
		}
	}
	return nil
}

// endGroup encodes the row group, or lets a goroutine do so, and writes the group before which all others are written if there are
// too many.
func (w *TrajectoryWriter) endGroup() error {
	g := w.group
	w.encoding, w.group = append(w.encoding, g), nil
	if w.Jobs <= 1 {
		g.done <- g.encode()
		return w.writeGroup()
	}
	go func() { g.done <- g.encode() }()
	if len(w.encoding) <= w.Jobs {
		return nil
	}
	return w.writeGroup()
}

// writeGroup writes the first row group that is not yet written, and ends its shard if it is the last one there.
func (w *TrajectoryWriter) writeGroup() error {
	g := w.encoding[0]
	w.encoding = w.encoding[1:]
	err := <-g.done
	if err == nil {
		_, err = g.group.Commit()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", g.shard.path, err)
	}
	if g.last {
		return w.closeShard()
	}
	if g.shard == w.shard {
		clear(g.rows)
		g.rows = g.rows[:0]
		w.free = append(w.free, g)
	}
	return nil
}

// closeShard closes the first shard that is open.
func (w *TrajectoryWriter) closeShard() error {
	s := w.open[0]
	w.open = w.open[1:]
	f, err := s.close()
	if err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	w.files = append(w.files, f)
	return nil
}

// enter appends a row to the index.
func (w *TrajectoryWriter) enter(e entry) error {
	if w.entries = append(w.entries, e); len(w.entries) < batch {
		return nil
	}
	err := w.index.index(w.entries)
	w.entries = w.entries[:0]
	return err
}

// endShard ends the last row group of a shard, and lets the next trajectory begin another shard.
func (w *TrajectoryWriter) endShard() error {
	w.shard, w.free = nil, nil
	w.shards++
	switch n := len(w.encoding); {
	case w.group != nil:
		w.group.last = true
		return w.endGroup()
	case n > 0:
		w.encoding[n-1].last = true
		return nil
	}
	return w.closeShard()
}

// Close ends the last shard and the index, and returns the files for Encode. It returns nil if nothing was written.
func (w *TrajectoryWriter) Close() ([]part.File, error) {
	if w.err == nil && w.shard != nil {
		w.err = w.endShard()
	}
	for w.err == nil && len(w.encoding) > 0 {
		w.err = w.writeGroup()
	}
	if w.err != nil {
		for _, g := range w.encoding {
			<-g.done
		}
		w.encoding = nil
		if w.index != nil {
			w.open = append(w.open, w.index)
		}
		for _, s := range w.open {
			s.out.Close()
		}
		w.open, w.index = nil, nil
		return nil, w.err
	}
	if w.index == nil {
		return nil, nil
	}
	err := w.index.index(w.entries)
	f, err2 := w.index.close()
	if err := cmp.Or(err, err2); err != nil {
		return nil, fmt.Errorf("%s: %w", trajectoryIndex, err)
	}
	w.err = errors.New("record: trajectory writer is closed")
	return append(w.files, f), nil
}

// A shardWriter writes one table and computes its digest at the same time.
type shardWriter struct {
	path  string
	out   io.WriteCloser
	sum   hash.Hash
	n     int64
	table *tableWriter
}

// newShardWriter begins a table; page and scratch are as in newTableWriter.
func newShardWriter(path string, out io.WriteCloser, name string, fields []field, page int, scratch parquet.BufferPool) *shardWriter {
	s := &shardWriter{path: path, out: out, sum: sha256.New()}
	s.table = newTableWriter(s, name, fields, page, scratch)
	return s
}

// Write writes p for the Parquet writer, and adds it to the digest.
func (s *shardWriter) Write(p []byte) (int, error) {
	n, err := s.out.Write(p)
	s.sum.Write(p[:n])
	s.n += int64(n)
	return n, err
}

func (s *shardWriter) close() (part.File, error) {
	err := s.table.close()
	if err := cmp.Or(err, s.out.Close()); err != nil {
		return part.File{}, err
	}
	return part.File{Path: s.path, Bytes: s.n, SHA256: hex.EncodeToString(s.sum.Sum(nil))}, nil
}

func (s *shardWriter) index(e []entry) error {
	t, n := s.table, len(e)
	item := make([]string, n)
	subject := make([]string, n)
	for i := range e {
		item[i], subject[i] = e[i].Item, e[i].Subject
	}
	items, itemValue := intern(item, nil)
	subjects, subjectValue := intern(subject, nil)
	return cmp.Or(
		t.text(0, false, itemValue, items),
		t.integers(1, n, func(i int) int32 { return int32(e[i].Trial) }),
		t.text(2, false, subjectValue, subjects),
		t.integers(3, n, func(i int) int32 { return int32(e[i].Repetition) }),
		t.integers(4, n, func(i int) int32 { return e[i].steps }),
		t.integers(5, n, func(i int) int32 { return e[i].shard }),
		t.integers(6, n, func(i int) int32 { return e[i].row }),
	)
}
