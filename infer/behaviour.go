package infer

import (
	"strconv"

	"achilles/infer/compare"
	"achilles/infer/trajectory"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A behaviour has the episodes of every subject: its trajectories, each with a forecast, which says how likely every kind of
// behaviour makes a trajectory (package trajectory). Trajectories in worlds without a forecast are left out.
type behaviour struct {
	all, fit [][]trajectory.Episode // indexed by subject; fit lacks the episodes of the subject's held-out items
}

// readBehaviour reads all trajectories. It returns nil if there are none in a world for which a forecast can be made.
func (r comparing) readBehaviour() (*behaviour, error) {
	tracks, err := record.OpenTrajectories(r.public, &r.data.Manifest)
	if err != nil || tracks.Len() == 0 {
		return nil, err
	}
	defer tracks.Close()
	worlds, err := readWorlds(r.public, &r.data.Manifest)
	if err != nil {
		return nil, err
	}
	out := &behaviour{all: make([][]trajectory.Episode, len(r.data.Subjects)), fit: make([][]trajectory.Episode, len(r.data.Subjects))}
	any := false
	trial := trialForecast{seed: r.Seed, worlds: worlds}
	for track, err := range tracks.All() {
		if err != nil {
			return nil, err
		}
		subject, item, ok := find(r.data, track.Key)
		if !ok {
			continue
		}
		if err := trial.at(track.Key); err != nil {
			return nil, err
		}
		if trial.scene == nil {
			continue
		}
		e := trajectory.Episode{Item: track.Item, Forecast: trial.forecast, Statistics: trial.scene.Statistics(trajectory.Of(track))}
		out.all[subject], any = append(out.all[subject], e), true
		if !heldOut(&r.data.Responses, subject, item) {
			out.fit[subject] = append(out.fit[subject], e)
		}
	}
	if !any {
		return nil, nil
	}
	return out, nil
}

// A trialForecast has the forecast for the trial of the current trajectory. The trajectories of a trial follow each other, so
// that each forecast is made once.
type trialForecast struct {
	seed     uint64
	worlds   map[record.Key]string
	key      record.Key
	scene    *trajectory.Scene // nil if no forecast can be made
	forecast *trajectory.Forecast
}

// at sets the scene and the forecast to those of the trial of trajectory k.
func (t *trialForecast) at(k record.Key) (err error) {
	if t.key.Item == k.Item && t.key.Trial == k.Trial {
		return nil
	}
	t.key = k
	if t.scene, err = scene(t.worlds, k); t.scene != nil {
		t.forecast = t.scene.Forecast(rng.Stream(t.seed, "forecast", k.Item, strconv.Itoa(k.Trial)))
	}
	return err
}

// givenTrajectories returns the bank of rivals for task t, whose prior probabilities take account of the evidence of the
// subject's trajectories, and what weighs these. Without trajectories, and in blocks of trials, it returns the bank unchanged and nil.
func (r comparing) givenTrajectories(t task) (*compare.Bound, *trajectory.Weigher, error) {
	if !r.acts {
		return r.bank, nil, nil
	}
	w, err := r.behaviour()
	if err != nil || w == nil {
		return r.bank, nil, err
	}
	episodes := w.all[t.subject]
	if t.rows == FitRows {
		episodes = w.fit[t.subject]
	}
	if len(episodes) == 0 {
		return r.bank, nil, nil
	}
	weigher := trajectory.NewWeigher(episodes)
	return r.bank.GivenTrajectories(weigher.Evidence(), weigher.Given), weigher, nil
}
