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
	Items   Items            `json:"items"`
}

// An Item is one instance of a task. Fields with the tag sealed never reach the public directory: they are dropped when
// items are published. A test checks this on an item of which every field is filled.
type Item struct {
	Name     string  `json:"name" sealed:"may say how it was made"`
	Suite    string  `json:"suite"`
	Paradigm string  `json:"paradigm"`
	Task     string  `json:"task"`
	Values   Values  `json:"values"`           // one per feature of the schema, in its order
	Brief    string  `json:"brief,omitempty"`  // one line that a subject is told before it starts
	Trials   []Trial `json:"trials,omitempty"` // in the order in which subjects take them; nil: one test trial

	Answer string `json:"answer,omitempty" sealed:"is the answer"` // the right option, if the item is a question (Battery.Question)
}

// A Trial is one presentation of an item. Two test trials of an item with the same positive Pair are two outcomes of
// one scene: they are adjacent, and when the item is published, their order is drawn at random.
type Trial struct {
	Phase   record.Phase `json:"phase"`
	Pair    int          `json:"pair,omitempty"`
	Outcome Outcome      `json:"outcome,omitempty" sealed:"is the answer to a violation-of-expectation item"`

	// World is the world at tick 0, with its schedule of events and its time limit. It is empty if the trial has no world. A
	// subject passes the trial when its episode ends with the outcome finished.
	World World `json:"world,omitzero"`
	// Places are the cells in which a reward could lie, including the right one, row by row from the south-west. Actors
	// that guess choose among them. It is nil if the item does not list them.
	Places []gridworld.Pos `json:"places,omitempty"`
}

// Open returns the world of t, as Read does.
func (t *Trial) Open() (*gridworld.World, error) {
	w := &gridworld.World{}
	if err := t.Read(w); err != nil {
		return nil, err
	}
	return w, nil
}

// Read makes w the world of t, reusing w's memory. It fails if t has no world, or if the world does not begin at tick 0, has no
// actor or time limit, or if Places are outside the world or out of order; w is of no use then.
func (t *Trial) Read(w *gridworld.World) error {
	if err := t.World.Read(w); err != nil {
		return fmt.Errorf("world: %w", err)
	}
	return t.fits(w.Head())
}

// check returns the error of Read as far as the head of the world says it.
func (t *Trial) check() error {
	head, err := t.World.head()
	if err != nil {
		return fmt.Errorf("world: %w", err)
	}
	return t.fits(head)
}

// fits returns an error if a trial cannot begin in a world with this head.
func (t *Trial) fits(w gridworld.Head) error {
	switch {
	case w.Tick != 0 || w.Outcome != gridworld.Running:
		return errors.New("world: a trial begins at tick 0")
	case !w.Inside(w.Actor.Pos):
		return errors.New("world: there is no actor")
	case w.Rules.Limit == 0:
		return errors.New("world: there is no time limit")
	}
	for i, p := range t.Places {
		if !w.Inside(p) || i > 0 && !before(t.Places[i-1], p) {
			return fmt.Errorf("places: %s is outside the world, twice or out of order", p)
		}
	}
	return nil
}

// before reports whether p comes before q, row by row from the south-west.
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

// MarshalText returns the text of String.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText sets o to the outcome with the text that MarshalText returns.
func (o *Outcome) UnmarshalText(text []byte) error {
	for *o = NoOutcome; *o <= Unexpected; *o++ {
		if o.String() == string(text) {
			return nil
		}
	}
	return fmt.Errorf("outcome %q: it must be expected, unexpected or empty", text)
}
