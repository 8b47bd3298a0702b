package infer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// Calibrate draws one subject for each replication from the layout's prior, simulates its responses to the items of the
// public directory, and fits them. The result says whether the layout's posteriors are right (see Calibration).
func Calibrate(ctx context.Context, public fs.FS, c Job, replications int) (*Calibration, error) {
	if replications < 20 || replications > maxSimulated {
		return nil, fmt.Errorf("%d replications; want 20 to %d", replications, maxSimulated)
	}
	data, err := c.simulable(public)
	if err != nil {
		return nil, err
	}
	l := c.Layout
	if l.Joint() {
		return c.calibrateTable(ctx, data, l, replications)
	}
	design, err := l.Bind(&data.Items, data.Manifest.Measures)
	if err != nil {
		return nil, err
	}
	if design.UsesMeans() {
		return nil, fmt.Errorf("layout %s: its likelihood depends on the mean of the responses, so data cannot be simulated from it; use a variant with a fixed chance rate, such as op-fixed", design.Layout().Name)
	}
	faults, err := c.faults(data)
	if err != nil {
		return nil, err
	}
	all := make([]*replication, replications)
	err = parallel(ctx, replications, c.Jobs, c.Progress, func(ctx context.Context, i int) (err error) {
		all[i], err = replicate(ctx, design, faults, c, strconv.Itoa(i))
		return err
	})
	if err != nil {
		return nil, err
	}
	return calibration(append(design.Names(), jointLikelihood), faults, all, c.Seed), nil
}

// replicate simulates and fits one subject, without and with every fault. It returns nil if a fit was not resolved: its
// chains disagree in both engines.
func replicate(ctx context.Context, design *layout.Design, faults []fault, c Job, name string) (*replication, error) {
	random := rng.Stream(c.Seed, "calibrate", name)
	theta, use := simulateSubject(design, &random)
	post, target, err := c.fitSubject(ctx, design, use, "calibrate", name)
	if post == nil || err != nil {
		return nil, err
	}
	draws := slices.Concat(post.Draws...)
	prior := func() []float64 { return drawnFrom(design.Joint, &random) }
	likelihood := logLikelihoods(target, draws)
	out := &replication{ranks: [][]int{rank(logLikelihoodsWith(target, theta, evenly(draws, nil)), theta, evenly(draws, nil), &random)}}
	for _, f := range faults {
		some, t, refit := evenly(draws, nil), target, false
		if f.design != nil {
			data, err := f.design.NewData(use)
			if err != nil {
				return nil, err
			}
			t = f.design.NewTarget(data)
			weights := logLikelihoods(t, draws)
			num.AddTo(weights, -1, likelihood)
			if refit = !weigh(weights); refit {
				wrong, _, err := c.fitSubject(ctx, f.design, use, "calibrate", name, f.name)
				if wrong == nil || err != nil {
					return nil, err
				}
				some = evenly(slices.Concat(wrong.Draws...), nil)
			} else {
				some = evenly(draws, weights)
			}
		}
		if f.draws != nil {
			f.draws(some, prior)
		}
		out.ranks, out.refit = append(out.ranks, rank(logLikelihoodsWith(t, theta, some), theta, some, &random)), append(out.refit, refit)
	}
	return out, nil
}

// drawnFrom returns values of all parameters from the prior.
func drawnFrom(j *layout.Joint, random *rng.Rand) []float64 {
	theta := make([]float64, j.Len())
	j.DrawPrior(random, theta)
	return theta
}

// simulateSubject draws the parameters of a subject from the prior, and its response to every item.
func simulateSubject(design *layout.Design, random *rng.Rand) (truth []float64, use []record.Response) {
	truth = drawnFrom(design.Joint, random)
	return truth, design.Simulate(truth, random)
}

// fitSubject fits responses of one subject. It returns nil if the chains of both engines disagree.
func (c *Job) fitSubject(ctx context.Context, design *layout.Design, use []record.Response, path ...string) (*posterior.Posterior, *layout.Target, error) {
	data, err := design.NewData(use)
	if err != nil {
		return nil, nil, err
	}
	post, err := posterior.Fit(ctx, func() posterior.Problem { return design.NewTarget(data) }, design.Names(), c.posteriorConfig(), c.Seed, path...)
	var unresolved *posterior.Unresolved
	if errors.As(err, &unresolved) {
		return nil, nil, nil
	}
	return post, design.NewTarget(data), err
}

// logLikelihoods returns the log likelihood of every draw.
func logLikelihoods(t *layout.Target, draws [][]float64) []float64 {
	points := t.Data().Tallies()
	each, out := make([]float64, len(points)), make([]float64, len(draws))
	for i, theta := range draws {
		t.PointwiseLogLik(theta, each)
		for k, l := range each {
			out[i] += float64(l * float64(points[k].Count))
		}
	}
	return out
}

// weigh replaces log weights by weights that sum to 1. It returns false if the effective number of draws is below leastWeighed.
func weigh(logs []float64) bool {
	copy(logs, num.Softmax(logs))
	return num.Dot(logs, logs)*leastWeighed < 1 // false for NaN
}

// logLikelihoodsWith returns the log likelihood of the truth, then those of the draws.
func logLikelihoodsWith(t *layout.Target, truth []float64, draws [][]float64) []float64 {
	return logLikelihoods(t, append([][]float64{truth}, draws...))
}
