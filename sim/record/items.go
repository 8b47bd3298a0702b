package record

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"

	"achilles/sim/part"
)

// itemFields returns the schema of items.parquet: four labels, then one column per feature.
func itemFields(features []Feature) []field {
	return append([]field{{"item", textCell}, {"suite", textCell}, {"paradigm", textCell}, {"task", textCell}}, featureFields(features)...)
}

// featureFields returns the schema of columns of features.
func featureFields(features []Feature) (f []field) {
	for _, x := range features {
		c := optionalNumber
		if x.Kind == Text {
			c = optionalText
		}
		f = append(f, field{x.Name, c})
	}
	return f
}

// write checks and writes the table of items, a batch of them at a time.
func (it *Items) write(features []Feature, create Create) (part.Table, error) {
	check := it.check
	if it.Make != nil {
		check = func([]Feature) error { return it.checkIDs() } // part checks the rest
	}
	if err := check(features); err != nil {
		return part.Table{}, err
	}
	return create.table(itemsTable, itemFields(features), features, func(t *tableWriter) (int, error) {
		for from := 0; from < it.Len(); from += batch {
			n := min(batch, it.Len()-from)
			part, err := it.part(features, from, n)
			if err == nil {
				err = part.writeRows(t)
			}
			if end := from + n; err == nil && (end%rowGroup == 0 || end == it.Len()) {
				err = t.flush()
			}
			if err != nil {
				return 0, err
			}
		}
		return it.Len(), nil
	})
}

// part returns n items, beginning with item `from`. It checks those that are made.
func (it *Items) part(features []Feature, from, n int) (*Items, error) {
	if it.Make != nil {
		part, err := it.Make(from, n)
		if err == nil {
			err = part.checkLabels()
		}
		if err == nil {
			err = checkColumns(part.Columns, features, "item", part.ID, from)
		}
		return part, err
	}
	return it.Part(from, n), nil
}

// Part returns n items, beginning with item from, with their values.
func (it *Items) Part(from, n int) *Items {
	part := &Items{ID: it.ID[from:][:n], Suite: it.Suite[from:][:n], Paradigm: it.Paradigm[from:][:n], Task: it.Task[from:][:n]}
	for k := range it.Columns {
		if it.packed != nil {
			part.Columns = append(part.Columns, it.packed[k].part(it.Columns[k].Feature, from, n))
			continue
		}
		part.Columns = append(part.Columns, it.Columns[k].part(from, n))
	}
	return part
}

// part returns n rows, beginning with row `from`.
func (c *Column) part(from, n int) Column {
	out := Column{Feature: c.Feature}
	if c.Kind == Text {
		out.Text = c.Text[from:][:n]
	} else {
		out.Number = c.Number[from:][:n]
	}
	if c.Missing != nil {
		out.Missing = c.Missing[from:][:n]
	}
	return out
}

// writeRows writes all items as rows.
func (it *Items) writeRows(t *tableWriter) error {
	n := it.Len()
	ids := newCells(0, false, it.ID)
	if err := t.cells(&ids, n, func(i int) int { return i }); err != nil {
		return err
	}
	labels := [][]string{it.Suite, it.Paradigm, it.Task}
	for k, label := range labels {
		index, value := intern(label, nil)
		if err := t.text(k+1, false, value, index); err != nil {
			return err
		}
	}
	return writeColumns(t, it.Columns, len(labels)+1, 0, n)
}

// writeColumns writes n rows of columns, beginning with row `from`. The first has index `first` in the table.
func writeColumns(t *tableWriter, columns []Column, first, from, n int) error {
	for k := range columns {
		if err := columns[k].write(t, first+k, from, n); err != nil {
			return err
		}
	}
	return nil
}

// write writes n rows of a column, beginning with row `from`. Its index in the table is c.
func (col *Column) write(t *tableWriter, c, from, n int) error {
	var missing []bool // nil: none is
	if col.Missing != nil {
		missing = col.Missing[from:][:n]
	}
	if col.Kind == Text {
		index, value := intern(col.Text[from:][:n], missing)
		return t.text(c, true, value, index)
	}
	return t.numbers(c, col.Number[from:][:n], missing)
}

// intern returns the distinct strings of v in order of appearance, as value, and by row the index of its string in value, −1 if it is
// missing. missing may be nil.
func intern(v []string, missing []bool) (index []int32, value []string) {
	at := map[string]int32{}
	index = make([]int32, len(v))
	for i, s := range v {
		switch {
		case missing != nil && missing[i]:
			index[i] = -1
			continue
		case i > 0 && index[i-1] >= 0 && v[i-1] == s:
			index[i] = index[i-1]
			continue
		}
		k, ok := at[s]
		if !ok {
			k = int32(len(value))
			at[s] = k
			value = append(value, s)
		}
		index[i] = k
	}
	return index, value
}

// decodeItems reads items. It holds the values of one feature at a time that are not packed.
func decodeItems(in io.ReaderAt, size int64, features []Feature) (it *Items, err error) {
	defer RecoverCorrupt(&err)
	t, err := openTable(in, size, itemFields(features))
	if err != nil {
		return nil, err
	}
	it = new(Items)
	for _, g := range t.groups() {
		if err := it.readLabels(t, g); err != nil {
			return nil, err
		}
	}
	if err := cmp.Or(it.checkIDs(), it.checkLabels()); err != nil {
		return nil, err
	}
	for _, f := range features {
		c := Column{Feature: f}
		for _, g := range t.groups() {
			if err := c.readGroup(t, g); err != nil {
				return nil, err
			}
		}
		c.dropMissing()
		if err := c.checkAs(f, "item", it.ID, 0); err != nil {
			return nil, err
		}
		it.Columns, it.packed = append(it.Columns, Column{Feature: f}), append(it.packed, packValues(&c))
	}
	return it, nil
}

// readLabels reads the ids and labels of the items in a row group.
func (it *Items) readLabels(t *tableReader, g parquet.RowGroup) (err error) {
	if it.ID, err = t.distinctTexts(g, "item", it.ID); err != nil {
		return err
	}
	for _, label := range []struct {
		name string
		dst  *[]string
	}{{"suite", &it.Suite}, {"paradigm", &it.Paradigm}, {"task", &it.Task}} {
		if err := t.readTexts(g, label.name, label.dst); err != nil {
			return err
		}
	}
	return nil
}

// readTexts appends a text column without nulls to dst.
func (t *tableReader) readTexts(g parquet.RowGroup, column string, dst *[]string) error {
	var x texts
	if err := t.text(g, column, &x); err != nil {
		return err
	}
	*dst = slices.Grow(*dst, len(x.index))
	for i := range x.index {
		s, ok := x.at(i)
		if !ok {
			return fmt.Errorf("column %s: null where a value is required", column)
		}
		*dst = append(*dst, s)
	}
	return nil
}

// readColumns appends a row group to columns of features.
func readColumns(t *tableReader, g parquet.RowGroup, columns []Column) error {
	for k := range columns {
		if err := columns[k].readGroup(t, g); err != nil {
			return err
		}
	}
	return nil
}

func (c *Column) readGroup(t *tableReader, g parquet.RowGroup) (err error) {
	if c.Kind == Number {
		c.Number, c.Missing, err = t.numbers(g, c.Name, c.Number, c.Missing)
		return err
	}
	var x texts
	if err := t.text(g, c.Name, &x); err != nil {
		return err
	}
	for i := range x.index {
		s, ok := x.at(i)
		c.Text, c.Missing = append(c.Text, s), append(c.Missing, !ok)
	}
	return nil
}

// dropMissing sets Missing to nil if no value is missing.
func (c *Column) dropMissing() {
	for _, m := range c.Missing {
		if m {
			return
		}
	}
	c.Missing = nil
}

// check returns an error for the first fault of the items.
func (it *Items) check(features []Feature) error {
	if err := cmp.Or(it.checkIDs(), it.checkLabels()); err != nil {
		return err
	}
	columns := it.Columns
	if it.packed != nil {
		columns = it.Part(0, it.Len()).Columns
	}
	return checkColumns(columns, features, "item", it.ID, 0)
}

// checkLabels returns an error unless every item has all that is not a feature.
func (it *Items) checkLabels() error {
	if n := it.Len(); len(it.Suite) != n || len(it.Paradigm) != n || len(it.Task) != n {
		return errors.New("item, suite, paradigm and task differ in length")
	}
	return nil
}

// checkIDs returns an error for the first fault of the ids.
func (it *Items) checkIDs() error {
	if it.Len() == 0 {
		return errors.New("the table is empty: a battery has at least one item")
	}
	for i, id := range it.ID {
		if err := CheckName(id); err != nil {
			return fmt.Errorf("row %d: item %q: %w", i+1, id, err)
		}
		if i > 0 && it.ID[i-1] == id {
			return fmt.Errorf("row %d: item %s is listed twice", i+1, id)
		}
		if i > 0 && it.ID[i-1] > id {
			return fmt.Errorf("row %d: item %s after %s: rows are not sorted by item", i+1, id, it.ID[i-1])
		}
	}
	return nil
}

// checkColumns returns an error for the first fault of columns of features. id has the names of the rows, and what says what
// each of them is: item or subject. The first of them is row `first`, from 0, of the table.
func checkColumns(columns []Column, features []Feature, what string, id []string, first int) error {
	if len(columns) != len(features) {
		return fmt.Errorf("%d feature columns for %d declared features", len(columns), len(features))
	}
	for k := range columns {
		if err := columns[k].checkAs(features[k], what, id, first); err != nil {
			return err
		}
	}
	return nil
}

// checkAs returns an error for the first fault of the column of a feature (see checkColumns).
func (c *Column) checkAs(f Feature, what string, id []string, first int) error {
	if !sameFeature(c.Feature, f) {
		return fmt.Errorf("column %s differs from feature %s of the manifest", c.Name, f.Name)
	}
	if err := c.check(what, id, first); err != nil {
		return fmt.Errorf("column %s: %w", c.Name, err)
	}
	return nil
}

func sameFeature(a, b Feature) bool {
	ra, rb := a.Range, b.Range
	a.Range, b.Range = nil, nil
	return a == b && (ra == nil) == (rb == nil) && (ra == nil || *ra == *rb)
}

// check returns an error for the first value of c that violates the declaration of its feature (see checkColumns).
func (c *Column) check(what string, id []string, first int) error {
	n := len(c.Number)
	if c.Kind == Text {
		n = len(c.Text)
	}
	if n != len(id) || c.Missing != nil && len(c.Missing) != n {
		return fmt.Errorf("%d values for %d %ss", n, len(id), what)
	}
	for i := range id {
		if c.Missing != nil && c.Missing[i] {
			continue
		}
		if c.Kind == Text {
			if err := checkText(c.Text[i]); err != nil {
				return fmt.Errorf("row %d: %s %s: %w", first+i+1, what, id[i], err)
			}
			continue
		}
		x := c.Number[i]
		if !finite(x) {
			return fmt.Errorf("row %d: %s %s: %g is not a finite number (a missing value is null)", first+i+1, what, id[i], x)
		}
		if r := c.Range; r != nil && (x < r[0] || x > r[1]) {
			return fmt.Errorf("row %d: %s %s: %g is outside the declared range [%g, %g]", first+i+1, what, id[i], x, r[0], r[1])
		}
	}
	return nil
}

// checkText checks a text value of a feature: it must consist of characters that print, and may be empty.
func checkText(s string) error {
	if s == "" {
		return nil
	}
	return CheckName(s)
}
