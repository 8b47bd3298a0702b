package record

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go"
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

func (it *Items) write(features []Feature, create Create) (File, error) {
	check := it.check
	if it.Make != nil {
		check = func([]Feature) error { return it.checkLabels() } // writeGroup checks each column
	}
	if err := check(features); err != nil {
		return File{}, err
	}
	return create.table(itemsFile, "items", itemFields(features), func(t *tableWriter) error {
		for from := 0; from < it.Len(); from += rowGroup {
			if err := it.writeGroup(t, features, from, min(rowGroup, it.Len()-from)); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeGroup writes n items, beginning with item `from`, as one row group.
func (it *Items) writeGroup(t *tableWriter, features []Feature, from, n int) error {
	if err := t.text(0, n, false, it.ID[from:from+n], func(i int) int { return i }); err != nil {
		return err
	}
	for k, label := range [][]string{it.Suite, it.Paradigm, it.Task} {
		index, value := intern(label[from:from+n], nil)
		if err := t.text(k+1, n, false, value, index); err != nil {
			return err
		}
	}
	const labels = 4
	if it.Make == nil {
		if err := writeColumns(t, it.Columns, labels, from, n); err != nil {
			return err
		}
		return t.flush()
	}
	for k, f := range features {
		c, err := it.Make(k)
		if err == nil {
			err = c.checkAs(f, "item", it.ID)
		}
		if err == nil {
			err = c.write(t, labels+k, from, n)
		}
		if err != nil {
			return err
		}
	}
	return t.flush()
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
	missing := func(i int) bool { return col.Missing != nil && col.Missing[from+i] }
	if col.Kind == Text {
		index, value := intern(col.Text[from:from+n], missing)
		return t.text(c, n, true, value, index)
	}
	return t.numbers(c, n, func(i int) (float64, bool) { return col.Number[from+i], !missing(i) })
}

// intern returns the distinct strings of v in order of appearance, as value, and a function from a row to the index of
// its string in value, −1 if it is missing.
func intern(v []string, missing func(int) bool) (index func(int) int, value []string) {
	at := map[string]int{}
	for i, s := range v {
		if missing != nil && missing(i) {
			continue
		}
		if _, ok := at[s]; !ok {
			at[s] = len(value)
			value = append(value, s)
		}
	}
	return func(i int) int {
		if missing != nil && missing(i) {
			return -1
		}
		return at[v[i]]
	}, value
}

func decodeItems(data []byte, features []Feature) (it *Items, err error) {
	defer RecoverCorrupt(&err)
	t, err := openTable(bytes.NewReader(data), int64(len(data)), itemFields(features))
	if err != nil {
		return nil, err
	}
	it = new(Items)
	for _, f := range features {
		it.Columns = append(it.Columns, Column{Feature: f})
	}
	for _, g := range t.groups() {
		if err := it.readGroup(t, g); err != nil {
			return nil, err
		}
	}
	for k := range it.Columns {
		it.Columns[k].dropMissing()
	}
	return it, it.check(features)
}

func (it *Items) readGroup(t *tableReader, g parquet.RowGroup) error {
	for _, label := range []struct {
		name string
		dst  *[]string
	}{{"item", &it.ID}, {"suite", &it.Suite}, {"paradigm", &it.Paradigm}, {"task", &it.Task}} {
		if err := readNames(t, g, label.name, label.dst); err != nil {
			return err
		}
	}
	return readColumns(t, g, it.Columns)
}

// readNames appends a text column without nulls to dst.
func readNames(t *tableReader, g parquet.RowGroup, column string, dst *[]string) error {
	var x texts
	if err := t.text(g, column, &x); err != nil {
		return err
	}
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
	if err := it.checkLabels(); err != nil {
		return err
	}
	return checkColumns(it.Columns, features, "item", it.ID)
}

// checkLabels returns an error for the first fault of what is not a feature.
func (it *Items) checkLabels() error {
	n := it.Len()
	if n == 0 {
		return errors.New("the table is empty: a battery has at least one item")
	}
	if len(it.Suite) != n || len(it.Paradigm) != n || len(it.Task) != n {
		return errors.New("item, suite, paradigm and task differ in length")
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
// each of them is: item or subject.
func checkColumns(columns []Column, features []Feature, what string, id []string) error {
	if len(columns) != len(features) {
		return fmt.Errorf("%d feature columns for %d declared features", len(columns), len(features))
	}
	for k := range columns {
		if err := columns[k].checkAs(features[k], what, id); err != nil {
			return err
		}
	}
	return nil
}

// checkAs returns an error for the first fault of the column of a feature (see checkColumns).
func (c *Column) checkAs(f Feature, what string, id []string) error {
	if !sameFeature(c.Feature, f) {
		return fmt.Errorf("column %s differs from feature %s of the manifest", c.Name, f.Name)
	}
	if err := c.check(what, id); err != nil {
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
func (c *Column) check(what string, id []string) error {
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
				return fmt.Errorf("row %d: %s %s: %w", i+1, what, id[i], err)
			}
			continue
		}
		x := c.Number[i]
		if !finite(x) {
			return fmt.Errorf("row %d: %s %s: %g is not a finite number (a missing value is null)", i+1, what, id[i], x)
		}
		if r := c.Range; r != nil && (x < r[0] || x > r[1]) {
			return fmt.Errorf("row %d: %s %s: %g is outside the declared range [%g, %g]", i+1, what, id[i], x, r[0], r[1])
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
