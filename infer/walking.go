package infer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

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

	position int32 // of the response in the subject's sequence; 0 if the order is not known

	past *policy.Past // what the subject did before in the same block of trials; nil: the trial stands alone
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
	w := &walking{run: r, tracks: tracks, section: section}
	if w.worlds, err = readWorlds(r.public, &r.data.Manifest); err != nil {
		return nil, err
	}
	w.readProfiles(fits)
	pasts, err := w.readPasts()
	if err != nil {
		return nil, err
	}
	w.findWalks(pasts)
	return w.all(ctx)
}

// A walking has the data from which paths are predicted.
type walking struct {
	*run
	tracks   *record.Trajectories
	section  *layout.Walking
	worlds   map[record.Key]string // by item and trial
	profiles []*fitted             // by subject; nil for a subject without a profile
	pooled   *fitted               // of all subjects together
	walks    [][]walk              // one element for each item and trial, sorted by item
}

// A fitted has draws of the layout's parameters.
type fitted struct {
	draws  [][]float64
	chance float64 // of a lapse that walks to the reward
}

// profile returns the traits that the draws give for a walk.
func (w *walking) profile(f *fitted, x walk) (*trajectory.Profile, error) {
	key, _ := w.tracks.Key(x.index)
	item, _ := slices.BinarySearch(w.data.Items.ID, key.Item)
	traits, draws, err := w.section.Traits(w.design.Names(), f.draws, w.data.Items.NumberAt(item, x.position))
	if err != nil {
		return nil, fmt.Errorf("item %s: %w", w.data.Items.ID[item], err)
	}
	return &trajectory.Profile{Traits: traits, Draws: draws, Place: w.section.Place, Chance: f.chance, Past: x.past}, nil
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

// position returns the position of a trial in the subject's sequence, or 0.
func position(responses *record.Responses, subject, item int, k record.Key) int32 {
	for _, x := range responses.To(subject, item) {
		if int(x.Trial) == k.Trial && int(x.Repetition) == k.Repetition {
			return x.Position
		}
	}
	return 0
}

// find returns the indices of subject and item of a trajectory; ok is false if the data do not have both.
func find(d *record.Dataset, k record.Key) (subject, item int, ok bool) {
	subject, ok1 := slices.BinarySearch(d.Subjects, k.Subject)
	item, ok2 := slices.BinarySearch(d.Items.ID, k.Item)
	return subject, item, ok1 && ok2
}

// readProfiles keeps the draws of the fits that did not use the held-out responses, and pools them.
func (w *walking) readProfiles(fits []*piece) {
	w.profiles = make([]*fitted, len(w.data.Subjects))
	w.pooled = &fitted{}
	chance, n := 0.0, 0
	for _, f := range fits {
		if f.Fit == nil || f.Fit.Rows != FitRows || len(f.draws) == 0 {
			continue
		}
		p := &fitted{f.draws[0], f.Failure}
		if w.section.Chance != nil {
			p.chance = *w.section.Chance
		}
		chance, n = chance+p.chance, n+1
		s, _ := slices.BinarySearch(w.data.Subjects, f.Fit.Subject)
		w.profiles[s] = p
		w.pooled.draws = append(w.pooled.draws, thin(f.draws, pooledDraws)...)
	}
	if n > 0 {
		w.pooled.chance = chance / float64(n)
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
func (w *walking) findWalks(pasts map[record.Key]*policy.Past) {
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
		*of = append(*of, walk{i, s, position(&w.data.Responses, s, item, k), pasts[k]})
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

// world predicts the walks in one world. Where traits depend on the position or on the past, so does what all subjects together are expected to
// do.
func (w *walking) world(ctx context.Context, walks []walk) (rows []PathPrediction, err error) {
	key, _ := w.tracks.Key(walks[0].index)
	s, err := scene(w.worlds, key)
	if s == nil || err != nil {
		return nil, err
	}
	trial := strconv.Itoa(key.Trial)
	var pooled *trajectory.Prediction
	for i, x := range walks {
		track, err := w.tracks.At(x.index)
		if err != nil {
			return nil, err
		}
		if i == 0 || w.section.ByItem() || x.past != nil {
			stream := rng.Stream(w.Seed, "paths", key.Item, trial, "pooled")
			if pooled, err = w.predict(ctx, s, w.pooled, x, stream); err != nil {
				return nil, err
			}
		}
		stream := rng.Stream(w.Seed, "paths", key.Item, trial, "subject", track.Subject, strconv.Itoa(track.Repetition))
		mine, err := w.predict(ctx, s, w.profiles[x.subject], x, stream)
		if err != nil {
			return nil, err
		}
		rows = append(rows, pathPrediction(s, trajectory.Of(track), mine, pooled, track.Key))
	}
	return rows, nil
}

// predict samples the paths that draws predict for a walk.
func (w *walking) predict(ctx context.Context, s *trajectory.Scene, f *fitted, x walk, r rng.Rand) (*trajectory.Prediction, error) {
	p, err := w.profile(f, x)
	if err != nil {
		return nil, err
	}
	return s.Predict(ctx, p, pathSamples, r)
}

// pathPrediction compares the predicted paths with the actual one.
func pathPrediction(s *trajectory.Scene, actual trajectory.Path, mine, pooled *trajectory.Prediction, k record.Key) PathPrediction {
	return PathPrediction{
		Subject: k.Subject, Item: k.Item, Trial: int32(k.Trial), Repetition: int32(k.Repetition),
		Success: clampUnit(mine.Success), PooledSuccess: clampUnit(pooled.Success),
		RMSE: s.RMSE(mine.Fan[mine.Central].Path, actual), Likely: s.RMSE(mine.Fan[0].Path, actual), Fan: s.FanRMSE(mine, actual),
		Direct: s.RMSE(s.Rollout(policy.Oracle).Path, actual), Still: s.RMSE(s.Rollout(policy.Nothing).Path, actual),
		Pooled: s.RMSE(pooled.Fan[pooled.Central].Path, actual), PooledFan: s.FanRMSE(pooled, actual),
	}
}
