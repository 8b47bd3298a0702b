// Package record is the contract between the team that makes batteries and subjects and the team that infers: plain
// data in a versioned directory format. It reads and writes bytes and fs.FS, never paths.
//
// A public directory has manifest.json, items.parquet, responses.parquet, subjects.parquet if something is known of the
// subjects, and, if there are episodes, worlds/ and
// trajectories/, or scenes/ for observers. docs/reference/format.md specifies every file.
package record

import (
	"achilles/sim/part"
)

// A Manifest describes a public directory: a part whose settings are its Schema. Its parent is the sealed part, to which it commits; it has
// none if there is no truth. It contains no seed, agent name or time.
type Manifest struct {
	part.Manifest // Files are worlds, trajectories and scenes, sorted by path
	Schema
}

// A Schema says what items, responses and subjects have.
type Schema struct {
	Features []Feature `json:"features"` // the feature columns of items.parquet, in column order
	Measures []Measure `json:"measures"`
	// Covariates are the columns of subjects.parquet, in column order. All have the role Covariate.
	Covariates []Feature `json:"covariates,omitempty"`
	// NotConfined says that programs acted which could read what their user can, the truth included.
	NotConfined bool `json:"not_confined,omitempty"`
}

// A Role says what a feature means for a measurement layout.
type Role string

const (
	Demand    Role = "demand"    // what the item asks of a capability
	Nuisance  Role = "nuisance"  // irrelevant to the task, but may influence a biased subject
	Condition Role = "condition" // design label: suite, paradigm, variant
	Shortcut  Role = "shortcut"  // whether a policy that lacks the tested ability passes the item
	Covariate Role = "covariate" // known of a subject before it responds; the role of all columns of subjects, and of no other
)

// A Kind is the type of a feature's values.
type Kind string

const (
	Number Kind = "number"
	Text   Kind = "text"
)

// A Feature is the schema of one column of the items, or of the subjects.
type Feature struct {
	Name  string      `json:"name"`
	Kind  Kind        `json:"kind"`
	Role  Role        `json:"role"`
	Unit  string      `json:"unit,omitempty"`
	Doc   string      `json:"doc,omitempty"`
	Range *[2]float64 `json:"range,omitempty"` // declared closed range of a number
}

// A Family is the type of a measure's values.
type Family string

const (
	Binary Family = "binary" // 0 or 1
	Real   Family = "real"
	Unit   Family = "unit"   // in the closed interval [0, 1]
	Count  Family = "count"  // a non-negative integer
	Choice Family = "choice" // a category: 0, 1, 2 …
)

// A Measure is something that a response reports, for instance success, choice, steps or surprise.
type Measure struct {
	Name   string `json:"name"`
	Family Family `json:"family"`
	Doc    string `json:"doc,omitempty"`
}

// A Column is one feature of all items, or of all subjects. Number or Text, by Kind, has one value for each of them.
type Column struct {
	Feature
	Number  []float64
	Text    []string
	Missing []bool // nil if no value is missing; a missing value is 0 or "" in Number or Text, and null on disk
}

// Rows returns a copy of the column with the rows of these indices, which may repeat.
func (c *Column) Rows(at []int) Column {
	out := Column{Feature: c.Feature}
	for _, i := range at {
		if c.Kind == Text {
			out.Text = append(out.Text, c.Text[i])
		} else {
			out.Number = append(out.Number, c.Number[i])
		}
		if c.Missing != nil {
			out.Missing = append(out.Missing, c.Missing[i])
		}
	}
	return out
}

// Items are the items of a battery, column by column, sorted by ID; row i of every slice is item i.
type Items struct {
	ID, Suite, Paradigm, Task []string
	Columns                   []Column // of items that were read without their values, which Values returns

	packed []packedValues // the values of Columns; nil if these have them

	// Make makes n items of a table that is written, beginning with item `from`. If it is not nil, ID alone need have all items.
	Make func(from, n int) (*Items, error)
}

// Len returns the number of items.
func (it *Items) Len() int { return len(it.ID) }

// Column returns the feature column of that name; suite, paradigm and task are text columns too. It returns false if
// there is none.
func (it *Items) Column(name string) (Column, bool) {
	label := func(v []string) (Column, bool) {
		return Column{Feature: Feature{Name: name, Kind: Text, Role: Condition}, Text: v}, true
	}
	switch name {
	case "suite":
		return label(it.Suite)
	case "paradigm":
		return label(it.Paradigm)
	case "task":
		return label(it.Task)
	}
	for k := range it.Columns {
		if it.Columns[k].Name == name {
			return it.Values(k), true
		}
	}
	return Column{}, false
}

// Values returns column k of Columns with its values. It unpacks them, so that whoever needs them often keeps them.
func (it *Items) Values(k int) Column {
	if it.packed == nil {
		return it.Columns[k]
	}
	return it.packed[k].part(it.Columns[k].Feature, 0, it.packed[k].rows)
}

// A Phase says what a trial is for.
type Phase uint8

const (
	Test Phase = iota
	Familiarisation
)

// String returns the word for p in files: test or familiarisation.
func (p Phase) String() string { return phases[p] }

var phases = [...]string{"test", "familiarisation"}

// A Split says how a response is used: Fit rows train predictions, HeldOut rows grade them. Profiles use both.
type Split uint8

const (
	Fit Split = iota
	HeldOut
)

// String returns the word for s in files: fit or held-out.
func (s Split) String() string { return splits[s] }

var splits = [...]string{"fit", "held-out"}

// A Response is one value of one measure of one subject on one trial. It names subject, item, measure and reason by
// their index in the Dataset.
type Response struct {
	Subject, Item     int32
	Trial, Repetition int16
	Pair              int32 // trials of an item with the same positive pair are two outcomes of one scene; 0: unpaired
	Measure           uint8
	Phase             Phase
	Split             Split
	Unscored          uint8   // 0: Value is valid; otherwise an index into Reasons, and Value is 0
	Trials            int32   // of a count: among how many trials it counts the successes; 0 if there is no such number
	Position          int32   // position of the trial in the subject's sequence, from 1; 0 if the order is not known
	Chosen            Chosen  // where the subject went; the same for all measures of a trial
	Value             float64 // never NaN or infinite
}

// A Dataset is a public directory in memory, without worlds and trajectories. Responses are sorted by subject, item,
// trial, repetition and measure; no two are equal in all five.
type Dataset struct {
	Manifest  Manifest
	Items     Items
	Subjects  []string // sorted opaque ids
	Reasons   []string // Reasons[0] is "", for scored responses; the other reasons are sorted
	Visits    []string // lists of places that were entered before the choice, such as "3 1"; Visits[0] is "", the others are sorted; nil: only ""
	Responses Responses
	// Covariates are columns of the subjects: what is known of them before they respond. Row i is subject i.
	Covariates []Column
}

// Measure returns the index of the measure of that name, and false if there is none.
func (d *Dataset) Measure(name string) (uint8, bool) {
	for i, m := range d.Manifest.Measures {
		if m.Name == name {
			return uint8(i), true
		}
	}
	return 0, false
}
