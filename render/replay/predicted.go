package replay

import (
	"context"
	"math"
	"slices"
	"strconv"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/infer/trajectory"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A Predicted has the paths that a subject's profile predicts for an episode: the sampled paths, the most central of
// them, and its distance from the actual path. The profile was fitted to all responses, including the response in this
// episode.
type Predicted struct {
	Fan      []trajectory.Branch // distinct sampled paths, the most frequent first
	Samples  int
	Path     []gridworld.Pos // the predicted path: the medoid of the samples
	Share    float64         // share of the samples that equal Path, 0 … 1
	Success  float64         // predicted probability of success
	Chance   []float64       // by tick: success rate of the sampled paths within a cell of the actual one so far; NaN: none
	Distance []float64       // by tick: distance between the predicted and the actual path, in cells
	RMSE     float64         // root mean square distance of Path from the actual path while the actor may act, in cells
	FanRMSE  float64         // mean, over the sampled paths, of the same RMSE, in cells
}

// samples is the number of paths that the method predict draws at random. The inference draws the same number.
const samples = 200

// predict samples the paths that a profile predicts for an episode. It returns nil, nil if nothing can be predicted: no
// subject acts, the layout says nothing about walking, or the world has no path to a reward.
func (a *Archive) predict(e *Episode, p *Profile) (*Predicted, error) {
	if e.Trajectory == nil || p == nil || p.paths == nil {
		return nil, nil
	}
	s, err := trajectory.ReadScene(e.Trajectory.text)
	if err != nil {
		return nil, nil // a world without a path to a reward
	}
	traits, err := p.paths.on(a.data, e.Key)
	if err != nil {
		return nil, err
	}
	if traits.Past, err = pastOf(a, e.Key); err != nil {
		return nil, err
	}
	stream := rng.Stream(0, "view", "paths", e.Key.Item, strconv.Itoa(e.Key.Trial), e.Key.Subject)
	fan, err := s.Predict(context.Background(), traits, samples, stream)
	if err != nil {
		return nil, err
	}
	actual := trajectory.Path(e.Trajectory.Path())
	branch := fan.Fan[fan.Central]
	out := &Predicted{
		Fan: fan.Fan, Samples: fan.Samples, Path: branch.Path, Share: float64(branch.Count) / float64(fan.Samples), Success: fan.Success,
		RMSE: s.RMSE(branch.Path, trimmed(actual)), FanRMSE: s.FanRMSE(fan, trimmed(actual)),
	}
	for t := range actual {
		q := branch.Path.At(t)
		out.Distance = append(out.Distance, math.Hypot(float64(q.X-actual[t].X), float64(q.Y-actual[t].Y)))
	}
	out.Chance = chances(fan.Fan, actual)
	return out, nil
}

// pastOf returns what the subject of an episode did before in the same block of trials. It returns nil if the trial stands alone.
func pastOf(a *Archive, k record.Key) (*policy.Past, error) {
	blocks, ok := a.data.Items.Blocks()
	s, known := slices.BinarySearch(a.data.Subjects, k.Subject)
	if !ok || !known {
		return nil, nil
	}
	key := func(r record.Response) record.Key {
		return record.Key{Subject: k.Subject, Item: a.data.Items.ID[r.Item], Trial: int(r.Trial), Repetition: int(r.Repetition)}
	}
	for r, earlier := range blocks.Trials(a.data.Responses.Of(s)) {
		if key(r) == k {
			return trajectory.PastOf(&blocks, r, earlier, func(r record.Response) (policy.Tried, error) { return triedIn(a, key(r)) })
		}
	}
	return nil, nil
}

// triedIn returns what a subject did in a trial; nothing, if there is no trajectory of it or its world has no path to a reward.
func triedIn(a *Archive, k record.Key) (policy.Tried, error) {
	none := policy.Tried{At: gridworld.Nowhere()}
	i, ok := a.acts.Find(k)
	if !ok {
		return none, nil
	}
	t, err := a.acts.At(i)
	if err != nil {
		return none, err
	}
	w, err := record.FindWorld(a.public, &a.data.Manifest, k.Item, k.Trial)
	if err != nil {
		return none, err
	}
	s, err := trajectory.ReadScene(w.Text)
	if err != nil {
		return none, nil
	}
	return trajectory.Tried(s, trajectory.Of(t)), nil
}

// chances returns, for each tick, the share of successes among the sampled paths that have been at most a cell from the
// actual path until then.
func chances(fan []trajectory.Branch, actual trajectory.Path) []float64 {
	out, left := make([]float64, len(actual)), slices.Clone(fan)
	for t, p := range actual {
		n, passed := 0, 0
		left = slices.DeleteFunc(left, func(b trajectory.Branch) bool {
			q := b.Path.At(t)
			return max(q.X-p.X, p.X-q.X, q.Y-p.Y, p.Y-q.Y) > 1
		})
		for _, b := range left {
			n, passed = n+b.Count, passed+b.Successes
		}
		out[t] = float64(passed) / float64(n) // NaN if no path is left
	}
	return out
}

// trimmed removes the ticks at the end of a path during which the actor stands still. The inference also removes them.
func trimmed(p trajectory.Path) trajectory.Path {
	for len(p) > 1 && p[len(p)-1] == p[len(p)-2] {
		p = p[:len(p)-1]
	}
	return p
}

// failure returns the share of failures among a subject's scored responses.
func failure(d *record.Dataset, subject string) float64 {
	k, ok := slices.BinarySearch(d.Subjects, subject)
	n, failed := 0, 0.0
	if !ok {
		return 0
	}
	for _, r := range d.Responses.Of(k) {
		if r.Unscored == 0 {
			n++
			failed += 1 - r.Value
		}
	}
	return failed / float64(max(n, 1))
}
