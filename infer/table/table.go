// Package table joins the scored responses to one measure with the features of their items. Every analysis of responses
// starts from such a table.
package table

// A Role says what a feature is to the success of a subject.
type Role string

const (
	Relevant   Role = "relevant"   // a demand: success is expected to fall as it grows
	Irrelevant Role = "irrelevant" // ought not to matter; a robust subject ignores it
	Other      Role = "other"      // a label, or anything else that may help to predict
)

// A Feature is one property of the items.
type Feature struct {
	Name    string
	Role    Role
	Levels  []string  // of a nominal feature, sorted; nil for a number
	Value   []float64 // one an item: the number, or the index of the level; 0 where missing
	Missing []bool    // one an item; nil where no value is missing
}

// Nominal reports whether the values are levels without order.
func (f *Feature) Nominal() bool { return f.Levels != nil }

// At returns the value of an item, and whether it has one.
func (f *Feature) At(item int) (float64, bool) {
	if f.Missing != nil && f.Missing[item] {
		return 0, false
	}
	return f.Value[item], true
}

// Select returns the features of those names, in that order, and the first name that is none.
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

// A Table is a set of responses. Row i is the response of subject Subject[i] to item Item[i]; rows are sorted by
// subject, and a subject may have answered an item many times or never. The slices are shared and read-only.
type Table struct {
	Subjects, Items []string // ids
	Features        []Feature
	Subject, Item   []int32   // indices into Subjects and Items
	Value           []float64 // in [0, 1]: success, or the degree of it
	Binary          bool      // every value is 0 or 1
}

// Rows is the number of responses.
func (t *Table) Rows() int { return len(t.Item) }

// Subset returns a copy of the given rows, which has no access to the others. It panics unless they ascend: rows are sorted
// by subject.
func (t *Table) Subset(rows []int32) *Table {
	s := &Table{Subjects: t.Subjects, Items: t.Items, Features: t.Features, Binary: t.Binary,
		Subject: make([]int32, len(rows)), Item: make([]int32, len(rows)), Value: make([]float64, len(rows))}
	for i, r := range rows {
		if i > 0 && rows[i-1] >= r {
			panic("table: the rows of a subset must ascend")
		}
		s.Subject[i], s.Item[i], s.Value[i] = t.Subject[r], t.Item[r], t.Value[r]
	}
	return s
}

// With returns the table with other features.
func (t *Table) With(fs []Feature) *Table {
	s := *t
	s.Features = fs
	return &s
}

// Bounds returns where the rows of every subject begin: those of subject s are Bounds[s] to Bounds[s+1]−1.
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

// Mean is the mean value of all rows, and whether there is one.
func (t *Table) Mean() (float64, bool) {
	sum := 0.0
	for _, v := range t.Value {
		sum += v
	}
	return sum / float64(max(len(t.Value), 1)), len(t.Value) > 0
}
