package infer

import (
	"errors"
	"fmt"

	"achilles/infer/trajectory"
	"achilles/sim/record"
)

// scene reads the world of a trial. It returns nil if no forecast can be made for it.
func scene(worlds map[record.Key]string, k record.Key) (*trajectory.Scene, error) {
	text, ok := worlds[record.Key{Item: k.Item, Trial: k.Trial}]
	if !ok {
		return nil, fmt.Errorf("item %s, trial %d: trajectories without a world", k.Item, k.Trial)
	}
	s, err := trajectory.ReadScene(text)
	if unfit := (*trajectory.Unfit)(nil); errors.As(err, &unfit) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("item %s, trial %d: %w", k.Item, k.Trial, err)
	}
	return s, nil
}
