package posterior_test

import (
	"flag"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/mixture"
	"achilles/infer/posterior"
	"achilles/infer/smc"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

var (
	firstSeed  = flag.Uint64("first-seed", 501, "of those that TestStatModes fits with")
	seeds      = flag.Uint64("seeds", 3, "seeds for agents whose posterior has one mode")
	manySeeds  = flag.Uint64("many-seeds", 5, "seeds for agents whose posterior has more than one mode")
	someAgents = flag.String("agents", "", "agents that TestStatModes fits, separated by spaces; none: all")
)

// TestStatModes counts how often a fit of an agent has missed a mode, with both variants of the layout (readings). A fit
// has missed one if its log evidence is more than one nat and three standard errors below the highest of all fits of the
// agent, or if a mode's weight is off by more than 0.1. The reference for weights is a fit with four populations of 128
// walkers, 500 ascents and four chains of 2000 draws; its evidence counts among the others. The weight of a mode is the
// mean probability that a draw belongs to the mode's component of the mixture fitted to the reference's draws.
//
//	go test ./infer/posterior -run StatModes -long -v -timeout 0 -seeds 20 -many-seeds 200
func TestStatModes(t *testing.T) {
	longtest.Only(t, "takes hours")
	table := readOP(t)
	agents := strings.Fields(*someAgents)
	if len(agents) == 0 {
		agents = table.Agents
	}
	misses, fits := 0, uint64(0)
	for _, agent := range agents {
		for _, reading := range []string{"asrun", "table5"} {
			o := table.Target(agent, readings[reading])
			ref := newModeReference(t, o, agent, reading)
			n := *seeds
			if ref.modes() > 1 {
				n = *manySeeds
			}
			ps := make([]*posterior.Posterior, n)
			best, worst, work := ref.fit, 0.0, posterior.Work{}
			for i := range ps {
				ps[i] = fitOP(t, o, posterior.Default(), *firstSeed+uint64(i), "modes", agent, reading)
				work.Gradients += ps[i].Work.Gradients
				work.Likelihoods += ps[i].Work.Likelihoods
				if ps[i].LogEvidence > best.LogEvidence {
					best = ps[i]
				}
			}
			missed := 0
			for i, p := range ps {
				off, below := ref.off(p), best.LogEvidence-p.LogEvidence
				worst = max(worst, off)
				if off > 0.1 || below > 1 && below > 3*math.Hypot(p.LogEvidenceError, best.LogEvidenceError) {
					missed++
					t.Errorf("%s, %s, seed %d: %v, log evidence %.2f below the best, a weight off by %.2f, doubts %v, warnings %v", agent, reading, *firstSeed+uint64(i), p.Engine, below, off, p.Doubts, p.Warnings)
				}
			}
			misses, fits = misses+missed, fits+n
			t.Logf("%s, %s: missed %d of %d; log evidence %.2f ± %.2f, weights %.2f, off by up to %.3f; %d gradients and %d likelihoods a fit",
				agent, reading, missed, n, best.LogEvidence, best.LogEvidenceError, ref.weights, worst, work.Gradients/int(n), work.Likelihoods/int(n))
		}
	}
	t.Logf("missed %d of %d", misses, fits)
}

// A modeReference is the fit with which other fits are compared, and the weights of its modes.
type modeReference struct {
	fit     *posterior.Posterior
	mix     *mixture.Mixture
	weights []float64
}

func newModeReference(t *testing.T, o *OP, agent, reading string) *modeReference {
	c := posterior.Default()
	c.Pilots, c.Pilot = 4, smc.Config{Walkers: 128, Steps: 24, Keep: 0.5}
	c.Ascents, c.Draws = 500, 2000
	r := &modeReference{fit: fitOP(t, o, c, 1, "reference", agent, reading)}
	centres := posterior.Maxima(o.Clone(), 500, rng.Stream(1, "centres", agent, reading))
	var ok bool
	if r.mix, ok = mixture.Fit(slices.Concat(r.fit.Draws...), centres); !ok {
		t.Fatalf("%s, %s: the reference has not moved", agent, reading)
	}
	r.weights = r.mix.Shares(slices.Concat(r.fit.Draws...))
	return r
}

// modes returns the number of modes with a weight of at least 0.02.
func (r *modeReference) modes() (n int) {
	for _, w := range r.weights {
		if w >= 0.02 {
			n++
		}
	}
	return n
}

// off returns the largest error of a mode's weight in p.
func (r *modeReference) off(p *posterior.Posterior) (worst float64) {
	for i, w := range r.mix.Shares(slices.Concat(p.Draws...)) {
		worst = max(worst, math.Abs(w-r.weights[i]))
	}
	return worst
}
