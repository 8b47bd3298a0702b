package smc

import (
	"context"
	"errors"
	"fmt"
	"math"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// Config has the settings of Run. With 64 walkers, 32 steps and Keep ½, a posterior of nine parameters and 2000
// responses takes about 35 000 evaluations. The log evidence can then be several nats too low if walkers move slowly;
// four times the steps cure this.
type Config struct {
	Walkers int     // number of walkers at every power, at least 8; more walkers keep more modes
	Steps   int     // number of moves of each walker at a power, at least 2; a population has Walkers·Steps points
	Keep    float64 // smallest effective sample size after a change of power, as a share of the points, in (0, 1)
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

// A Population is a set of equally weighted points of the posterior, with the evidence.
type Population struct {
	Points [][]float64 // [point][coordinate], walker after walker, each with Steps consecutive states
	Steps  int         // Config.Steps

	// LogEvidence is the estimated log marginal likelihood. Its standard error counts the spread between walkers at
	// every power, but not the correlation between successive powers, so that it may be half of the true error. A mode
	// that all walkers missed is in neither figure. Combine gives a standard error from independent runs. The estimate
	// of the evidence (not of its logarithm) is nearly unbiased, so that it is seldom far too high. Of two runs, trust
	// the higher one.
	LogEvidence, LogEvidenceError float64

	Powers      []float64 // powers of the likelihood, increasing to 1
	Evaluations int       // number of evaluations of the likelihood
}

// maxTemperatures is the largest number of powers in a run. With Keep ½ and nine dimensions each change raises the power by
// a factor of at least 1.5, and about 15 changes are enough.
const maxTemperatures = 1000

// Impossible is the error of a run whose likelihood is zero at all points drawn from the prior.
type Impossible struct{ Points int }

func (e *Impossible) Error() string {
	return fmt.Sprintf("smc: the likelihood is zero at all %d points drawn from the prior", e.Points)
}

// Run moves a population from the prior to the posterior. It panics if the configuration is out of range. It returns an
// error if it meets a likelihood of +Inf, if the likelihood is zero at all points drawn from the prior (*Impossible), if the power
// cannot reach 1, or if ctx is cancelled.
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

// run is the state of one call of Run.
type run struct {
	config    Config
	walker    *walker
	now, next []point   // the population, and space for the next one
	weights   []float64 // weights of the points of now
	steps     int       // number of consecutive points of now that belong to one walker
	variance  float64   // variance of the log evidence so far
	out       Population
}

func newRun(t Target, c Config, rng rng.Rand) *run {
	n := c.Walkers * c.Steps
	return &run{config: c, walker: newWalker(t, rng), now: newPoints(n, t.Dim()), next: newPoints(n, t.Dim()), weights: make([]float64, n), steps: 1}
}

// drawPrior draws the first population from the prior.
func (r *run) drawPrior() {
	for i := range r.now {
		p := &r.now[i]
		for k := range p.z {
			p.z[k] = logit(r.walker.rng.Float64())
		}
		p.logL = r.walker.at(p.z)
	}
}

// cool raises the power of the likelihood, and then reweights, resamples and moves the population.
func (r *run) cool() error {
	w := r.walker
	top := highest(r.now)
	if w.broken {
		return errors.New("smc: the log likelihood is +Inf somewhere")
	}
	if math.IsInf(top, -1) {
		return &Impossible{len(r.now)}
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

// guideSize returns the number of points in a guide, which is enough for their differences to span the space.
func guideSize(dim int) int { return 100 + 8*dim }

// moveWalkers resamples the population and moves each half of it by a guide made from the other half. If a
// walker's own point were in its guide, the walker would only jump from one guide point to the next.
func (r *run) moveWalkers() {
	w := r.walker
	half := len(r.now) / 2 / r.config.Steps * r.config.Steps
	sides := [2][2]int{{0, half}, {half, len(r.now)}}
	guides := [2]*guide{}
	for i, s := range sides {
		guides[1-i] = newGuide(r.resampled(s, guideSize(len(w.moved))))
	}
	at := 0
	for _, start := range Resample(r.weights, r.config.Walkers, &w.rng) {
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

// resampled returns n points drawn from a part of the population in proportion to the weights.
func (r *run) resampled(part [2]int, n int) []point {
	chosen := make([]point, 0, n)
	for _, i := range Resample(r.weights[part[0]:part[1]], n, &r.walker.rng) {
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
	}
	return out
}

// relativeVariance returns the squared relative standard error of the mean weight. It comes from the spread between the
// mean weights of the walkers, each of which has this number of steps.
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
