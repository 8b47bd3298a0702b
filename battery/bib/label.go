package bib

import (
	"achilles/battery"
	"achilles/sim/record"
)

// A Label is the sealed part of an item that observers watch: its task, and which of its videos is expected.
type Label struct {
	Item    string            `json:"item"` // opaque id
	Task    Task              `json:"task" sealed:"says what to look for"`
	Index   int               `json:"index" sealed:"counterbalancing goes by it"`
	Variant string            `json:"variant,omitempty" sealed:"says what is expected"`
	Dial    *Dial             `json:"dial,omitempty" sealed:"says how sure the expected outcome is"`
	Nats    *float64          `json:"nats,omitempty" sealed:"says how sure the expected outcome is"`
	Source  string            `json:"source,omitempty" sealed:"the name of an imported file says what is expected"`
	Outcome []battery.Outcome `json:"outcome" sealed:"the answer"` // outcome of video a, and of video b if there is one
}

// Blind returns the part of the episode that an observer may watch and the part that must be sealed. The unexpected
// outcome is video b, or video a if swapped is true.
func (e *Episode) Blind(item string, swapped bool) (record.Watched, Label) {
	w := record.Watched{Item: item, Videos: []record.Video{e.Expected}}
	l := Label{Item: item, Task: e.Task, Index: e.Index, Variant: e.Variant, Dial: e.Dial, Nats: e.Nats, Source: e.Source, Outcome: []battery.Outcome{battery.Expected}}
	if !e.Paired() {
		return w, l
	}
	w.Videos = append(w.Videos, e.Unexpected)
	l.Outcome = append(l.Outcome, battery.Unexpected)
	if swapped {
		w.Videos[0], w.Videos[1] = w.Videos[1], w.Videos[0]
		l.Outcome[0], l.Outcome[1] = l.Outcome[1], l.Outcome[0]
	}
	return w, l
}

// Paired reports whether e has an unexpected outcome.
func (e *Episode) Paired() bool { return len(e.Unexpected.Test.Path) > 0 }
