package replay

import (
	"context"
	"math"
	"slices"
	"strconv"

	"achilles/gridworld"
	"achilles/infer"
	"achilles/infer/trajectory"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A Predicted is where the profile of a subject would have it walk in an episode: sampled paths, the predicted one among
// them, and how far that is from what happened. The profile is that of all responses, this one included;
// HeldOut is what inference predicted without it, where it was held out.
type Predicted struct {
	Fan      []trajectory.Branch // the distinct paths, the most frequent first
	Samples  int
	Path     []gridworld.Pos // the predicted one: the medoid of the samples
	Share    float64         // of the samples that walk it
	Success  float64         // predicted probability of success
	Distance []float64       // by tick: between the predicted and the actual path, in cells
	RMSE     float64         // over the ticks from the first at which the actor may act, in cells
	FanRMSE  float64         // mean over the samples
	HeldOut  *infer.PathPrediction
}

// samples is how many paths a fan has: as many as inference takes.
const samples = 200

// Predict samples the paths that a profile predicts in an episode. It gives nil without an error where nothing can be
// predicted: nobody acts, or the profile or the world says nothing about walking.
func (a *Archive) Predict(e *Episode, p *Profile) (*Predicted, error) {
	if e.Film == nil || p == nil || p.paths == nil {
		return nil, nil
	}
	s, err := trajectory.ReadScene(e.Film.text)
	if err != nil {
		return nil, nil // a world in which nobody can walk to a reward
	}
	stream := rng.Stream(0, "view", "paths", e.Key.Item, strconv.Itoa(e.Key.Trial), e.Key.Subject)
	fan, err := s.Predict(context.Background(), p.paths, samples, stream)
	if err != nil {
		return nil, err
	}
	actual := trajectory.Path(e.Film.Path())
	branch := fan.Fan[fan.Central]
	out := &Predicted{
		Fan: fan.Fan, Samples: fan.Samples, Path: branch.Path, Share: float64(branch.Count) / float64(fan.Samples), Success: fan.Success,
		RMSE: s.RMSE(branch.Path, trimmed(actual)), FanRMSE: s.FanRMSE(fan, trimmed(actual)), HeldOut: a.heldOut(e.Key),
	}
	for t := range actual {
		q := branch.Path.At(t)
		out.Distance = append(out.Distance, math.Hypot(float64(q.X-actual[t].X), float64(q.Y-actual[t].Y)))
	}
	return out, nil
}

// trimmed is a path without what it stands at its end, as inference has them.
func trimmed(p trajectory.Path) trajectory.Path {
	for len(p) > 1 && p[len(p)-1] == p[len(p)-2] {
		p = p[:len(p)-1]
	}
	return p
}

// failure is a subject's rate of failure over what was scored.
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

// heldOut is what inference predicted of an episode without its response; nil where it was not held out.
func (a *Archive) heldOut(k record.Key) *infer.PathPrediction {
	r, err := a.inferred()
	if err != nil {
		return nil
	}
	i := slices.IndexFunc(r.Paths, func(p infer.PathPrediction) bool {
		return p.Item == k.Item && p.Subject == k.Subject && int(p.Trial) == k.Trial && int(p.Repetition) == k.Repetition
	})
	if i < 0 {
		return nil
	}
	return &r.Paths[i]
}
