// Package table joins the scored responses to one measure with the features of their items. Every analysis of responses
// starts from such a table.
package table

import "achilles/sim/num"

// A Role says how a feature should relate to success.
type Role string

const (
	Relevant   Role = "relevant"   // a demand: success should fall as the feature grows
	Irrelevant Role = "irrelevant" // success should not depend on the feature
	Other      Role = "other"      // a label, or anything else that may help to predict success
)

// A Feature is one property of the items.
type Feature struct {
	Name    string
	Role    Role
	Levels  []string  // labels of a nominal feature, sorted; nil for a numeric feature
	Value   []float64 // for each item the number, or the index of the level; 0 if missing
	Missing []bool    // for each item, whether its value is missing; nil if no value is missing
}

// Nominal reports whether the values are labels without order.
func (f *Feature) Nominal() bool { return f.Levels != nil }

// At returns the value of an item. ok is false if it is missing.
func (f *Feature) At(item int) (value float64, ok bool) {
	if f.Missing != nil && f.Missing[item] {
		return 0, false
	}
	return f.Value[item], true
}

// Select returns the features with these names, in the order of names. If a name is not that of a feature, it returns no
// features and, as missing, the first such name.
func (t *Table) Select(names []string) (fs []Feature, missing string) {
next:
	for _, name := range names {
		for _, f := range t.Features {
			if f.Name == name {
				fs = append(fs, f)
				continue next
			}
		}
		return nil, name
	}
	return fs, ""
}

// A Table is a set of responses. Row i is the response of subject Subject[i] to item Item[i], with value Value[i]. Rows are
// sorted by subject; a subject may have answered an item many times or never. The slices are shared and read-only.
type Table struct {
	Subjects, Items []string // IDs
	Features        []Feature
	Measure         string
	Subject, Item   []int32   // indices into Subjects and Items
	Value           []float64 // degrees of success in [0, 1]
	Binary          bool      // the measure is binary: every value is 0 or 1
}

// Rows returns the number of responses.
func (t *Table) Rows() int { return len(t.Item) }

// Subset returns a table with copies of these rows only, so that its user cannot see the other rows. It panics unless
// the indices ascend.
func (t *Table) Subset(rows []int32) *Table {
	s := &Table{Subjects: t.Subjects, Items: t.Items, Features: t.Features, Measure: t.Measure, Binary: t.Binary,
		Subject: make([]int32, len(rows)), Item: make([]int32, len(rows)), Value: make([]float64, len(rows))}
	for i, r := range rows {
		if i > 0 && rows[i-1] >= r {
			panic("table: the rows of a subset must ascend")
		}
		s.Subject[i], s.Item[i], s.Value[i] = t.Subject[r], t.Item[r], t.Value[r]
	}
	return s
}

// Bounds returns b such that the rows of subject s are b[s] … b[s+1]−1.
func (t *Table) Bounds() []int {
	b := make([]int, len(t.Subjects)+1)
	for _, s := range t.Subject {
		b[s+1]++
	}
	for s := range t.Subjects {
		b[s+1] += b[s]
	}
	return b
}

// Mean returns the mean value of all rows. ok is false if there is no row.
func (t *Table) Mean() (mean float64, ok bool) {
	return num.Sum(t.Value) / float64(max(len(t.Value), 1)), len(t.Value) > 0
}
