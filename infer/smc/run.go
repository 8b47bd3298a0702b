package smc

import (
	"context"
	"errors"
	"fmt"
	"math"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// Config are the settings of Run. 64 walkers of 32 steps that keep a half take about 35 000 evaluations for a posterior of
// nine parameters and 2000 responses; the log evidence can then be several nats low where walkers move slowly, which four
// times the steps cure.
type Config struct {
	Walkers int     // walkers moved at every temperature, at least 8; more walkers keep more modes
	Steps   int     // moves of each walker at a temperature, at least 2; Walkers·Steps points make the population
	Keep    float64 // share of the effective sample size that remains after one change of temperature, in (0, 1)
}

func (c *Config) check() {
	switch {
	case c.Walkers < 8:
		panic("smc: fewer than 8 walkers")
	case c.Steps < 2:
		panic("smc: fewer than 2 steps")
	case !(c.Keep > 0 && c.Keep < 1):
		panic("smc: share of effective sample size outside (0, 1)")
	}
}

// Population is a set of equally weighted points of the posterior, with the evidence.
type Population struct {
	Points         [][]float64 // walker after walker, Steps consecutive states of each
	LogLikelihoods []float64
	Steps          int

	// LogEvidence is the estimated log marginal likelihood. Its standard error counts the spread between walkers at every
	// temperature, but not the correlation of neighbouring temperatures: it is up to twice too small. A mode that all
	// walkers missed is in neither. Combine gives a standard error from independent runs. The estimate of the evidence
	// (not of its logarithm) is nearly unbiased, so it is seldom far too high: of two runs trust the higher.
	LogEvidence, LogEvidenceError float64

	Powers      []float64 // of the likelihood, one a temperature, increasing to 1
	Evaluations int
}

// maxTemperatures bounds a run. With Keep ½ and nine dimensions each change raises the power by a factor of 1.5 or more,
// and about 15 changes are enough.
const maxTemperatures = 1000

// Run moves a population from the prior to the posterior. It panics when the configuration is out of range; it
// fails when the likelihood is +Inf somewhere, or zero at all points drawn from the prior, and with ctx.Err when
// cancelled.
func Run(ctx context.Context, target Target, c Config, rng rng.Rand) (*Population, error) {
	c.check()
	r := newRun(target, c, rng)
	r.drawPrior()
	for r.walker.beta < 1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := r.cool(); err != nil {
			return nil, err
		}
	}
	return r.population(), nil
}

// run is one call of Run.
type run struct {
	config    Config
	walker    *walker
	now, next []point
	weights   []float64
	steps     int // consecutive points of now that belong to one walker
	variance  float64
	out       Population
}

func newRun(t Target, c Config, rng rng.Rand) *run {
	n := c.Walkers * c.Steps
	return &run{config: c, walker: newWalker(t, rng), now: newPoints(n, t.Dim()), next: newPoints(n, t.Dim()), weights: make([]float64, n), steps: 1}
}

// drawPrior draws the first population.
func (r *run) drawPrior() {
	for i := range r.now {
		p := &r.now[i]
		for k := range p.z {
			p.z[k] = logit(r.walker.rng.Float64())
		}
		p.logL = r.walker.at(p.z)
	}
}

// cool lowers the temperature, reweights and resamples the population, and moves it.
func (r *run) cool() error {
	w := r.walker
	top := highest(r.now)
	if w.broken {
		return errors.New("smc: the log likelihood is +Inf somewhere")
	}
	if math.IsInf(top, -1) {
		return fmt.Errorf("smc: the likelihood is zero at all %d points drawn from the prior", len(r.now))
	}
	if len(r.out.Powers) == maxTemperatures {
		return fmt.Errorf("smc: still at power %g of the likelihood after %d temperatures", w.beta, maxTemperatures)
	}
	beta := nextPower(r.now, w.beta, r.config.Keep)
	if beta == w.beta {
		return fmt.Errorf("smc: the likelihood is too steep to go beyond its power %g", beta)
	}
	sum := 0.0
	for i, p := range r.now {
		r.weights[i] = num.Exp(float64((beta - w.beta) * (p.logL - top)))
		sum += r.weights[i]
	}
	r.out.LogEvidence += float64((beta-w.beta)*top) + num.Log(sum/float64(len(r.weights)))
	r.variance += relativeVariance(r.weights, r.steps)
	w.beta = beta
	r.moveWalkers()
	r.out.Powers = append(r.out.Powers, beta)
	return nil
}

// guideSize is the number of points in a guide: enough for their differences to span the space.
func guideSize(dim int) int { return 100 + 8*dim }

// moveWalkers resamples each half of the population and moves it by a guide made of the other half: a walker that was in
// its own guide would only jump from one guide point to the next.
func (r *run) moveWalkers() {
	w := r.walker
	half := len(r.now) / 2 / r.config.Steps * r.config.Steps
	sides := [2][2]int{{0, half}, {half, len(r.now)}}
	guides := [2]*guide{}
	for i, s := range sides {
		guides[1-i] = newGuide(r.resampled(s, guideSize(len(w.moved))))
	}
	at := 0
	for _, start := range resample(r.weights, r.config.Walkers, &w.rng) {
		g := guides[0]
		if start >= half {
			g = guides[1]
		}
		w.follow(g)
		w.now.set(&r.now[start])
		for range r.config.Steps {
			w.move()
			r.next[at].set(&w.now)
			at++
		}
	}
	r.now, r.next = r.next, r.now
	r.steps = r.config.Steps
}

// resampled draws n points from a part of the population in proportion to the weights.
func (r *run) resampled(part [2]int, n int) []point {
	chosen := make([]point, 0, n)
	for _, i := range resample(r.weights[part[0]:part[1]], n, &r.walker.rng) {
		chosen = append(chosen, r.now[part[0]+i])
	}
	return chosen
}

func (r *run) population() *Population {
	out := &r.out
	out.LogEvidenceError = math.Sqrt(r.variance)
	out.Evaluations = r.walker.calls
	out.Steps = r.config.Steps
	for _, p := range r.now {
		out.Points = append(out.Points, p.z)
		out.LogLikelihoods = append(out.LogLikelihoods, p.logL)
	}
	return out
}

// relativeVariance is the squared relative standard error of the mean weight, from the spread between the means of the
// walkers, each of which has the given number of steps.
func relativeVariance(weights []float64, steps int) float64 {
	n := len(weights) / steps
	mean, square := 0.0, 0.0
	for i := range n {
		m := 0.0
		for _, w := range weights[i*steps : (i+1)*steps] {
			m += w / float64(steps)
		}
		mean += m
		square += float64(m * m)
	}
	mean /= float64(n)
	spread := max(0, square/float64(n)-float64(mean*mean))
	return spread / float64(n-1) / float64(mean*mean)
}
