package replay

import (
	"slices"
	"strconv"

	"achilles/infer/layout"
	"achilles/scenarios/score"
	"achilles/sim/record"
)

// A Feature is a meta-feature of an item, with its value as text.
type Feature struct {
	Name, Value string
	Unit        string // unit that the layout states; may be empty
}

// features returns the features of a row's item that have a value. First come the features that the layout uses, in the
// layout's order, then all other features in the order of the manifest.
func (a *Archive) features(row int) []Feature {
	i, ok := slices.BinarySearch(a.data.Items.ID, a.keys[row].Item)
	if !ok {
		return nil
	}
	var used []layout.Metafeature
	if l := a.layout(); l != nil {
		used = l.Metafeatures
	}
	item := a.data.Items.Part(i, 1)
	var list []Feature
	for _, m := range used {
		if c, ok := item.Column(m.Column); ok && !slices.Contains(c.Missing, true) {
			list = append(list, Feature{m.Column, valueOf(&c), m.Unit})
		}
	}
	for k := range item.Columns {
		c := &item.Columns[k]
		known := slices.ContainsFunc(list, func(f Feature) bool { return f.Name == c.Name })
		if !known && !slices.Contains(c.Missing, true) {
			list = append(list, Feature{Name: c.Name, Value: valueOf(c)})
		}
	}
	return list
}

// valueOf returns the value in a column of one item as text.
func valueOf(c *record.Column) string {
	if c.Number != nil {
		return strconv.FormatFloat(c.Number[0], 'g', 5, 64)
	}
	return c.Text[0]
}

// layout returns the layout of the inferred part. It returns nil if nothing was inferred, or if the layout's text
// is not at hand.
func (a *Archive) layout() *layout.Layout {
	r, err := a.inferred()
	if err != nil {
		return nil // a note says why
	}
	if a.measured == nil {
		if a.measured, err = score.LayoutOf(&a.layouts, r); err != nil {
			a.note("units are not shown: %v", err)
		}
	}
	return a.measured
}
