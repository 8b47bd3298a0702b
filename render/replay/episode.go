package replay

import (
	"fmt"

	"achilles/scenarios/score"
	"achilles/sim/record"
)

// An Episode is an open episode and what was inferred about it. It has either a Trajectory or a Watched.
type Episode struct {
	Row
	Key      record.Key
	Features []Feature // features of the item, in the order of the manifest
	Last     int       // the last tick
	Rate     float64   // ticks per second at speed 1
	Events   []Event   // sorted by tick

	Others     []Other     // what other subjects did on the same trial; of many, some
	Took       int         // all other subjects who took it
	Passed     int         // of these
	Trajectory *Trajectory // nil if observers watch the episode
	Watched    *Watched    // nil if a subject acts in the episode

	Profile   *Profile   // profile of the subject; nil if none was inferred
	Predicted *Predicted // nil if the profile predicts no path

	Why *score.Explanation // why the profile expects what it does of the item; nil if nothing was inferred
}

// Ticks per second at speed 1.
const (
	trajectoryRate = 8
	watchedRate    = 25 // frames per second of the videos of the Baby Intuitions Benchmark
)

// Episode opens the episode of a row. If inferred values cannot be read, it leaves them out and adds a note to the
// archive.
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

// act fills in the trajectory of an episode in which a subject acts, and the paths that its profile predicts.
func (a *Archive) act(e *Episode, row int) error {
	t, err := a.acts.At(row)
	if err != nil {
		return err
	}
	w, err := record.FindWorld(a.public, &a.data.Manifest, e.Key.Item, e.Key.Trial)
	if err != nil {
		return err
	}
	eyes, beliefs, err := a.sealed.state(row, e.Key)
	if err != nil {
		return err
	}
	if e.Trajectory, err = replay(w.Text, t, eyes); err != nil {
		return err
	}
	e.Trajectory.addBeliefs(beliefs)
	e.Last, e.Rate = e.Trajectory.last(), trajectoryRate
	if err := a.others(e); err != nil {
		return err
	}
	e.Events = e.Trajectory.events(e.Cause)
	e.Row.Steps = len(t.Steps)
	if e.Profile, err = a.profile(e.Key.Subject); err != nil {
		return nil // there is no profile, or a note says why it cannot be read
	}
	if e.Why, err = a.explain(e); err != nil {
		return err
	}
	e.Predicted, err = a.predict(e, e.Profile)
	return err
}
