// Package generate lets synthetic subjects take a battery, and publishes what they did without saying who they are.
package generate

import (
	"encoding/json"
	"fmt"

	"achilles/agents"
	"achilles/battery"
	"achilles/battery/bib"
	"achilles/sim/num"
)

// A Session has everything that a run made, before redaction. Fields tagged sealed never reach the public directory.
type Session struct {
	Battery   battery.Battery
	Subjects  []agents.Spec
	Responses []Response // but for those that Run records, which All gives too; in any order; no two share subject, item, trial, repetition and measure
	Episodes  []Episode  // what subjects that act did, but for bodies that Run let act; in any order; no two share subject, item, trial and repetition

	Calls []Called `sealed:"says that a subject is a language model"` // what language models were asked; in any order

	NotConfined    bool // a program acted that could read what its user can
	NoTrajectories bool // publish which trials were passed and where subjects went, but not what could be seen in the episodes

	// Scene makes or reads the episode of an item that observers watch, by its index in the Battery; nil if observers
	// watch nothing. Many goroutines may call it.
	Scene func(item int) (bib.Episode, error)

	HoldOutItems bool               // the same items are held out for all subjects; else each subject has its own
	HoldOut      float64            // share of item × subject cells held out, in [0, 1); 0 means DefaultHoldOut, a negative number none
	Root         uint64             `sealed:"makes everything"`
	Drawn        bool               `sealed:"whether Root was drawn"`
	Scenario     string             `sealed:"names the agents"`
	Scale        map[string]float64 `sealed:"belongs to the truth"` // capability → its maximum, in the unit of its demand
	Published    json.RawMessage    `sealed:"names the agents"`     // published values to print beside ours; may be nil

	// Parameters has the values that were drawn from a layout: parameter → its unit → value. The unit is the public id of a
	// subject or an item, the name of a group of items, or "" if the parameter is shared by all. It is nil without a layout.
	Parameters map[string]map[string]float64 `sealed:"is the truth"`
	Layout     string                        `sealed:"is how the truth was drawn"` // text of the layout; "" without one

	known  *identity // of the session, once it has been identified
	taken  *taken    // responses to a whole battery, recorded by Run; nil if there are none
	acting *acting   // lets bodies act; nil if there are none
}

// DefaultHoldOut is the share of item × subject cells that are held out to grade predictions, if a Session gives
// none.
const DefaultHoldOut = 0.2

// A Response is the value of one measure for one subject on one trial.
type Response struct {
	Subject    int // index into Session.Subjects
	Item       int // index into Session.Battery.Items
	Trial      int // index into the item's Trials; 0 if it has none
	Repetition int // 0, 1, 2 … if a subject takes the same trial several times
	Position   int // place of the trial in the subject's sequence, from 1; 0 if the order is not known
	Measure    int // index into Session.Battery.Measure
	Value      float64
	Unscored   string // why there is no value, and Value is 0; empty if Value is a finite number that counts
	Chosen     Choice // where the subject went; the same for all measures of a trial
}

// An Episode is what one subject did in one trial, with indices as in Response. Its moves, replayed in the trial's
// world, show everything that happened, because worlds have no randomness.
type Episode struct {
	Subject, Item, Trial, Repetition int

	Moves   string // actions, one for each tick, as seal.EncodeMoves writes them
	Eyes    string `sealed:"says how well it saw"`        // how well the subject saw, for seal.DecodeEyes; empty for perfect eyes and agents from outside
	Beliefs string `sealed:"says what went on inside"`    // what the subject believed about the reward, for seal.DecodeBeliefs; empty for agents from outside
	Cause   string `sealed:"says what went wrong inside"` // why the trial was not passed: a policy.Cause, or what a program did wrong; empty if it was passed
}

// Called says what a language model was asked in a trial or a question, with indices as in Response.
type Called struct {
	Subject, Item, Trial, Repetition int

	agents.Calls
}

// String returns the number of items, subjects and responses, or of episodes to watch.
func (s *Session) String() string {
	if s.Scene != nil {
		return fmt.Sprintf("%d episodes to watch", s.Battery.Items.Len())
	}
	return fmt.Sprintf("%s × %s, %s", num.Counted(s.Battery.Items.Len(), "item"), num.Counted(len(s.Subjects), "subject"), num.Counted(s.responses(), "response"))
}

// maxResponses is the largest number of responses of a session.
const maxResponses = 1 << 25
