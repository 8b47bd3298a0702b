package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/infer/smc"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A Config has the settings of Fit. Default returns good ones. A population is a set of walkers that sequential Monte Carlo
// moves from the prior to the posterior (package smc).
type Config struct {
	First   smc.Config       // settings of the population with which every explanation is fitted first
	Full    smc.Config       // settings of the populations with which explanations that are not dropped are fitted again
	Runs    int              // number of Full populations for each explanation, at least 1; their spread gives the error of the log evidence
	TieRuns int              // number of Full populations if explanations tie: if at least two have a posterior probability above Tie
	Tie     float64          // see TieRuns
	Beam    int              // number of explanations of each size to which further components are added
	Window  float64          // log of Occam's window: an explanation is composed and fitted only if it may be at most this many nats below the best
	Left    float64          // the most probable explanations that were left are fitted until what remains has at most this estimated probability
	Drop    float64          // an explanation with a posterior probability of at most e^−Drop after the first fit is not fitted again
	Ascents int              // number of ascents of the posterior density from draws of the prior, which find modes that the populations have missed
	Missed  posterior.Config // settings of the fit that replaces populations which have missed a mode
}

// Default returns good settings. The first fit has 32 walkers of 12 steps, about a thousand evaluations of the likelihood; the
// log evidence is then wrong by at most 1 for the rivals that matter. Explanations with a probability above e^−5 are fitted
// with two populations of 64 walkers of 24 steps, and those that tie with four. The thirty ascents of each fit cost about as
// much as the first population.
func Default() Config {
	missed := posterior.Default()
	missed.Draws = 400
	return Config{
		First: smc.Config{Walkers: 32, Steps: 12, Keep: 0.5}, Full: smc.Config{Walkers: 64, Steps: 24, Keep: 0.5},
		Runs: 2, TieRuns: 4, Tie: 0.05, Beam: 2, Window: math.Log(20), Left: 0.05, Drop: 5, Ascents: 30, Missed: missed,
	}
}

// A Fitted is a rival that was fitted to the responses of one subject.
type Fitted struct {
	*Entry
	LogEvidence float64     // log marginal likelihood of the responses
	Error       float64     // standard error of LogEvidence
	Weight      float64     // posterior probability; those of all rivals of the bank sum to 1
	Draws       [][]float64 // [draw][parameter], chain after chain, all of the same length; nil if the rival was dropped
	Chains      int         // number of populations or Markov chains in Draws
	Data        *layout.Data
	Evaluations int     // number of evaluations of the likelihood
	set         []int   // indices in Bound.Entries of its components, or of the rival itself
	floor       bool    // whether the components share a floor
	logPrior    float64 // log prior probability, up to a constant
	missed      float64 // log evidence, by Laplace's approximation, of the best mode that the populations have missed; −Inf if they have missed none
}

// An Unvisited is an explanation that was screened and not fitted, because it could not lie in Occam's window.
type Unvisited struct {
	Name    string
	Weight  float64 // estimated posterior probability, beside all that were fitted and all that were not
	Matters float64 // probability that its last component costs more than a share 1 − Bank.Weak of the successes, if the explanation is right
	set     []int
	added   int // index in Bound.Entries of that component
}

// Target returns a new target of the subject's data, for use by one goroutine.
func (f *Fitted) Target() *layout.Target { return f.Design.NewTarget(f.Data) }

// logWeight returns log(prior × evidence), up to a constant.
func (f *Fitted) logWeight() float64 { return f.logPrior + f.LogEvidence }

// highest returns the largest log weight that a fit which finds all modes may give.
func (f *Fitted) highest() float64 { return f.logPrior + max(f.LogEvidence, f.missed+laplaceError) }

// Fit fits explanations to the responses of one subject and sets their weights. fits has every rival that is not left out, in
// the order of the bank, and then the composed explanations that the search chose. unvisited has the composed explanations that it
// screened and did not fit. root and path name the random streams. The words
// that Fit adds to path, such as "look", are part of these names and must not change, because other words would give other
// draws.
func (b *Bound) Fit(ctx context.Context, responses []record.Response, c Config, root uint64, path ...string) (fits []*Fitted, unvisited []Unvisited, err error) {
	s := &search{Bound: b, config: &c, responses: responses, root: root, path: path[:len(path):len(path)]}
	if err := s.alone(ctx); err != nil {
		return nil, nil, err
	}
	if err := s.grow(ctx); err != nil {
		return nil, nil, err
	}
	if err := s.visit(ctx); err != nil {
		return nil, nil, err
	}
	weigh(s.fits)
	for _, f := range s.fits {
		if !(f.Weight > math.Exp(-c.Drop)) {
			f.Draws = nil
			continue
		}
		if err := f.resample(ctx, &c, c.Full, c.Runs, root, append(s.path, f.Layout.Name, "look")); err != nil {
			return nil, nil, err
		}
	}
	weigh(s.fits)
	if err := c.refitTies(ctx, s.fits, root, s.path); err != nil {
		return nil, nil, err
	}
	return s.fits, s.left(), nil
}

// refitTies fits the explanations with a weight above Tie again, with TieRuns populations, if there are at least two.
func (c *Config) refitTies(ctx context.Context, out []*Fitted, root uint64, path []string) error {
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
		if err := f.resample(ctx, c, c.Full, c.TieRuns, root, append(path, f.Layout.Name, "closer")); err != nil {
			return err
		}
	}
	weigh(out)
	return nil
}

// evidenceGap is the largest difference, in nats, between the log evidence of the best population and that of a population that
// is used beside it. An estimate is several nats too low if the walkers move slowly, and tens of nats if they have missed the
// main mode.
const evidenceGap = 5

// laplaceError is the largest error of Laplace's approximation to the log evidence of a mode, in nats.
const laplaceError = 6

// sample fits an explanation with runs independent populations, and looks for modes that the best of them has missed.
func (f *Fitted) sample(ctx context.Context, c *Config, size smc.Config, runs int, root uint64, path []string) error {
	t := f.Target()
	all := make([]*smc.Population, runs)
	stream := func(purpose ...string) rng.Rand {
		return rng.Stream(root, append(path[:len(path):len(path)], purpose...)...)
	}
	for i := range all {
		p, err := smc.Run(ctx, t, size, stream(strconv.Itoa(i)))
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("candidate model %s: %w", f.Layout.Name, &posterior.Unresolved{Err: err})
		}
		all[i] = p
		f.Evaluations += p.Evaluations
	}
	best := slices.MaxFunc(all, func(a, b *smc.Population) int { return cmp.Compare(a.LogEvidence, b.LogEvidence) })
	var gradients int
	f.missed, gradients = posterior.Missed(t, best, c.Ascents, stream("ascents"))
	f.Evaluations += gradients
	all = slices.DeleteFunc(all, func(p *smc.Population) bool { return p.LogEvidence < best.LogEvidence-evidenceGap })
	f.Draws, f.Chains = nil, len(all)
	q := make([]float64, t.Dim())
	for _, p := range all {
		for _, z := range p.Points {
			theta := make([]float64, t.Dim())
			t.FromOdds(z, q)
			t.Constrain(q, theta)
			f.Draws = append(f.Draws, theta)
		}
	}
	f.LogEvidence, f.Error = smc.Combine(all)
	return nil
}

// resample is sample, followed by refit if a mode was missed.
func (f *Fitted) resample(ctx context.Context, c *Config, size smc.Config, runs int, root uint64, path []string) error {
	if err := f.sample(ctx, c, size, runs, root, path); err != nil || math.IsInf(f.missed, -1) {
		return err
	}
	return f.refit(ctx, c, root, path)
}

// refit replaces the populations, which have missed a mode, by a fit with the engines of package posterior. If the chains of
// these engines disagree, it keeps the populations.
func (f *Fitted) refit(ctx context.Context, c *Config, root uint64, path []string) error {
	f.missed = math.Inf(-1)
	p, err := posterior.Fit(ctx, func() posterior.Problem { return f.Target() }, f.Design.Names(), c.Missed, root, append(path[:len(path):len(path)], "missed")...)
	if unresolved := (*posterior.Unresolved)(nil); errors.As(err, &unresolved) && ctx.Err() == nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("candidate model %s: %w", f.Layout.Name, err)
	}
	f.Evaluations += p.Work.Gradients + p.Work.Likelihoods
	f.Draws, f.Chains = nil, len(p.Draws)
	for _, chain := range p.Draws {
		f.Draws = append(f.Draws, chain...)
	}
	f.LogEvidence, f.Error = p.LogEvidence, p.LogEvidenceError
	return nil
}

// weightOf returns the sum of weights.
func weightOf(fits []*Fitted) (sum float64) {
	for _, f := range fits {
		sum += f.Weight
	}
	return sum
}

// weigh sets the weights to evidence × prior probability, divided by the sum over all.
func weigh(all []*Fitted) {
	logs := make([]float64, len(all))
	for i, f := range all {
		logs[i] = f.logWeight()
	}
	for i, share := range num.Softmax(logs) {
		all[i].Weight = share
	}
}
