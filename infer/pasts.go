package infer

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/infer/trajectory"
	"achilles/sim/record"
)

// readPasts returns what subjects did before held-out trials of blocks; nil if the items are no trials of blocks.
func (w *walking) readPasts() (map[record.Key]*policy.Past, error) {
	blocks, ok := w.data.Items.Blocks()
	if !ok {
		return nil, nil
	}
	all := map[record.Key]policy.Tried{}
	var last record.Key
	var s *trajectory.Scene
	for track, err := range w.tracks.All() {
		if err != nil {
			return nil, err
		}
		if track.Item != last.Item || track.Trial != last.Trial {
			if s, err = scene(w.worlds, track.Key); err != nil {
				return nil, err
			}
			last = track.Key
		}
		if s != nil {
			all[track.Key] = trajectory.Tried(s, trajectory.Of(track))
		}
	}
	pasts := map[record.Key]*policy.Past{}
	for s, id := range w.data.Subjects {
		key := func(r record.Response) record.Key {
			return record.Key{Subject: id, Item: w.data.Items.ID[r.Item], Trial: int(r.Trial), Repetition: int(r.Repetition)}
		}
		tried := func(r record.Response) (policy.Tried, error) {
			if t, ok := all[key(r)]; ok {
				return t, nil
			}
			return policy.Tried{At: gridworld.Nowhere()}, nil
		}
		for r, earlier := range blocks.Trials(w.data.Responses.Of(s)) {
			if r.Split != record.HeldOut {
				continue
			}
			past, err := trajectory.PastOf(&blocks, r, earlier, tried)
			if err != nil {
				return nil, err
			}
			pasts[key(r)] = past
		}
	}
	return pasts, nil
}
