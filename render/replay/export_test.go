package replay

import (
	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// Shoot gives tests the film of a trajectory, with its events.
func Shoot(text string, t *record.Trajectory, eyes *seal.Eyes, cause string) (*Film, []Event, error) {
	f, err := shoot(text, t, eyes)
	if err != nil {
		return nil, nil, err
	}
	return f, f.events(cause), nil
}
