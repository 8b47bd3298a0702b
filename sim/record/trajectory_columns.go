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

// read decodes n rows of a row group, beginning at row number `row`.
func (b *trajectoryColumns) read(t *tableReader, g parquet.RowGroup, row, n int64) error {
	b.words = map[string]string{}
	for _, c := range []struct {
		name string
		dst  *[]string
	}{{"item", &b.item}, {"subject", &b.subject}, {"viewer", &b.viewer}, {"movement", &b.movement}} {
		err := t.rows(g, c.name, row, n, func(p parquet.Page) (err error) {
			*c.dst, err = b.appendWords(*c.dst, p)
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, c := range []struct {
		name string
		dst  *[]int32
	}{{"trial", &b.trial}, {"repetition", &b.repetition}, {"scale", &b.scale}} {
		err := t.rows(g, c.name, row, n, func(p parquet.Page) (err error) {
			*c.dst, err = appendIntegers(*c.dst, p, p.Data())
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, c := range []struct {
		name string
		dst  *lists[int32]
	}{{"tick", &b.tick}, {"x", &b.x}, {"y", &b.y}, {"seen_step", &b.seenStep}, {"seen_x", &b.seenX}, {"seen_y", &b.seenY}} {
		err := t.rows(g, c.name, row, n, func(p parquet.Page) error {
			return c.dst.page(p, func(v []int32) ([]int32, error) { return appendIntegers(v, p, p.Data()) })
		})
		if err != nil {
			return err
		}
	}
	for _, c := range []struct {
		name string
		dst  *lists[string]
	}{{"heading", &b.heading}, {"action", &b.action}, {"seen_entity", &b.entity}, {"seen_as", &b.seenAs}} {
		err := t.rows(g, c.name, row, n, func(p parquet.Page) error {
			return c.dst.page(p, func(v []string) ([]string, error) { return b.appendWords(v, p) })
		})
		if err != nil {
			return err
		}
	}
	return b.check(int(n))
}

// appendWords appends the strings of a page to dst. Equal strings share their bytes.
func (b *trajectoryColumns) appendWords(dst []string, p parquet.Page) ([]string, error) {
	values := p.Data()
	d := p.Dictionary()
	if d == nil {
		data, offsets := values.ByteArray()
		for i := 0; i+1 < len(offsets); i++ {
			dst = append(dst, b.word(data[offsets[i]:offsets[i+1]]))
		}
		return dst, nil
	}
	if err := checkIndexes(values.Int32(), d); err != nil {
		return dst, err
	}
	words := make([]string, d.Len())
	for i := range words {
		words[i] = b.word(d.Index(int32(i)).ByteArray())
	}
	for _, k := range values.Int32() {
		dst = append(dst, words[k])
	}
	return dst, nil
}

// word returns v as a string; equal strings share their bytes.
func (b *trajectoryColumns) word(v []byte) string {
	w, ok := b.words[string(v)]
	if !ok {
		w = string(v)
		b.words[w] = w
	}
	return w
}

// check checks that every column has n rows, and that the lists of a row are equally long.
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

// trajectory returns the i-th of the trajectories that were read.
func (b *trajectoryColumns) trajectory(i int) (*Trajectory, error) {
	t := &Trajectory{
		Key:      Key{Item: b.item[i], Trial: int(b.trial[i]), Subject: b.subject[i], Repetition: int(b.repetition[i])},
		Viewer:   b.viewer[i],
		Movement: Movement(b.movement[i]),
		Scale:    b.scale[i],
	}
	t.Steps = make([]Step, 0, len(b.tick.at(i)))
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

// page appends the rows of a page to l. add appends the page's values to a list.
func (l *lists[T]) page(p parquet.Page, add func([]T) ([]T, error)) (err error) {
	from := len(l.value)
	if l.value, err = add(l.value); err != nil {
		return err
	}
	begins, present := p.RepetitionLevels(), p.DefinitionLevels()
	if len(begins) != len(present) {
		return errLevels
	}
	for i, b := range begins {
		if b == 0 {
			l.end = append(l.end, from)
		} else if len(l.end) == 0 || present[i] == 0 {
			return errors.New("corrupt: a list without a beginning")
		}
		if present[i] > 0 {
			from++
			l.end[len(l.end)-1] = from
		}
	}
	if from != len(l.value) {
		return errLevels
	}
	return nil
}

// rows calls f for the pages of a column that contain n rows of the group, beginning at row number `row`. It cuts the
// pages to these rows.
func (t *tableReader) rows(g parquet.RowGroup, name string, row, n int64, f func(parquet.Page) error) error {
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
			return nil // the caller checks the number of rows
		}
		if err != nil {
			return fmt.Errorf("column %s: truncated or corrupt: %w", name, err)
		}
		k := min(n, p.NumRows())
		if err := f(p.Slice(0, k)); err != nil {
			return fmt.Errorf("column %s: %w", name, err)
		}
		n -= k
		parquet.Release(p)
	}
	return nil
}
