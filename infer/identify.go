package infer

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"strconv"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// An Identification says how much a battery can tell about one parameter of a layout. It compares the posteriors of
// subjects that are simulated from the layout's prior with that prior.
type Identification struct {
	Parameter   string
	Prior       string
	PriorSD     float64 // of the simulated subjects
	PosteriorSD float64 // root mean square over them
	Contraction float64 // 1 − PosteriorSD²/PriorSD²: 0 where responses tell nothing, 1 where they tell everything
	Error       float64 // root mean square of posterior mean − truth
}

// Identify simulates subjects from the prior, draws their response to every item once and fits them. It uses the items of
// the public directory and none of its responses.
func Identify(ctx context.Context, public fs.FS, c Config, subjects int) ([]Identification, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	if subjects < 2 {
		return nil, fmt.Errorf("%d simulated subjects; at least 2 are needed to have a spread", subjects)
	}
	data, err := record.Read(public)
	if err != nil {
		return nil, err
	}
	l, err := layout.Parse(c.LayoutFile, c.LayoutText)
	if err != nil {
		return nil, err
	}
	design, err := l.Bind(&data.Items, data.Manifest.Measures)
	if err != nil {
		return nil, err
	}
	return identify(ctx, design, c, subjects)
}

// A simulated is a subject: its parameters and the moments of its posterior, each [parameter].
type simulated struct{ theta, mean, sd []float64 }

func identify(ctx context.Context, design *layout.Design, c Config, n int) ([]Identification, error) {
	all := make([]*simulated, n)
	err := parallel(ctx, n, c.Jobs, c.Progress, func(ctx context.Context, i int) (err error) {
		all[i], err = simulateAndFit(ctx, design, c, strconv.Itoa(i))
		return err
	})
	if err != nil {
		return nil, err
	}
	return contract(design, all), nil
}

// simulateAndFit simulates one subject and fits it.
func simulateAndFit(ctx context.Context, design *layout.Design, c Config, name string) (*simulated, error) {
	rng := rng.Stream(c.Seed, "identify", name)
	s := &simulated{theta: make([]float64, len(design.Parameters()))}
	design.DrawPrior(&rng, s.theta)
	data, err := design.NewData(design.Simulate(s.theta, &rng))
	if err != nil {
		return nil, err
	}
	post, err := posterior.Fit(ctx, func() posterior.Problem { return design.NewTarget(data) }, names(design), c.posteriorConfig(), c.Seed, "identify", name)
	if err != nil {
		return nil, err
	}
	for k := range s.theta {
		s.mean, s.sd = append(s.mean, post.Summaries[k].Mean), append(s.sd, post.Summaries[k].SD)
	}
	return s, nil
}

// contract compares prior and posteriors, parameter by parameter.
func contract(design *layout.Design, all []*simulated) []Identification {
	var out []Identification
	n := float64(len(all))
	for k, p := range design.Parameters() {
		var sum, post, miss float64
		for _, s := range all {
			sum += s.theta[k]
			post += float64(s.sd[k] * s.sd[k])
			d := s.mean[k] - s.theta[k]
			miss += float64(d * d)
		}
		var prior float64
		for _, s := range all {
			d := s.theta[k] - sum/n
			prior += float64(d*d) / (n - 1)
		}
		out = append(out, Identification{Parameter: p.Name, Prior: p.Prior, PriorSD: math.Sqrt(prior), PosteriorSD: math.Sqrt(post / n),
			Contraction: 1 - post/n/prior, Error: math.Sqrt(miss / n)})
	}
	return out
}
