package compare

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"achilles/infer/layout"
	"achilles/infer/smc"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// Config are the settings of Fit. Default gives good ones.
type Config struct {
	Glance   smc.Config // of the population that a rival is first looked at with
	Look     smc.Config // of each of those that a rival is fitted with that is not hopeless
	Looks    int        // how many of them, at least 1: their evidences are compared
	Closer   int        // how many where more than one rival stays above Tie
	Tie      float64    // posterior probability
	Hopeless float64    // a rival whose posterior probability is below e to minus this is not fitted any further
}

// Default looks at every rival with 32 walkers of 12 steps, some thousand evaluations, which errs by a nat at most where
// it matters, fits those within e^−10 of the best with twice 64 walkers of 24, and those that tie with eight times as many.
func Default() Config {
	return Config{Glance: smc.Config{Walkers: 32, Steps: 12, Keep: 0.5}, Look: smc.Config{Walkers: 64, Steps: 24, Keep: 0.5}, Looks: 2, Closer: 8, Tie: 0.05, Hopeless: 10}
}

// A Fitted rival is one that was compared on one subject.
type Fitted struct {
	*Entry
	LogEvidence, Error float64
	Weight             float64     // posterior probability, the bank being all there is
	Draws              [][]float64 // of its parameters; nil where it was hopeless
	Chains             int         // Draws are this many stretches of equal length, each of one population
	Data               *layout.Data
	Evaluations        int
}

// Target is a fresh target of the subject's data, for one goroutine.
func (f *Fitted) Target() *layout.Target { return f.Design.NewTarget(f.Data) }

// Fit compares all rivals on the responses of one subject. The result has one entry for every rival that the battery
// has a place for, in the order of the bank; their weights sum to 1. root and path name the random streams.
func (b *Bound) Fit(ctx context.Context, responses []record.Response, c Config, root uint64, path ...string) ([]*Fitted, error) {
	var out []*Fitted
	for i := range b.Entries {
		e := &b.Entries[i]
		if e.Design == nil {
			continue
		}
		data, err := e.Design.NewData(responses)
		if err != nil {
			return nil, err
		}
		f := &Fitted{Entry: e, Data: data}
		if err := f.populate(ctx, c.Glance, 1, root, append(path, e.Layout.Name, "glance")); err != nil {
			return nil, err
		}
		f.Draws = nil
		out = append(out, f)
	}
	weigh(out)
	for _, f := range out {
		if !(f.Weight > math.Exp(-c.Hopeless)) {
			continue
		}
		if err := f.populate(ctx, c.Look, c.Looks, root, append(path, f.Layout.Name, "look")); err != nil {
			return nil, err
		}
	}
	weigh(out)
	return out, c.lookCloser(ctx, out, root, path)
}

// lookCloser fits rivals that tie with less error.
func (c *Config) lookCloser(ctx context.Context, out []*Fitted, root uint64, path []string) error {
	var tied []*Fitted
	for _, f := range out {
		if f.Draws != nil && f.Weight > c.Tie {
			tied = append(tied, f)
		}
	}
	if len(tied) < 2 {
		return nil
	}
	for _, f := range tied {
		if err := f.populate(ctx, c.Look, c.Closer, root, append(path, f.Layout.Name, "closer")); err != nil {
			return err
		}
	}
	weigh(out)
	return nil
}

// populate fits a rival by so many independent populations.
func (f *Fitted) populate(ctx context.Context, c smc.Config, looks int, root uint64, path []string) error {
	t := f.Target()
	var runs []*smc.Population
	f.Draws = nil
	for i := range looks {
		p, err := smc.Run(ctx, t, c, rng.Stream(root, append(path[:len(path):len(path)], strconv.Itoa(i))...))
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("rival %s: %w", f.Layout.Name, err)
		}
		runs = append(runs, p)
		f.Evaluations += p.Evaluations
		q := make([]float64, t.Dim())
		for _, u := range p.Points {
			theta := make([]float64, t.Dim())
			t.FromCube(u, q)
			t.Constrain(q, theta)
			f.Draws = append(f.Draws, theta)
		}
	}
	f.Chains = looks
	f.LogEvidence, f.Error = smc.Combine(runs)
	return nil
}

// weigh sets the posterior probabilities.
func weigh(all []*Fitted) {
	logs := make([]float64, len(all))
	for i, f := range all {
		logs[i] = f.LogEvidence + num.Log(f.Share)
	}
	total := num.LogSumExp(logs)
	for i, f := range all {
		f.Weight = num.Exp(logs[i] - total)
	}
}
