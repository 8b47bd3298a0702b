package replay

import (
	"fmt"

	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// An Episode is an episode that was opened: a Film, or something watched.
type Episode struct {
	Row
	Key    record.Key
	Last   int // the last tick
	Rate   float64
	Events []Event // by tick

	Film  *Film  // nil where the episode is watched
	Watch *Watch // nil where a subject acts
}

// Ticks a second at speed 1.
const (
	filmRate  = 8
	watchRate = 25
)

// Episode opens the episode of a row.
func (a *Archive) Episode(row int) (*Episode, error) {
	e := &Episode{Row: a.Rows[row], Key: a.keys[row]}
	var err error
	if a.isScene(row) {
		err = a.watch(e, row)
	} else {
		err = a.film(e, row)
	}
	if err != nil {
		return nil, fmt.Errorf("episode of %s: %w", e.Key, err)
	}
	return e, nil
}

func (a *Archive) film(e *Episode, row int) error {
	t, err := a.acts.At(row)
	if err != nil {
		return err
	}
	w, err := record.FindWorld(a.public, &a.data.Manifest, e.Key.Item, e.Key.Trial)
	if err != nil {
		return err
	}
	eyes, beliefs, err := a.inside(row, e.Key)
	if err != nil {
		return err
	}
	if e.Film, err = shoot(w.Text, t, eyes); err != nil {
		return err
	}
	e.Film.believe(beliefs)
	e.Last, e.Rate = e.Film.Last(), filmRate
	e.Events = e.Film.events(e.Cause)
	e.Row.Steps = len(t.Steps)
	return nil
}

// inside is what is sealed of an episode: how well the actor saw, and what it held. There is none while it is sealed, and
// of actors without a body.
func (a *Archive) inside(row int, key record.Key) (*seal.Eyes, []seal.Belief, error) {
	s := a.sealedEpisode(row, key)
	if s == nil || s.Eyes == "" && s.Beliefs == "" {
		return nil, nil, nil
	}
	eyes, err := seal.DecodeEyes(s.Eyes)
	if err != nil {
		return nil, nil, err
	}
	beliefs, err := seal.DecodeBeliefs(s.Beliefs)
	return &eyes, beliefs, err
}
