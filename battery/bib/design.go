package bib

import (
	"fmt"
	"slices"
	"strings"

	"achilles/battery"
	"achilles/sim/record"
)

// A Design says which episodes are made. It can be decoded from TOML.
type Design struct {
	Episodes int    // of each task; a multiple of 12 balances every nuisance exactly
	Tasks    []Task // empty: all evaluation tasks
	Split    Split  // empty: Default
	Shapes   Shapes // empty: Seen
	GoOn     bool   // in the blocking-barrier task the actor goes on from the key to lock and object; else it stops at the key
}

// A Split says which layouts are taken.
type Split string

const (
	// Default layouts let the way alone tell which goal an actor has: the way to the unexpected goal costs at least
	// MinExcess pixels that the expected goal would not.
	Default Split = "default"
	// Collinear layouts have one goal on a cheapest way to the other, so that only where the actor stops can tell.
	Collinear Split = "collinear"
)

// Shapes says how things look. The geometry of an episode does not depend on it.
type Shapes string

const (
	// Seen shapes are those of the background episodes too.
	Seen Shapes = "seen"
	// New shapes are others.
	New Shapes = "new"
)

// MaxEpisodes bounds the episodes of a task: file names have six digits.
const MaxEpisodes = 999_999

// Check completes d with its defaults and reports what is wrong with it, if anything.
func (d *Design) Check() error {
	if len(d.Tasks) == 0 {
		d.Tasks = Evaluation()
	}
	if d.Split == "" {
		d.Split = Default
	}
	if d.Shapes == "" {
		d.Shapes = Seen
	}
	for i, t := range d.Tasks {
		if !t.Known() {
			return fmt.Errorf("tasks: no task is called %q; there are %s", t, names(append(Evaluation(), Background()...)))
		}
		if slices.Contains(d.Tasks[:i], t) {
			return fmt.Errorf("tasks: %s is listed twice", t)
		}
	}
	switch {
	case d.Episodes < 1 || d.Episodes > MaxEpisodes:
		return fmt.Errorf("episodes: %d; it must be 1 to %d of each task", d.Episodes, MaxEpisodes)
	case d.Split != Default && d.Split != Collinear:
		return fmt.Errorf("split: %q; it must be %q or %q", d.Split, Default, Collinear)
	case d.Shapes != Seen && d.Shapes != New:
		return fmt.Errorf("shapes: %q; it must be %q or %q", d.Shapes, Seen, New)
	}
	return nil
}

func names(tasks []Task) string {
	var s []string
	for _, t := range tasks {
		s = append(s, string(t))
	}
	return strings.Join(s, ", ")
}

// Len is the number of episodes of a checked design.
func (d *Design) Len() int { return len(d.Tasks) * d.Episodes }

// At is the task and the index of episode i of a checked design: task by task, in the order of their indices.
func (d *Design) At(i int) (t Task, index int) { return d.Tasks[i/d.Episodes], i % d.Episodes }

// Battery is the battery of a checked design, an item an episode.
func (d *Design) Battery() battery.Battery {
	names := make([]string, d.Len())
	for i := range names {
		t, index := d.At(i)
		names[i] = fmt.Sprintf("%s %06d", t, index)
	}
	return Battery(names)
}

// Battery is a battery of episodes with these names. Its items say the same of all of them: the task is sealed, because
// whoever knows it knows what to look for.
func Battery(names []string) battery.Battery {
	b := battery.Battery{Suite: "bib", Measure: []record.Measure{
		{Name: "surprise", Family: record.Real, Doc: "how surprising the test trial of a video is: larger is more; comparable within an observer only"},
		{Name: "max_step", Family: record.Real, Doc: "greatest surprise of a single step of the test trial"},
		{Name: "mean_step", Family: record.Real, Doc: "mean surprise of a step of the test trial"},
	}}
	for _, name := range names {
		b.Items = append(b.Items, battery.Item{Name: name, Suite: b.Suite, Paradigm: "violation-of-expectation", Task: "watch"})
	}
	return b
}
