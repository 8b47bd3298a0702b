package infer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"achilles/gridworld/policy"
	"achilles/infer/layout"
	"achilles/infer/trajectory"
	"achilles/sim/record"
	"achilles/sim/rng"
)

const (
	pathSamples = 200 // number of paths sampled for each subject and item
	keptDraws   = 400 // number of draws of a fit from which paths are sampled, spread over its chains
	pooledDraws = 40  // number of draws of each subject in the pooled profile
	pathBlock   = 16  // number of trials whose path predictions are stored together
)

// A walk is a trajectory of a subject on an item to which the subject has a held-out response.
type walk struct {
	index   int // index of the trajectory
	subject int // index of its subject
}

// predictPaths predicts the paths of all held-out trajectories. It returns nil if there are no trajectories, if the
// layout has no section walking, if Predict is not set, or if the run is not about all subjects.
func (r *run) predictPaths(ctx context.Context, fits []*piece) ([]PathPrediction, error) {
	section := r.settings.Layout.Walking
	if !r.Predict || section == nil || r.Only != nil {
		return nil, nil
	}
	tracks, err := record.OpenTrajectories(r.public, &r.data.Manifest)
	if err != nil || tracks.Len() == 0 {
		return nil, err
	}
	defer tracks.Close()
	w := &walking{run: r, tracks: tracks}
	if w.worlds, err = readWorlds(r.public, &r.data.Manifest); err != nil {
		return nil, err
	}
	w.readProfiles(section, fits)
	w.findWalks()
	return w.all(ctx)
}

// checkWalking returns an error if a layout with a section [walking] lacks a parameter that predictions of paths need.
func checkWalking(l *layout.Layout) error {
	if l.Walking == nil {
		return nil
	}
	for _, name := range trajectory.Parameters() {
		if !slices.ContainsFunc(l.Parameters, func(p layout.Parameter) bool { return p.Name == name }) {
			return fmt.Errorf("walking: the layout has no parameter %s; paths need %s", name, strings.Join(trajectory.Parameters(), ", "))
		}
	}
	return nil
}

// A walking has the data from which paths are predicted.
type walking struct {
	*run
	tracks   *record.Trajectories
	worlds   map[record.Key]string // by item and trial
	profiles []*trajectory.Profile // by subject; nil for a subject without a profile
	pooled   *trajectory.Profile   // of all subjects together
	walks    [][]walk              // one element for each item and trial, sorted by item
}

// readWorlds reads the texts of all worlds, by item and trial.
func readWorlds(public fs.FS, m *record.Manifest) (map[record.Key]string, error) {
	list, err := record.Worlds(public, m)
	worlds := make(map[record.Key]string, len(list))
	for _, x := range list {
		worlds[record.Key{Item: x.Item, Trial: x.Trial}] = x.Text
	}
	return worlds, err
}

// heldOut reports whether a subject has held-out responses to an item. It looks at the first, because all are on the same side of
// the split.
func heldOut(responses *record.Responses, subject, item int) bool {
	for _, x := range responses.To(subject, item) {
		return x.Split == record.HeldOut
	}
	return false
}

// find returns the indices of subject and item of a trajectory; ok is false if the data do not have both.
func find(d *record.Dataset, k record.Key) (subject, item int, ok bool) {
	subject, ok1 := slices.BinarySearch(d.Subjects, k.Subject)
	item, ok2 := slices.BinarySearch(d.Items.ID, k.Item)
	return subject, item, ok1 && ok2
}

// readProfiles makes the subjects' profiles from the fits that did not use the held-out responses, and pools their draws.
func (w *walking) readProfiles(section *layout.Walking, fits []*piece) {
	parameters := names(w.design)
	w.profiles = make([]*trajectory.Profile, len(w.data.Subjects))
	w.pooled = &trajectory.Profile{Parameters: parameters, Place: section.Place}
	chance, n := 0.0, 0
	for _, f := range fits {
		if f.Fit == nil || f.Fit.Rows != FitRows || len(f.draws) == 0 {
			continue
		}
		p := &trajectory.Profile{Parameters: parameters, Draws: f.draws[0], Place: section.Place, Chance: f.Failure}
		if section.Chance != nil {
			p.Chance = *section.Chance
		}
		chance, n = chance+p.Chance, n+1
		s, _ := slices.BinarySearch(w.data.Subjects, f.Fit.Subject)
		w.profiles[s] = p
		w.pooled.Draws = append(w.pooled.Draws, thin(f.draws, pooledDraws)...)
	}
	if n > 0 {
		w.pooled.Chance = chance / float64(n)
	}
}

// thin returns n draws at even steps through all chains, or all draws if there are at most n.
func thin(chains [][][]float64, n int) (out [][]float64) {
	all := slices.Concat(chains...)
	n = min(n, len(all))
	for i := range n {
		out = append(out, all[(2*i+1)*len(all)/(2*n)])
	}
	return out
}

// findWalks sets w.walks: the trajectories whose subject has a profile and a held-out response to the item, grouped by item
// and trial.
func (w *walking) findWalks() {
	var last record.Key
	for i := range w.tracks.Len() {
		k, _ := w.tracks.Key(i)
		s, item, ok := find(w.data, k)
		if !ok || w.profiles[s] == nil || !heldOut(&w.data.Responses, s, item) {
			continue
		}
		if len(w.walks) == 0 || k.Item != last.Item || k.Trial != last.Trial {
			w.walks = append(w.walks, nil)
		}
		last = k
		of := &w.walks[len(w.walks)-1]
		*of = append(*of, walk{i, s})
	}
}

// all predicts every walk, with Jobs blocks at a time, and sorts the predictions by subject, item, trial and
// repetition.
func (w *walking) all(ctx context.Context) ([]PathPrediction, error) {
	blocks := slices.Collect(slices.Chunk(w.walks, pathBlock))
	out := make([][]PathPrediction, len(blocks))
	err := parallel(ctx, len(blocks), w.Jobs, nil, func(ctx context.Context, i int) (err error) {
		out[i], err = w.block(ctx, i, blocks[i])
		return err
	})
	all := slices.Concat(out...)
	slices.SortFunc(all, func(a, b PathPrediction) int {
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Item, b.Item), cmp.Compare(a.Trial, b.Trial), cmp.Compare(a.Repetition, b.Repetition))
	})
	return all, err
}

// block returns the predictions for the walks in some worlds. It reuses those that an earlier run with the same key
// stored, and otherwise computes and stores them.
func (w *walking) block(ctx context.Context, i int, worlds [][]walk) (rows []PathPrediction, err error) {
	name := "paths-" + strconv.Itoa(i)
	ok, err := w.stored(name, func(content []byte, _ bool) error { return json.Unmarshal(content, &rows) })
	if ok || err != nil {
		return rows, err
	}
	rows = nil
	for _, walks := range worlds {
		more, err := w.world(ctx, walks)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	b, err := json.Marshal(rows)
	if err != nil {
		return nil, err
	}
	return rows, w.keep(name, b)
}

// world predicts the walks in one world.
func (w *walking) world(ctx context.Context, walks []walk) (rows []PathPrediction, err error) {
	key, _ := w.tracks.Key(walks[0].index)
	s, err := scene(w.worlds, key)
	if s == nil || err != nil {
		return nil, err
	}
	trial := strconv.Itoa(key.Trial)
	pooled, err := s.Predict(ctx, w.pooled, pathSamples, rng.Stream(w.Seed, "paths", key.Item, trial, "pooled"))
	if err != nil {
		return nil, err
	}
	for _, x := range walks {
		track, err := w.tracks.At(x.index)
		if err != nil {
			return nil, err
		}
		stream := rng.Stream(w.Seed, "paths", key.Item, trial, "subject", track.Subject, strconv.Itoa(track.Repetition))
		mine, err := s.Predict(ctx, w.profiles[x.subject], pathSamples, stream)
		if err != nil {
			return nil, err
		}
		rows = append(rows, pathPrediction(s, trajectory.Of(track), mine, pooled, track.Key))
	}
	return rows, nil
}

// pathPrediction compares the predicted paths with the actual one.
func pathPrediction(s *trajectory.Scene, actual trajectory.Path, mine, pooled *trajectory.Prediction, k record.Key) PathPrediction {
	return PathPrediction{
		Subject: k.Subject, Item: k.Item, Trial: int32(k.Trial), Repetition: int32(k.Repetition),
		Success: clampUnit(mine.Success), PooledSuccess: clampUnit(pooled.Success),
		RMSE: s.RMSE(mine.Fan[mine.Central].Path, actual), Likely: s.RMSE(mine.Fan[mine.Likely].Path, actual), Fan: s.FanRMSE(mine, actual),
		Direct: s.RMSE(s.Rollout(policy.Oracle).Path, actual), Still: s.RMSE(s.Rollout(policy.Nothing).Path, actual),
		Pooled: s.RMSE(pooled.Fan[pooled.Central].Path, actual), PooledFan: s.FanRMSE(pooled, actual),
	}
}
