package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"sync"

	"github.com/parquet-go/parquet-go"

	"achilles/sim/part"
)

// Trajectories reads the trajectories of a public directory, one at a time or all in order. It is safe for concurrent
// use. It verifies each shard against the manifest when it first reads it.
type Trajectories struct {
	index  []entry
	shards []*shardReader
}

// OpenTrajectories reads and verifies the index of the trajectories of a public directory. If the directory has no
// trajectories the result is empty.
func OpenTrajectories(fsys fs.FS, m *Manifest) (*Trajectories, error) {
	t := new(Trajectories)
	var index *part.File
	for _, f := range m.below(trajectoryFolder) {
		if f.Path == trajectoryIndex {
			index = &f
			continue
		}
		t.shards = append(t.shards, &shardReader{fsys: fsys, file: f})
	}
	if index == nil {
		if len(t.shards) > 0 {
			return nil, fmt.Errorf("%s: %s is not listed", part.ManifestFile, trajectoryIndex)
		}
		return t, nil
	}
	data, err := index.Content(fsys)
	if err != nil {
		return nil, err
	}
	if err := t.readIndex(data); err != nil {
		return nil, fmt.Errorf("%s: %w", trajectoryIndex, err)
	}
	return t, nil
}

func (t *Trajectories) readIndex(data []byte) (err error) {
	defer RecoverCorrupt(&err)
	tab, err := openTable(bytes.NewReader(data), int64(len(data)), indexFields())
	if err != nil {
		return err
	}
	for _, g := range tab.groups() {
		if err := t.indexGroup(tab, g); err != nil {
			return err
		}
	}
	for i, e := range t.index {
		if err := e.Key.check(); err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
		if i > 0 && compareKeys(t.index[i-1].Key, e.Key) >= 0 {
			return fmt.Errorf("row %d: %s: rows are not sorted, or one is listed twice", i+1, e.Key)
		}
		if e.shard < 0 || int(e.shard) >= len(t.shards) || e.row < 0 || e.steps < 1 {
			return fmt.Errorf("row %d: %s: no such shard or row", i+1, e.Key)
		}
	}
	return nil
}

func (t *Trajectories) indexGroup(tab *tableReader, g parquet.RowGroup) error {
	var item, subject texts
	if err := tab.text(g, "item", &item); err != nil {
		return err
	}
	if err := tab.text(g, "subject", &subject); err != nil {
		return err
	}
	var column [5][]int32
	for i, name := range []string{"trial", "repetition", "steps", "shard", "row"} {
		var err error
		if column[i], err = tab.integers(g, name, nil); err != nil {
			return err
		}
		if len(column[i]) != len(item.index) || len(subject.index) != len(item.index) {
			return errors.New("corrupt: columns differ in length")
		}
	}
	for i := range item.index {
		e := entry{steps: column[2][i], shard: column[3][i], row: column[4][i]}
		e.Item, _ = item.at(i)
		e.Subject, _ = subject.at(i)
		e.Trial, e.Repetition = int(column[0][i]), int(column[1][i])
		t.index = append(t.index, e)
	}
	return nil
}

// Len returns the number of trajectories.
func (t *Trajectories) Len() int { return len(t.index) }

// Key returns the key of trajectory i and its number of steps, without reading the trajectory. Trajectories are sorted
// by key.
func (t *Trajectories) Key(i int) (k Key, steps int) { return t.index[i].Key, int(t.index[i].steps) }

// Shard returns the index of the file that contains trajectory i.
func (t *Trajectories) Shard(i int) int { return int(t.index[i].shard) }

// Find returns the index of the trajectory with a key; ok is false if there is no such trajectory.
func (t *Trajectories) Find(k Key) (i int, ok bool) {
	return slices.BinarySearchFunc(t.index, k, func(e entry, k Key) int { return compareKeys(e.Key, k) })
}

// At reads trajectory i. It decodes only one page of each column.
func (t *Trajectories) At(i int) (*Trajectory, error) {
	e := t.index[i]
	s := t.shards[e.shard]
	table, err := s.open()
	if err != nil {
		return nil, err
	}
	tr, err := s.row(table, int64(e.row))
	if err == nil && tr.Key != e.Key {
		err = fmt.Errorf("row %d is %s, the index says %s", e.row+1, tr.Key, e.Key)
	}
	if err == nil {
		err = tr.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: trajectory of %s: %w", s.file.Path, e.Key, err)
	}
	return tr, nil
}

// All reads every trajectory in sorted order, one row group at a time. It stops after the first error.
func (t *Trajectories) All() iter.Seq2[*Trajectory, error] {
	return func(yield func(*Trajectory, error) bool) {
		n := 0
		for _, s := range t.shards {
			for tr, err := range s.all() {
				if err == nil && (n >= len(t.index) || t.index[n].Key != tr.Key) {
					err = fmt.Errorf("trajectory of %s: not where the index says", tr.Key)
				}
				if err == nil {
					err = tr.check()
				}
				if err != nil {
					yield(nil, fmt.Errorf("%s: %w", s.file.Path, err))
					return
				}
				n++
				if !yield(tr, nil) {
					return
				}
			}
		}
		if n != len(t.index) {
			yield(nil, fmt.Errorf("%s: lists %d trajectories, the shards have %d", trajectoryIndex, len(t.index), n))
		}
	}
}

// Close closes the shards that were opened. Nothing may be read after that.
func (t *Trajectories) Close() error {
	var errs []error
	for _, s := range t.shards {
		if s.closer != nil {
			errs = append(errs, s.closer.Close())
		}
	}
	return errors.Join(errs...)
}

// A shardReader opens one shard when it is first needed.
type shardReader struct {
	fsys   fs.FS
	file   part.File
	once   sync.Once
	table  *tableReader
	closer io.Closer
	err    error
}

func (s *shardReader) open() (*tableReader, error) {
	s.once.Do(func() {
		if s.table, s.err = s.load(); s.err != nil {
			s.err = fmt.Errorf("%s: %w", s.file.Path, s.err)
		}
	})
	return s.table, s.err
}

func (s *shardReader) load() (_ *tableReader, err error) {
	defer RecoverCorrupt(&err)
	if err := s.file.Verify(s.fsys); err != nil {
		return nil, err
	}
	f, err := s.fsys.Open(s.file.Path)
	if err != nil {
		return nil, err
	}
	s.closer = f
	in, ok := f.(io.ReaderAt)
	if !ok {
		data, err := io.ReadAll(f)
		if err != nil {
			return nil, err
		}
		in = bytes.NewReader(data)
	}
	return openTable(in, s.file.Bytes, trajectoryFields())
}

// row decodes one row of the shard.
func (s *shardReader) row(t *tableReader, row int64) (tr *Trajectory, err error) {
	defer RecoverCorrupt(&err)
	for _, g := range t.groups() {
		if row >= g.NumRows() {
			row -= g.NumRows()
			continue
		}
		var b trajectoryColumns
		if err := b.read(t, g, row, 1); err != nil {
			return nil, err
		}
		return b.trajectory(0)
	}
	return nil, errors.New("no such row")
}

// all decodes the shard row group by row group.
func (s *shardReader) all() iter.Seq2[*Trajectory, error] {
	return func(yield func(*Trajectory, error) bool) {
		t, err := s.open()
		if err != nil {
			yield(nil, err)
			return
		}
		for _, g := range t.groups() {
			rows, err := s.group(t, g)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, tr := range rows {
				if !yield(tr, nil) {
					return
				}
			}
		}
	}
}

func (s *shardReader) group(t *tableReader, g parquet.RowGroup) (rows []*Trajectory, err error) {
	defer RecoverCorrupt(&err)
	var b trajectoryColumns
	if err := b.read(t, g, 0, g.NumRows()); err != nil {
		return nil, err
	}
	for i := range int(g.NumRows()) {
		tr, err := b.trajectory(i)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		rows = append(rows, tr)
	}
	return rows, nil
}
