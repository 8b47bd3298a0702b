package replay

import (
	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// Replay returns the result of the function replay, and the events of the trajectory, for tests.
func Replay(text string, t *record.Trajectory, eyes *seal.Eyes, cause string) (*Trajectory, []Event, error) {
	tr, err := replay(text, t, eyes)
	if err != nil {
		return nil, nil, err
	}
	return tr, tr.events(cause), nil
}

// Profile returns the result of the method profile, for tests.
func (a *Archive) Profile(subject string) (*Profile, error) { return a.profile(subject) }

// Predict returns the result of the method predict, for tests.
func (a *Archive) Predict(e *Episode, p *Profile) (*Predicted, error) { return a.predict(e, p) }

// ErrNoProfile is the error of Profile for a subject about whom nothing was inferred.
var ErrNoProfile = errNoProfile

// Unknown is the error for a subject or an item that the directory does not have.
type Unknown = unknownError
