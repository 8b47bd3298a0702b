// Package battery has the types of batteries: suites, tasks and the items they generate.
package battery

import (
	"errors"
	"fmt"

	"achilles/gridworld"
	"achilles/sim/record"
)

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
	Brief    string  `json:"brief,omitempty"`  // what a subject is told before it starts, in one line
	Trials   []Trial `json:"trials,omitempty"` // in the order they are taken; nil: one test trial

	Answer string `json:"answer,omitempty" sealed:"is the answer"` // of a question (Battery.Question): the option that is right
}

// A Trial is one presentation of an item. Two test trials of an item with the same positive Pair are two outcomes of
// one scene: they stand next to each other, and publishing draws which of them comes first.
type Trial struct {
	Phase   record.Phase `json:"phase"`
	Pair    int          `json:"pair,omitempty"`
	Outcome Outcome      `json:"outcome,omitempty" sealed:"is the answer to a violation-of-expectation item"`

	// World is the text form of the world at tick 0 with its schedule of events, in which the time limit is a rule;
	// empty where the item has none. A trial is passed when its episode ends with the outcome finished.
	World string `json:"world,omitempty"`
	// Places are the cells in which a reward could lie, the right one among them, row by row from the south-west: for
	// actors that guess. None where the item does not say.
	Places []gridworld.Pos `json:"places,omitempty"`
}

// Open parses the world of t. The error says which rule of a trial the world breaks; without a world there is none to
// open.
func (t *Trial) Open() (*gridworld.World, error) {
	w, err := gridworld.Parse(t.World)
	if err != nil {
		return nil, fmt.Errorf("world: %w", err)
	}
	switch {
	case w.Tick() != 0 || w.Outcome() != gridworld.Running:
		return nil, errors.New("world: a trial begins at tick 0")
	case !w.Inside(w.Actor().Pos):
		return nil, errors.New("world: there is no actor")
	case w.Rules().Limit == 0:
		return nil, errors.New("world: there is no time limit")
	}
	for i, p := range t.Places {
		if !w.Inside(p) || i > 0 && !before(t.Places[i-1], p) {
			return nil, fmt.Errorf("places: %s is outside the world, twice or out of order", p)
		}
	}
	return w, nil
}

// before says whether p comes before q, row by row from the south-west.
func before(p, q gridworld.Pos) bool { return p.Y < q.Y || p.Y == q.Y && p.X < q.X }

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

// MarshalText writes the word that stands in files.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (o *Outcome) UnmarshalText(text []byte) error {
	for *o = NoOutcome; *o <= Unexpected; *o++ {
		if o.String() == string(text) {
			return nil
		}
	}
	return fmt.Errorf("outcome %q: it must be expected, unexpected or empty", text)
}

// A Value is a feature's value on one item: Number or Text by the feature's kind, or nothing where Missing.
type Value struct {
	Number  float64 `json:"number,omitempty"`
	Text    string  `json:"text,omitempty"`
	Missing bool    `json:"missing,omitempty"`
}
