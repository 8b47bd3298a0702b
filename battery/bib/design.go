package bib

import (
	"fmt"
	"slices"
	"strings"

	"achilles/battery"
	"achilles/sim/record"
)

// A Design says which episodes to make. It can be decoded from TOML.
type Design struct {
	Episodes int    // number per task, 1 to MaxEpisodes; a multiple of 12 balances every nuisance, such as which object is nearer
	Tasks    []Task // empty: all evaluation tasks
	Split    Split  // empty: Natural
	Shapes   Shapes // empty: Seen
	Motion   Motion // empty: Measured
	Dials    []Dial // dozens of episodes of evaluation tasks have them in turn; empty: the zero Dial
	Apart    int    // largest distance between the middles of the two regions in which the objects of Preference are placed, MinApart to MaxApart pixels; 0: MaxApart
	GoOn     bool   // in the blocking-barrier task the actor goes on from the key to the lock and the object; otherwise it stops at the key
}

// A Split is a condition on the layouts of test trials, that is, on where walls, things and actor are.
type Split string

const (
	// Natural layouts are drawn without regard to what the path shows. In some the path does not tell the goals apart, as in one
	// of the benchmark's two published pairs, and detours may be small.
	Natural Split = "natural"
	// Telling layouts let the path show which goal an actor has: the path to the unexpected goal is at least MinExcess
	// pixels longer than needed for reaching the expected one. Detours are as long as MinExcess at least.
	Telling Split = "telling"
	// Collinear layouts have one goal on a shortest path to the other, so that only the end of the walk shows the goal.
	Collinear Split = "collinear"
)

// A Motion says how actors move. It also orders the objects of a scene.
type Motion string

const (
	// Measured actors move as those of the benchmark's published episodes do: they stop at different distances, cut corners,
	// give things a wide berth, and some of their ways are slightly longer than needed (docs/theory/bib.md).
	Measured Motion = "measured"
	// Ideal actors walk on exactly shortest paths at one pace, and touch every thing at the same distance. The preferred object
	// is listed first in a scene.
	Ideal Motion = "ideal"
)

// Shapes names a set of shapes for objects and actors. The geometry of an episode does not depend on it.
type Shapes string

const (
	// Seen shapes also occur in the background episodes.
	Seen Shapes = "seen"
	// New shapes do not occur in the background episodes.
	New Shapes = "new"
)

// MaxEpisodes is the largest number of episodes of a task: file names have six digits.
const MaxEpisodes = 999_999

// Check sets empty fields of d to their defaults. It returns an error for the first field with a wrong value.
func (d *Design) Check() error {
	if len(d.Tasks) == 0 {
		d.Tasks = Evaluation()
	}
	if d.Split == "" {
		d.Split = Natural
	}
	if d.Shapes == "" {
		d.Shapes = Seen
	}
	if d.Motion == "" {
		d.Motion = Measured
	}
	for i, t := range d.Tasks {
		if !t.Known() {
			return fmt.Errorf("tasks: no task is called %q; there are %s", t, names(All()))
		}
		if slices.Contains(d.Tasks[:i], t) {
			return fmt.Errorf("tasks: %s is listed twice", t)
		}
	}
	for i := range d.Dials {
		if err := d.Dials[i].Check(); err != nil {
			return err
		}
	}
	switch {
	case d.Episodes < 1 || d.Episodes > MaxEpisodes:
		return fmt.Errorf("episodes: %d; it must be 1 to %d of each task", d.Episodes, MaxEpisodes)
	case d.Apart != 0 && (d.Apart < MinApart || d.Apart > MaxApart):
		return fmt.Errorf("apart: %d; it must be %d to %d pixels", d.Apart, MinApart, MaxApart)
	case d.Split != Natural && d.Split != Telling && d.Split != Collinear:
		return fmt.Errorf("split: %q; it must be %q, %q or %q", d.Split, Natural, Telling, Collinear)
	case d.Motion != Measured && d.Motion != Ideal:
		return fmt.Errorf("motion: %q; it must be %q or %q", d.Motion, Measured, Ideal)
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

// Len returns the number of episodes of a checked design.
func (d *Design) Len() int { return len(d.Tasks) * d.Episodes }

// At returns the task of episode i of a checked design, and its index within the task. Episodes are ordered by task,
// then by index.
func (d *Design) At(i int) (t Task, index int) { return d.Tasks[i/d.Episodes], i % d.Episodes }

// Battery returns the battery of a checked design, with one item per episode.
func (d *Design) Battery() battery.Battery {
	names := make([]string, d.Len())
	for i := range names {
		t, index := d.At(i)
		names[i] = fmt.Sprintf("%s %06d", t, index)
	}
	return Battery(names)
}

// Battery returns a battery with one item per name. The items differ in their names only: the task is sealed, because
// it would tell an observer what to look for.
func Battery(names []string) battery.Battery {
	b := battery.Battery{Suite: "bib", Measure: []record.Measure{
		{Name: "surprise", Family: record.Real, Doc: "how surprising the test trial of a video is: larger is more; comparable within an observer only"},
		{Name: "max_step", Family: record.Real, Doc: "greatest surprise of a single step of the test trial"},
		{Name: "mean_step", Family: record.Real, Doc: "mean surprise of a step of the test trial"},
	}}
	for _, name := range names {
		b.Items.Append(&battery.Item{Name: name, Suite: b.Suite, Paradigm: "violation-of-expectation", Task: "watch"})
	}
	return b
}
