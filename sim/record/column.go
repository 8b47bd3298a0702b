package record

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"

	"achilles/sim/part"
)

// A tableReader reads a Parquet file row group by row group, column by column.
type tableReader struct {
	file *parquet.File
}

// openTable opens a table and checks that it has exactly the given columns, in any order; the columns in optional may
// be absent.
func openTable(in io.ReaderAt, size int64, fields []field, optional ...string) (*tableReader, error) {
	f, err := OpenParquet(in, size)
	if err != nil {
		return nil, err
	}
	t := &tableReader{file: f}
	for _, want := range fields {
		if !t.has(want.name) && slices.Contains(optional, want.name) {
			continue
		}
		if err := t.checkColumn(want); err != nil {
			return nil, err
		}
	}
	for _, c := range f.Root().Columns() {
		if !declared(fields, c.Name()) {
			return nil, fmt.Errorf("column %q is not part of the format or not declared in %s", c.Name(), part.ManifestFile)
		}
	}
	return t, nil
}

// has says whether the file has a column of that name.
func (t *tableReader) has(name string) bool { return t.file.Root().Column(name) != nil }

func declared(fields []field, name string) bool {
	for _, f := range fields {
		if f.name == name {
			return true
		}
	}
	return false
}

// checkColumn returns an error unless the file has a column of the name and type of want.
func (t *tableReader) checkColumn(want field) error {
	c := t.file.Root().Column(want.name)
	if c == nil {
		return fmt.Errorf("column %s is missing", want.name)
	}
	list := want.cell == textList || want.cell == integerList
	if list {
		for !c.Leaf() {
			if len(c.Columns()) != 1 {
				return fmt.Errorf("column %s is not a %s", want.name, want.cell)
			}
			c = c.Columns()[0]
		}
	}
	wrong := fmt.Errorf("column %s is not a %s", want.name, want.cell)
	if !c.Leaf() || (c.MaxRepetitionLevel() == 1) != list || c.MaxRepetitionLevel() > 1 || c.MaxDefinitionLevel() > 1 {
		return wrong
	}
	switch want.cell {
	case textCell, optionalText, textList:
		if c.Type().Kind() != parquet.ByteArray {
			return wrong
		}
	case integerCell, integerList:
		if k := c.Type().Kind(); k != parquet.Int32 && k != parquet.Int64 {
			return wrong
		}
	case optionalNumber:
		if c.Type().Kind() != parquet.Double {
			return wrong
		}
	}
	return nil
}

// groups returns the row groups.
func (t *tableReader) groups() []parquet.RowGroup { return t.file.RowGroups() }

// leaf returns the column of that name or, if it is a list, the column of the list's elements.
func (t *tableReader) leaf(name string) *parquet.Column {
	c := t.file.Root().Column(name)
	for !c.Leaf() {
		c = c.Columns()[0]
	}
	return c
}

// values calls f for every page of one column of a row group, with the page's non-null values and its definition levels
// (nil if the column is required).
func (t *tableReader) values(g parquet.RowGroup, name string, f func(p parquet.Page, v encoding.Values, levels []byte) error) error {
	leaf := t.leaf(name)
	pages := g.ColumnChunks()[leaf.Index()].Pages()
	defer pages.Close()
	for {
		p, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("column %s: truncated or corrupt: %w", name, err)
		}
		var levels []byte
		if leaf.MaxDefinitionLevel() > 0 {
			levels = p.DefinitionLevels()
		}
		if err := f(p, p.Data(), levels); err != nil {
			return fmt.Errorf("column %s: %w", name, err)
		}
		parquet.Release(p)
	}
}

// expected returns the number of rows for which to allocate memory: the number that the group states, but at most
// rowGroup.
func expected(g parquet.RowGroup) int { return int(max(0, min(g.NumRows(), int64(rowGroup)))) }

var errLevels = errors.New("corrupt: values and nulls do not add up")

// texts is a decoded string column: row i is value[index[i]], or null if index[i] is negative. value may have equal or
// unused elements.
type texts struct {
	index []int32
	value []string
	next  []int32 // for columns without a dictionary, by string: index of the string in the row after its last row; −1: none
}

func (x *texts) at(i int) (string, bool) {
	if x.index[i] < 0 {
		return "", false
	}
	return x.value[x.index[i]], true
}

// none makes all of n rows null.
func (x *texts) none(n int) {
	x.index, x.value = x.index[:0], x.value[:0]
	for range n {
		x.index = append(x.index, -1)
	}
}

// text decodes a string column of a row group into x.
func (t *tableReader) text(g parquet.RowGroup, name string, x *texts) error {
	x.index, x.value, x.next = slices.Grow(x.index[:0], expected(g)), x.value[:0], x.next[:0]
	seen := map[string]int32{}
	return t.values(g, name, func(p parquet.Page, v encoding.Values, levels []byte) error {
		d := p.Dictionary()
		if d == nil { // a column without a dictionary, or with more values than fit into it
			return x.spread(x.plain(v, seen), levels)
		}
		if len(x.value) == 0 { // the dictionary comes before all pages
			x.value = appendDictionary(x.value, d)
			for range x.value {
				x.next = append(x.next, -1)
			}
		}
		rows := v.Int32()
		if err := checkIndexes(rows, d); err != nil {
			return err
		}
		if d.Len() > len(x.value) {
			return errors.New("corrupt: a dictionary after values without one")
		}
		return x.spread(rows, levels)
	})
}

// distinctTexts does what readTexts does, for texts that are mostly different: those of a page share its memory.
func (t *tableReader) distinctTexts(g parquet.RowGroup, name string, dst []string) ([]string, error) {
	dst = slices.Grow(dst, expected(g))
	var value []string // those of the dictionary
	err := t.values(g, name, func(p parquet.Page, v encoding.Values, levels []byte) error {
		if slices.Contains(levels, 0) {
			return errNull
		}
		if d := p.Dictionary(); d != nil {
			if err := checkIndexes(v.Int32(), d); err != nil {
				return err
			}
			if len(value) == 0 {
				value = appendDictionary(nil, d)
			}
			for _, k := range v.Int32() {
				dst = append(dst, value[k])
			}
			return nil
		}
		data, offsets := v.ByteArray()
		text := string(data)
		for i := 0; i+1 < len(offsets); i++ {
			dst = append(dst, text[offsets[i]:offsets[i+1]])
		}
		return nil
	})
	return dst, err
}

var errNull = errors.New("null where a value is required")

// places decodes a text column whose texts are among names, which are sorted: place i is the index of the text of row i. A text that is
// not among them is noWhere, and that of the first such row is returned as well; null is −1. Texts that often follow each other as in names
// are found at once.
func (t *tableReader) places(g parquet.RowGroup, name string, names []string, places []int32) (_ []int32, foreign string, err error) {
	places = slices.Grow(places[:0], expected(g))
	found := false // whether foreign is set
	last := -1
	place := func(s []byte) int32 {
		if last+1 < len(names) && names[last+1] == string(s) {
			last++
			return int32(last)
		}
		k, ok := slices.BinarySearchFunc(names, s, func(name string, s []byte) int { return cmp.Compare(name, string(s)) })
		if !ok {
			return noWhere
		}
		last = k
		return int32(k)
	}
	var known, rows []int32 // of the texts of the dictionary, and of a page
	err = t.values(g, name, func(p parquet.Page, v encoding.Values, levels []byte) error {
		rows = rows[:0]
		if d := p.Dictionary(); d != nil {
			if err := checkIndexes(v.Int32(), d); err != nil {
				return err
			}
			for k := len(known); k < d.Len(); k++ {
				known = append(known, place(d.Index(int32(k)).ByteArray()))
			}
			for _, k := range v.Int32() {
				if rows = append(rows, known[k]); known[k] == noWhere && !found {
					foreign, found = d.Index(k).String(), true
				}
			}
		} else {
			data, offsets := v.ByteArray()
			for i := 0; i+1 < len(offsets); i++ {
				s := data[offsets[i]:offsets[i+1]]
				k := place(s)
				if rows = append(rows, k); k == noWhere && !found {
					foreign, found = string(s), true
				}
			}
		}
		places, err = spread(places, rows, levels)
		return err
	})
	return places, foreign, err
}

// noWhere is the place of a text that is not among the names.
const noWhere = -2

func checkIndexes(rows []int32, d parquet.Dictionary) error {
	n := int32(d.Len())
	for _, k := range rows {
		if k < 0 || k >= n {
			return errors.New("corrupt: index outside the dictionary")
		}
	}
	return nil
}

func appendDictionary(value []string, d parquet.Dictionary) []string {
	for i := range d.Len() {
		value = append(value, d.Index(int32(i)).String())
	}
	return value
}

// plain returns the indices in x.value of the strings of a page without a dictionary, and adds new strings. Strings
// often follow each other in the same order, so that it first tries the string that followed the last time.
func (x *texts) plain(v encoding.Values, seen map[string]int32) []int32 {
	data, offsets := v.ByteArray()
	rows := make([]int32, 0, len(offsets))
	last := int32(-1)
	for i := 0; i+1 < len(offsets); i++ {
		s := data[offsets[i]:offsets[i+1]]
		k := x.guess(last)
		if k < 0 || x.value[k] != string(s) {
			var ok bool
			if k, ok = seen[string(s)]; !ok {
				k = int32(len(x.value))
				seen[string(s)] = k
				x.value, x.next = append(x.value, string(s)), append(x.next, -1)
			}
			if last >= 0 {
				x.next[last] = k
			}
		}
		rows, last = append(rows, k), k
	}
	return rows
}

// guess returns the index of the string that followed string `last` before, or −1 if none did.
func (x *texts) guess(last int32) int32 {
	if last < 0 {
		return -1
	}
	return x.next[last]
}

// spread appends the rows of a page to x.index.
func (x *texts) spread(rows []int32, levels []byte) (err error) {
	x.index, err = spread(x.index, rows, levels)
	return err
}

// spread appends the rows of a page to index: −1 for every row whose level is 0, which is null, and the next element
// of rows for every other row. If levels is nil, no row is null.
func spread(index, rows []int32, levels []byte) ([]int32, error) {
	if levels == nil {
		return append(index, rows...), nil
	}
	for _, l := range levels {
		if l == 0 {
			index = append(index, -1)
			continue
		}
		if len(rows) == 0 {
			return index, errLevels
		}
		index = append(index, rows[0])
		rows = rows[1:]
	}
	if len(rows) > 0 {
		return index, errLevels
	}
	return index, nil
}
