// Package battery has the types of batteries: suites, tasks and the items they generate.
package battery

import "achilles/sim/record"

// A Battery is a set of items that share a schema.
type Battery struct {
	Suite   string           `json:"suite"`
	Schema  []record.Feature `json:"schema"`
	Measure []record.Measure `json:"measure"`
	Items   []Item           `json:"items"`
}

// An Item is one instance of a task. Fields tagged sealed never reach the public directory: redaction drops them and
// a test fills every field to prove it.
type Item struct {
	Name     string  `json:"name" sealed:"may say how it was made"`
	Suite    string  `json:"suite"`
	Paradigm string  `json:"paradigm"`
	Task     string  `json:"task"`
	Values   []Value `json:"values"`           // one a feature of the schema, in its order
	Trials   []Trial `json:"trials,omitempty"` // in the order they are taken; nil: one test trial
}

// A Trial is one presentation of an item. Two test trials of an item with the same positive Pair are two outcomes of
// one scene: they stand next to each other, and publishing tosses a coin for which of them comes first.
type Trial struct {
	Phase   record.Phase `json:"phase"`
	Pair    int          `json:"pair,omitempty"`
	Outcome Outcome      `json:"outcome,omitempty" sealed:"is the answer to a violation-of-expectation item"`
}

// An Outcome says whether a trial shows what a rational observer expects.
type Outcome uint8

const (
	NoOutcome Outcome = iota // a trial that is not compared with another
	Expected
	Unexpected
)

// String returns "", expected or unexpected.
func (o Outcome) String() string {
	return [...]string{"", "expected", "unexpected"}[o]
}

// A Value is a feature's value on one item: Number or Text by the feature's kind, or nothing where Missing.
type Value struct {
	Number  float64 `json:"number,omitempty"`
	Text    string  `json:"text,omitempty"`
	Missing bool    `json:"missing,omitempty"`
}
