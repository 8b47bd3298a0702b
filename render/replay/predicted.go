package replay

import (
	"context"
	"math"
	"slices"
	"strconv"

	"achilles/gridworld"
	"achilles/infer/trajectory"
	"achilles/sim/rng"
)

// A Predicted is the paths that a subject's profile predicts for an episode: sampled paths, the medoid of them, and its
// distance from the actual path. The profile is fitted to all responses, that to this episode included.
type Predicted struct {
	Fan      []trajectory.Branch // the distinct paths, the most frequent first
	Samples  int
	Path     []gridworld.Pos // the predicted path: the medoid of the samples
	Share    float64         // of the samples that walk it, 0 … 1
	Success  float64         // predicted probability of success
	Chance   []float64       // by tick: of the sampled paths that have kept within a cell of the actor so far, the share that succeed; NaN where none has
	Distance []float64       // between the predicted and the actual path by tick, in cells
	RMSE     float64         // of the predicted path over the ticks at which the actor may act, in cells
	FanRMSE  float64         // mean of the RMSE over the samples, in cells
}

// samples is how many paths are sampled: as many as inference samples.
const samples = 200

// predict samples the paths that a profile predicts for an episode. It returns nil without an error where nothing can be
// predicted: nobody acts, the layout says nothing about walking, or the world has no way to a reward.
func (a *Archive) predict(e *Episode, p *Profile) (*Predicted, error) {
	if e.Trajectory == nil || p == nil || p.paths == nil {
		return nil, nil
	}
	s, err := trajectory.ReadScene(e.Trajectory.text)
	if err != nil {
		return nil, nil // a world in which nobody can walk to a reward
	}
	stream := rng.Stream(0, "view", "paths", e.Key.Item, strconv.Itoa(e.Key.Trial), e.Key.Subject)
	fan, err := s.Predict(context.Background(), p.paths, samples, stream)
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

// chances are, by tick, the shares of success among the sampled paths that have kept within a cell of the actual one so far.
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
		out[t] = float64(passed) / float64(n) // NaN where none is left
	}
	return out
}

// trimmed is a path without the ticks that it stands still at its end, as inference has paths.
func trimmed(p trajectory.Path) trajectory.Path {
	for len(p) > 1 && p[len(p)-1] == p[len(p)-2] {
		p = p[:len(p)-1]
	}
	return p
}

// failure is the share of a subject's scored responses that are failures.
func (a *Archive) failure(subject string) float64 {
	k, ok := slices.BinarySearch(a.data.Subjects, subject)
	n, failed := 0, 0.0
	for i := range a.data.Responses {
		if r := &a.data.Responses[i]; ok && int(r.Subject) == k && r.Unscored == 0 {
			n++
			failed += 1 - r.Value
		}
	}
	return failed / float64(max(n, 1))
}
