package record

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Trajectory is one trial as a viewer saw it: what the actor did, and what else was in sight.
type Trajectory struct {
	Key
	Viewer   string   // who was looking, for instance self for the actor, or observer
	Movement Movement // how the actor could move
	Scale    int32    // position units per cell, at least 1: 1 if positions are cells, 20 if they are pixels of a 20-pixel grid
	Steps    []Step   // at least one; sorted by tick
	Seen     []Sighting
}

// A Key identifies a trajectory. Subject is empty if the actor belongs to the item, so that everybody watches the same
// trajectory.
type Key struct {
	Item       string
	Trial      int
	Subject    string
	Repetition int
}

// A Step is the state of the actor at one tick, and the action that it then took.
type Step struct {
	Tick, X, Y int32
	Heading    Heading
	Action     string // empty if there was none, as at the last step
}

// A Heading is the direction in which an actor faces; empty if the world has no headings.
type Heading string

// The headings; y grows to the north.
const (
	North     Heading = "N"
	NorthEast Heading = "NE"
	East      Heading = "E"
	SouthEast Heading = "SE"
	South     Heading = "S"
	SouthWest Heading = "SW"
	West      Heading = "W"
	NorthWest Heading = "NW"
)

func (h Heading) known() bool {
	return h == "" || slices.Contains([]Heading{North, NorthEast, East, SouthEast, South, SouthWest, West, NorthWest}, h)
}

// A Sighting says that, from a step on, the viewer sees an entity at a place with a certain look, until the next
// Sighting of that entity. An empty As, with X and Y 0, means that the entity went out of sight. Only changes are
// listed.
type Sighting struct {
	Step   int32 // index into Steps
	Entity string
	X, Y   int32
	As     string // look of the entity, for instance "reward green" or "barrier 3 cells"
}

// compareKeys compares by item first, so that every shard mixes subjects.
func compareKeys(a, b Key) int {
	return cmp.Or(strings.Compare(a.Item, b.Item), a.Trial-b.Trial, strings.Compare(a.Subject, b.Subject), a.Repetition-b.Repetition)
}

func (k Key) String() string {
	return fmt.Sprintf("item %s, trial %d, subject %s, repetition %d", k.Item, k.Trial, k.Subject, k.Repetition)
}

func (k Key) check() error {
	if err := CheckName(k.Item); err != nil {
		return fmt.Errorf("item: %w", err)
	}
	if err := checkText(k.Subject); err != nil {
		return fmt.Errorf("subject: %w", err)
	}
	if k.Trial < 0 || k.Trial > maxTrial || k.Repetition < 0 || k.Repetition > maxTrial {
		return fmt.Errorf("trial or repetition is not in 0 … %d", maxTrial)
	}
	return nil
}

// check returns an error for the first fault of t.
func (t *Trajectory) check() error {
	if err := t.checkHead(); err != nil {
		return err
	}
	if len(t.Steps) == 0 {
		return errors.New("no steps")
	}
	for i, s := range t.Steps {
		if i > 0 && t.Steps[i-1].Tick >= s.Tick {
			return fmt.Errorf("step %d: ticks do not grow", i)
		}
		if !s.Heading.known() {
			return fmt.Errorf("step %d: heading %q is not a direction", i, s.Heading)
		}
		if i > 0 && s.Action == t.Steps[i-1].Action {
			continue
		}
		if err := checkText(s.Action); err != nil {
			return fmt.Errorf("step %d: action: %w", i, err)
		}
	}
	return t.checkSeen()
}

// checkHead checks all but the steps and the sightings.
func (t *Trajectory) checkHead() error {
	if err := t.Key.check(); err != nil {
		return err
	}
	if err := CheckName(t.Viewer); err != nil {
		return fmt.Errorf("viewer: %w", err)
	}
	switch {
	case !t.Movement.known():
		return fmt.Errorf("movement %q is not one of %s, %s", t.Movement, FourHeading, EightNeighbour)
	case t.Scale < 1:
		return errors.New("scale is less than 1")
	}
	return nil
}

func (t *Trajectory) checkSeen() error {
	var room [8]int
	last := room[:0] // by entity: index of its last sighting
	for i, s := range t.Seen {
		if s.Step < 0 || int(s.Step) >= len(t.Steps) {
			return fmt.Errorf("sighting %d: step %d is not a step", i, s.Step)
		}
		if i > 0 && cmp.Or(int(t.Seen[i-1].Step-s.Step), strings.Compare(t.Seen[i-1].Entity, s.Entity)) >= 0 {
			return fmt.Errorf("sighting %d: not sorted by step and entity, or one is listed twice", i)
		}
		if s.As == "" && (s.X != 0 || s.Y != 0) {
			return fmt.Errorf("sighting %d: an entity out of sight has no place", i)
		}
		k := slices.IndexFunc(last, func(j int) bool { return t.Seen[j].Entity == s.Entity })
		p := Sighting{}
		if k < 0 {
			if err := CheckName(s.Entity); err != nil {
				return fmt.Errorf("sighting %d: entity: %w", i, err)
			}
			k, last = len(last), append(last, i)
		} else {
			p = t.Seen[last[k]]
		}
		if p.As == s.As && p.X == s.X && p.Y == s.Y {
			return fmt.Errorf("sighting %d of %s repeats what was seen before", i, s.Entity)
		}
		if p.As != s.As {
			if err := checkText(s.As); err != nil {
				return fmt.Errorf("sighting %d: %w", i, err)
			}
		}
		last[k] = i
	}
	return nil
}
