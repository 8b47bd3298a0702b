package posterior_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"achilles/infer/posterior"
	"achilles/infer/smc"
	"achilles/sim/rng"
)

// TestMissingModes checks the doubts from pilots about chains that agree with each other.
func TestMissingModes(t *testing.T) {
	rng := rng.Stream(1, "missing")
	normal := func(n int, mean float64) []float64 {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = mean + rng.Norm()
		}
		return xs
	}
	chains := [][]float64{normal(1000, 0), normal(1000, 0), normal(1000, 0), normal(997, 0)}
	chains[3] = append(chains[3], 5, 5, 5) // left too soon
	for _, c := range []struct {
		name, why     string
		pilots        []float64
		pilotEvidence float64
		kinds         []posterior.Kind
	}{
		{"same", "as it should be", normal(1600, 0), 0, nil},
		{"lagging", "tempering that has not settled has the evidence too low, never too high", normal(1600, 0), -20, nil},
		{"a second mode", "a tenth of the points where no draw is, ten standard deviations away", append(normal(1440, 0), normal(160, 10)...), 0, []posterior.Kind{posterior.PilotRange}},
		{"a heavy second mode", "two fifths of the points: the mean is off as well", append(normal(960, 0), normal(640, 6)...), 0, []posterior.Kind{posterior.PilotMean, posterior.PilotRange}},
		{"a thin tail", "5 % of the points at the end of the range", append(normal(1520, 0), normal(80, 4)...), 0, []posterior.Kind{posterior.PilotTail}},
		{"a thinner tail", "1 % of them, which may be by chance", append(normal(1584, 0), normal(16, 4)...), 0, nil},
		{"more evidence", "the pilots have met more mass than the chains", normal(1600, 0), 3, []posterior.Kind{posterior.PilotEvidence}},
		{"no number", "chains without evidence are not trusted", normal(1600, 0), math.NaN(), []posterior.Kind{posterior.PilotEvidence}},
		{"a little more", "two nats are not counted", normal(1600, 0), 1.5, nil},
	} {
		doubts := posterior.Missing(c.pilots, 16, chains, c.pilotEvidence, 0)
		var kinds []posterior.Kind
		for _, d := range doubts {
			kinds = append(kinds, d.Kind)
		}
		if len(kinds) != len(c.kinds) {
			t.Errorf("%s (%s): doubts %v, want %v", c.name, c.why, doubts, c.kinds)
			continue
		}
		for i := range kinds {
			if kinds[i] != c.kinds[i] {
				t.Errorf("%s (%s): doubts %v, want %v", c.name, c.why, doubts, c.kinds)
			}
		}
	}
}

// TestBelow checks Below: the evidence must be lower by more than two nats and by more than four standard errors.
func TestBelow(t *testing.T) {
	for _, c := range []struct {
		a, b, se float64
		want     bool
	}{
		{-640, 0, 0.1, true},
		{0, -640, 0.1, false},
		{-2.1, 0, 0.1, true},
		{-1.9, 0, 0.1, false},
		{-5, 0, 1, false}, // four standard errors of the difference are 5.7
		{-6, 0, 1, true},
		{math.NaN(), 0, 0.1, true},
		{0, math.NaN(), 0.1, false},
		{math.NaN(), math.NaN(), 0.1, false},
		{math.Inf(-1), 0, 0.1, true},
	} {
		if got := posterior.Below(c.a, c.b, c.se); got != c.want {
			t.Errorf("log evidence %v beside %v, ± %v: below %v, want %v", c.a, c.b, c.se, got, c.want)
		}
	}
}

// TestMissed checks that ascents find the mode that a population lacks. left is a population from which the test has
// removed the points of one of two islands. A population for funnel loses the narrow mode in tempering.
func TestMissed(t *testing.T) {
	run := func(p interface {
		posterior.Problem
		smc.Target
	}) *smc.Population {
		population, err := smc.Run(context.Background(), p, posterior.Default().Pilot, rng.Stream(1, "population"))
		if err != nil {
			t.Fatal(err)
		}
		return population
	}
	both := run(islands{3})
	left := *both
	left.Points = slices.DeleteFunc(slices.Clone(both.Points), func(z []float64) bool { return z[0] > 0 })
	left.LogEvidence += math.Log(0.3)
	for _, c := range []struct {
		name       string
		problem    posterior.Problem
		population *smc.Population
		want       bool
	}{
		{"both islands", islands{3}, both, false},
		{"the island of weight 0.3", islands{3}, &left, true},
		{"the wide mode beside a funnel", funnel{islands{4}}, run(funnel{islands{4}}), true},
	} {
		got, gradients := posterior.Missed(c.problem, c.population, 20, rng.Stream(1, "ascents"))
		if missed := !math.IsInf(got, -1); missed != c.want || gradients < 20 {
			t.Errorf("%s: log evidence %v of a missed mode after %d gradients; missed should be %v", c.name, got, gradients, c.want)
		}
	}
}

// TestChoose checks that a doubtful sample of NUTS is replaced by that of the tempered engine, unless the evidence of the
// latter is much lower.
func TestChoose(t *testing.T) {
	divergent := []posterior.Doubt{{Kind: posterior.Divergent, Value: 0.1, Limit: 0.01}}
	apart := []posterior.Doubt{{Kind: posterior.RHat, Value: 3, Limit: 1.01}}
	failure := errors.New("no chain has moved")
	for _, c := range []struct {
		name string
		nuts float64
		why  []posterior.Doubt
		temp float64
		err  error
		want posterior.Engine
		fail bool
	}{
		{"a doubt", 0, divergent, 0, nil, posterior.Tempered, false},
		{"640 nats lost", 0, divergent, -640, nil, posterior.NUTS, false},
		{"640 nats won", -640, divergent, 0, nil, posterior.Tempered, false},
		{"no evidence", 0, divergent, math.NaN(), nil, posterior.NUTS, false},
		{"chains apart", 0, apart, -640, nil, posterior.Tempered, false},
		{"no other sample", 0, divergent, 0, failure, posterior.NUTS, false},
		{"no sample at all", 0, apart, 0, failure, posterior.Auto, true},
	} {
		got, err := posterior.Choose(c.nuts, c.why, c.temp, c.err)
		if got != c.want || (err != nil) != c.fail {
			t.Errorf("%s: engine %v, error %v", c.name, got, err)
		}
	}
}

// TestSingleChainMissesAMode checks that one chain of NUTS on two modes carries the warning MissedMode.
func TestSingleChainMissesAMode(t *testing.T) {
	c := posterior.Default()
	c.Engine, c.Chains = posterior.NUTS, 1
	p, err := posterior.Fit(context.Background(), func() posterior.Problem { return funnel{islands{4}} }, []string{"a", "b", "c", "d"}, c, 1, "alone")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(p.Warnings, func(w posterior.Warning) bool { return w.Kind == posterior.MissedMode }) {
		t.Errorf("mean %.2f, log evidence %.2f, warnings %v", p.Summaries[0].Mean, p.LogEvidence, p.Warnings)
	}
}
