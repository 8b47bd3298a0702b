package record

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go"
)

// itemFields returns the schema of items.parquet: four labels, then one column per feature.
func itemFields(features []Feature) []field {
	f := []field{{"item", textCell}, {"suite", textCell}, {"paradigm", textCell}, {"task", textCell}}
	for _, x := range features {
		c := optionalNumber
		if x.Kind == Text {
			c = optionalText
		}
		f = append(f, field{x.Name, c})
	}
	return f
}

func encodeItems(it *Items, features []Feature) ([]byte, error) {
	if err := it.check(features); err != nil {
		return nil, err
	}
	return encodeTable("items", itemFields(features), func(t *tableWriter) error {
		for from := 0; from < it.Len(); from += rowGroup {
			if err := it.writeGroup(t, from, min(rowGroup, it.Len()-from)); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeGroup writes n items, beginning with item `from`, as one row group.
func (it *Items) writeGroup(t *tableWriter, from, n int) error {
	for c, label := range [][]string{it.ID, it.Suite, it.Paradigm, it.Task} {
		index, value := intern(label[from:from+n], nil)
		if err := t.text(c, n, false, value, index); err != nil {
			return err
		}
	}
	for k := range it.Columns {
		col, c := &it.Columns[k], k+4
		missing := func(i int) bool { return col.Missing != nil && col.Missing[from+i] }
		var err error
		if col.Kind == Text {
			index, value := intern(col.Text[from:from+n], missing)
			err = t.text(c, n, true, value, index)
		} else {
			err = t.numbers(c, n, func(i int) (float64, bool) { return col.Number[from+i], !missing(i) })
		}
		if err != nil {
			return err
		}
	}
	return t.flush()
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
		var x texts
		if err := t.text(g, label.name, &x); err != nil {
			return err
		}
		for i := range x.index {
			s, ok := x.at(i)
			if !ok {
				return fmt.Errorf("column %s: null where a value is required", label.name)
			}
			*label.dst = append(*label.dst, s)
		}
	}
	for k := range it.Columns {
		if err := it.Columns[k].readGroup(t, g); err != nil {
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

// dropMissing sets Missing to nil if every item has a value.
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
	if len(it.Columns) != len(features) {
		return fmt.Errorf("%d feature columns for %d declared features", len(it.Columns), len(features))
	}
	for k := range it.Columns {
		if !sameFeature(it.Columns[k].Feature, features[k]) {
			return fmt.Errorf("column %s differs from feature %s of the manifest", it.Columns[k].Name, features[k].Name)
		}
		if err := it.Columns[k].check(it.ID); err != nil {
			return fmt.Errorf("column %s: %w", it.Columns[k].Name, err)
		}
	}
	return nil
}

func sameFeature(a, b Feature) bool {
	ra, rb := a.Range, b.Range
	a.Range, b.Range = nil, nil
	return a == b && (ra == nil) == (rb == nil) && (ra == nil || *ra == *rb)
}

// check returns an error for the first value of c that violates the declaration of its feature. id has the ids of the
// items.
func (c *Column) check(id []string) error {
	n := len(c.Number)
	if c.Kind == Text {
		n = len(c.Text)
	}
	if n != len(id) || c.Missing != nil && len(c.Missing) != n {
		return fmt.Errorf("%d values for %d items", n, len(id))
	}
	for i := range id {
		if c.Missing != nil && c.Missing[i] {
			continue
		}
		if c.Kind == Text {
			if err := checkText(c.Text[i]); err != nil {
				return fmt.Errorf("row %d: item %s: %w", i+1, id[i], err)
			}
			continue
		}
		x := c.Number[i]
		if !finite(x) {
			return fmt.Errorf("row %d: item %s: %g is not a finite number (a missing value is null)", i+1, id[i], x)
		}
		if r := c.Range; r != nil && (x < r[0] || x > r[1]) {
			return fmt.Errorf("row %d: item %s: %g is outside the declared range [%g, %g]", i+1, id[i], x, r[0], r[1])
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
