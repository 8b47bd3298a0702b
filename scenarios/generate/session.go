// Package generate lets synthetic subjects take a battery and publishes what they did without saying who they are.
package generate

import (
	"encoding/json"
	"fmt"

	"achilles/agents"
	"achilles/battery"
	"achilles/battery/bib"
)

// DefaultHoldOut is the share of item × subject cells that predictions are graded on.
const DefaultHoldOut = 0.2

// A Session is all that a run made, before redaction. Fields tagged sealed never reach the public directory.
type Session struct {
	Battery   battery.Battery
	Subjects  []agents.Spec
	Responses []Response // in any order; no two share subject, item, trial, repetition and measure
	Episodes  []Episode  // what those who act did, in any order; no two share subject, item, trial and repetition

	NoTrajectories bool // what could be seen in the episodes is not published, only who passed

	// Scene makes or reads what observers watch of an item, by its index in the Battery; nil where items are not watched.
	// Many goroutines may call it.
	Scene func(item int) (bib.Episode, error)

	HoldOut   float64            // share of item × subject cells held out, in [0, 1); 0 means DefaultHoldOut, negative none
	Root      uint64             `sealed:"makes everything"`
	Scenario  string             `sealed:"names the agents"`
	Scale     map[string]float64 `sealed:"belongs to the truth"` // capability → its maximum, in the unit of its demand
	Published json.RawMessage    `sealed:"names the agents"`     // tables of published values to print beside ours; may be nil
}

// A Response is one value of one measure of one subject on one trial, by index into the Session.
type Response struct {
	Subject    int // index into Session.Subjects
	Item       int // index into Session.Battery.Items
	Trial      int // index into the item's Trials; 0 where it has none
	Repetition int // 0, 1, 2 … where a subject takes the same trial several times
	Position   int // which trial of the subject's sequence it is, from 1; 0 where the order is not known
	Measure    int // index into Session.Battery.Measure
	Value      float64
	Unscored   string // why there is no value, which is then 0; empty where Value counts, and then it is finite
}

// An Episode is what one subject did in one trial, by index into the Session. With the trial's world it tells
// everything that happened: worlds leave nothing to chance.
type Episode struct {
	Subject, Item, Trial, Repetition int

	Moves   string // its actions, one a tick, as seal.EncodeMoves writes them
	Eyes    string `sealed:"says how well it saw"`        // as seal.DecodeEyes reads it; empty for perfect ones, and for those without
	Beliefs string `sealed:"says what went on inside"`    // what it held about the reward, as seal.DecodeBeliefs reads it; empty for those without
	Cause   string `sealed:"says what went wrong inside"` // why the trial was not passed, that of a policy.Cause, or what a program did wrong; empty where it was passed
}

// String says how much was made.
func (s *Session) String() string {
	if s.Scene != nil {
		return fmt.Sprintf("%d episodes to watch", len(s.Battery.Items))
	}
	return fmt.Sprintf("%d items × %d subjects, %d responses", len(s.Battery.Items), len(s.Subjects), len(s.Responses))
}
