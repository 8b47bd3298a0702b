package replay

import (
	"fmt"

	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// An Episode is an episode that was opened, with what was inferred about it. It has a Trajectory or a Watched.
type Episode struct {
	Row
	Key      record.Key
	Features []Feature // of the item, in the order of the manifest
	Last     int       // the last tick
	Rate     float64   // ticks a second at speed 1
	Events   []Event   // by tick

	Trajectory *Trajectory // nil where the episode is watched
	Watched    *Watched    // nil where a subject acts

	Profile   *Profile   // of the subject; nil where none was inferred
	Predicted *Predicted // nil where the profile predicts no path
}

// Ticks a second at speed 1.
const (
	trajectoryRate = 8
	watchedRate    = 25 // frames a second of the benchmark's videos
)

// Episode opens the episode of a row. What was inferred and cannot be read is left out, with a note.
func (a *Archive) Episode(row int) (*Episode, error) {
	e := &Episode{Row: a.Rows[row], Key: a.keys[row], Features: a.features(row)}
	var err error
	if a.isScene(row) {
		err = a.watch(e, row)
	} else {
		err = a.act(e, row)
	}
	if err != nil {
		return nil, fmt.Errorf("episode of %s: %w", e.Key, err)
	}
	return e, nil
}

// act fills in the trajectory of an episode in which a subject acts, and what its profile predicts.
func (a *Archive) act(e *Episode, row int) error {
	t, err := a.acts.At(row)
	if err != nil {
		return err
	}
	w, err := record.FindWorld(a.public, &a.data.Manifest, e.Key.Item, e.Key.Trial)
	if err != nil {
		return err
	}
	eyes, beliefs, err := a.sealedState(row, e.Key)
	if err != nil {
		return err
	}
	if e.Trajectory, err = replay(w.Text, t, eyes); err != nil {
		return err
	}
	e.Trajectory.addBeliefs(beliefs)
	e.Last, e.Rate = e.Trajectory.last(), trajectoryRate
	e.Events = e.Trajectory.events(e.Cause)
	e.Row.Steps = len(t.Steps)
	if e.Profile, err = a.profile(e.Key.Subject); err != nil {
		return nil // there is none, or a note says why it cannot be read
	}
	e.Predicted, err = a.predict(e, e.Profile)
	return err
}

// sealedState is the actor's eyes and beliefs. There are none while they are sealed, and of actors without a body.
func (a *Archive) sealedState(row int, key record.Key) (*seal.Eyes, []seal.Belief, error) {
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
