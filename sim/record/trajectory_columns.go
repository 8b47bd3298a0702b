package record

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// trajectoryColumns holds some rows of a shard, decoded column by column.
type trajectoryColumns struct {
	words map[string]string // one copy of each distinct string

	item, subject, viewer, movement []string
	trial, repetition, scale        []int32
	tick, x, y, seenStep, seenX     lists[int32]
	seenY                           lists[int32]
	heading, action, entity, seenAs lists[string]
}

// lists is a decoded list column: row i is value[end[i−1]:end[i]].
type lists[T any] struct {
	value []T
	end   []int
}

func (l *lists[T]) at(i int) []T {
	from := 0
	if i > 0 {
		from = l.end[i-1]
	}
	return l.value[from:l.end[i]]
}

// read decodes n rows of a row group, from row on.
func (b *trajectoryColumns) read(t *tableReader, g parquet.RowGroup, row, n int64) error {
	b.words = map[string]string{}
	flat := func(name string, get func(parquet.Value)) error {
		return t.rows(g, name, row, n, func(v parquet.Value) error { get(v); return nil })
	}
	for _, c := range []struct {
		name string
		dst  *[]string
	}{{"item", &b.item}, {"subject", &b.subject}, {"viewer", &b.viewer}, {"movement", &b.movement}} {
		if err := flat(c.name, func(v parquet.Value) { *c.dst = append(*c.dst, b.word(v)) }); err != nil {
			return err
		}
	}
	for _, c := range []struct {
		name string
		dst  *[]int32
	}{{"trial", &b.trial}, {"repetition", &b.repetition}, {"scale", &b.scale}} {
		if err := t.rows(g, c.name, row, n, func(v parquet.Value) error { return appendInteger(c.dst, v) }); err != nil {
			return err
		}
	}
	for _, c := range []struct {
		name string
		dst  *lists[int32]
	}{{"tick", &b.tick}, {"x", &b.x}, {"y", &b.y}, {"seen_step", &b.seenStep}, {"seen_x", &b.seenX}, {"seen_y", &b.seenY}} {
		if err := readLists(t, g, c.name, row, n, c.dst, appendInteger); err != nil {
			return err
		}
	}
	for _, c := range []struct {
		name string
		dst  *lists[string]
	}{{"heading", &b.heading}, {"action", &b.action}, {"seen_entity", &b.entity}, {"seen_as", &b.seenAs}} {
		err := readLists(t, g, c.name, row, n, c.dst, func(dst *[]string, v parquet.Value) error {
			*dst = append(*dst, b.word(v))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return b.check(int(n))
}

// word returns the string v, which is one of few, without a copy of its own.
func (b *trajectoryColumns) word(v parquet.Value) string {
	w, ok := b.words[string(v.ByteArray())]
	if !ok {
		w = string(v.ByteArray())
		b.words[w] = w
	}
	return w
}

// check wants every column to have n rows, and the lists of a row to be equally long.
func (b *trajectoryColumns) check(n int) error {
	bad := errors.New("corrupt: columns differ in length")
	for _, l := range []int{len(b.item), len(b.subject), len(b.viewer), len(b.movement), len(b.trial), len(b.repetition),
		len(b.scale), len(b.tick.end), len(b.seenStep.end)} {
		if l != n {
			return bad
		}
	}
	same := func(a, b []int) bool {
		for i := range a {
			if len(b) != len(a) || a[i] != b[i] {
				return false
			}
		}
		return true
	}
	for _, e := range [][]int{b.x.end, b.y.end, b.heading.end, b.action.end} {
		if !same(b.tick.end, e) {
			return bad
		}
	}
	for _, e := range [][]int{b.seenX.end, b.seenY.end, b.entity.end, b.seenAs.end} {
		if !same(b.seenStep.end, e) {
			return bad
		}
	}
	return nil
}

// trajectory assembles row i of those read.
func (b *trajectoryColumns) trajectory(i int) (*Trajectory, error) {
	t := &Trajectory{
		Key:      Key{Item: b.item[i], Trial: int(b.trial[i]), Subject: b.subject[i], Repetition: int(b.repetition[i])},
		Viewer:   b.viewer[i],
		Movement: Movement(b.movement[i]),
		Scale:    b.scale[i],
	}
	x, y, heading, action := b.x.at(i), b.y.at(i), b.heading.at(i), b.action.at(i)
	for j, tick := range b.tick.at(i) {
		t.Steps = append(t.Steps, Step{tick, x[j], y[j], Heading(heading[j]), action[j]})
	}
	sx, sy, entity, as := b.seenX.at(i), b.seenY.at(i), b.entity.at(i), b.seenAs.at(i)
	for j, step := range b.seenStep.at(i) {
		t.Seen = append(t.Seen, Sighting{step, entity[j], sx[j], sy[j], as[j]})
	}
	return t, nil
}

func appendInteger(dst *[]int32, v parquet.Value) error {
	n := int64(v.Int32())
	if v.Kind() == parquet.Int64 {
		n = v.Int64()
	}
	*dst = append(*dst, int32(n))
	return checkInteger(n)
}

// readLists decodes n rows of a list column.
func readLists[T any](t *tableReader, g parquet.RowGroup, name string, row, n int64, dst *lists[T], add func(*[]T, parquet.Value) error) error {
	return t.rows(g, name, row, n, func(v parquet.Value) error {
		if v.RepetitionLevel() == 0 {
			dst.end = append(dst.end, len(dst.value))
		} else if len(dst.end) == 0 {
			return errors.New("corrupt: a list without a beginning")
		}
		if v.IsNull() {
			return nil
		}
		err := add(&dst.value, v)
		dst.end[len(dst.end)-1] = len(dst.value)
		return err
	})
}

// rows calls f for every value of n rows of a column, from a row of the group on.
func (t *tableReader) rows(g parquet.RowGroup, name string, row, n int64, f func(parquet.Value) error) error {
	pages := g.ColumnChunks()[t.leaf(name).Index()].Pages()
	defer pages.Close()
	if row > 0 {
		if err := pages.SeekToRow(row); err != nil {
			return fmt.Errorf("column %s: %w", name, err)
		}
	}
	for n > 0 {
		p, err := pages.ReadPage()
		if err == io.EOF {
			return nil // the caller counts
		}
		if err != nil {
			return fmt.Errorf("column %s: truncated or corrupt: %w", name, err)
		}
		k := min(n, p.NumRows())
		if err := pageValues(p.Slice(0, k), f); err != nil {
			return fmt.Errorf("column %s: %w", name, err)
		}
		n -= k
		parquet.Release(p)
	}
	return nil
}

func pageValues(p parquet.Page, f func(parquet.Value) error) error {
	var buf [512]parquet.Value
	for r := p.Values(); ; {
		n, err := r.ReadValues(buf[:])
		for _, v := range buf[:n] {
			if err := f(v); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrNoProgress
		}
	}
}
