package posterior_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"achilles/infer/posterior"
	"achilles/infer/smc"
)

// coin is the posterior of two success probabilities after 3 of 10 and 8 of 10 successes, with uniform priors. Its
// unconstrained scale is the logit. With the binomial coefficients its evidence is 1/11²; the posterior means are 4/12
// and 9/12.
type coin struct{}

var successes = [2]float64{3, 8}

func (coin) Dim() int { return 2 }

func (coin) LogLikelihood(z []float64) float64 {
	l := 0.0
	for i, k := range successes {
		u := 1 / (1 + math.Exp(-z[i]))
		a, _ := math.Lgamma(11)
		b, _ := math.Lgamma(k + 1)
		c, _ := math.Lgamma(11 - k)
		l += a - b - c + k*math.Log(u) + (10-k)*math.Log1p(-u)
	}
	return l
}

func (c coin) LogDensity(q, grad []float64) float64 {
	var u [2]float64
	c.Constrain(q, u[:])
	l := c.LogLikelihood(q)
	for i, x := range u {
		l += math.Log(x) + math.Log1p(-x)
		grad[i] = successes[i] + 1 - 12*x
	}
	return l
}

func (coin) FromOdds(z, q []float64) { copy(q, z) }

func (coin) Odds(q, z []float64) { copy(z, q) }

func (coin) Constrain(q, theta []float64) {
	for i, x := range q {
		theta[i] = 1 / (1 + math.Exp(-x))
	}
}

func quick() posterior.Config {
	c := posterior.Default()
	c.Draws = 500
	c.Pilot = smc.Config{Walkers: 16, Steps: 16, Keep: 0.5}
	return c
}

func fitCoin(t *testing.T, c posterior.Config, root uint64) *posterior.Posterior {
	t.Helper()
	p, err := posterior.Fit(context.Background(), func() posterior.Problem { return coin{} }, []string{"a", "b"}, c, root, "coin")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestConjugate checks that both engines give the exact means within 5 standard errors (which chance exceeds with
// probability 1e-6), and the exact evidence within 6.
func TestConjugate(t *testing.T) {
	for _, e := range []posterior.Engine{posterior.Auto, posterior.Tempered} {
		c := quick()
		c.Engine = e
		p := fitCoin(t, c, 1)
		if len(p.Warnings)+len(p.Doubts) > 0 {
			t.Errorf("%v: %v %v", e, p.Doubts, p.Warnings)
		}
		for k, want := range []float64{4. / 12, 9. / 12} {
			if s := p.Summaries[k]; math.Abs(s.Mean-want) > 5*s.MCSEMean {
				t.Errorf("%v: mean %g ± %g, exactly %g", e, s.Mean, s.MCSEMean, want)
			}
		}
		if want := -2 * math.Log(11); math.Abs(p.LogEvidence-want) > 6*p.LogEvidenceError || p.LogEvidenceError > 0.1 {
			t.Errorf("%v: log evidence %g ± %g, exactly %g", e, p.LogEvidence, p.LogEvidenceError, want)
		}
		if p.Work.Likelihoods == 0 || p.Work.Gradients == 0 || len(p.Chains) != 4 {
			t.Errorf("%v: %+v, %d chains", e, p.Work, len(p.Chains))
		}
	}
}

// TestJobsDoNotMatter checks that the number of chains that run at once does not change a bit.
func TestJobsDoNotMatter(t *testing.T) {
	for _, e := range []posterior.Engine{posterior.Auto, posterior.NUTS, posterior.Tempered} {
		c := quick()
		c.Engine = e
		a := fitCoin(t, c, 1)
		c.Jobs = 3
		b := fitCoin(t, c, 1)
		if a.LogEvidence != b.LogEvidence || a.Work != b.Work || !reflect.DeepEqual(a.Chains, b.Chains) {
			t.Errorf("%v: one job and three differ", e)
		}
		for i := range a.Draws {
			for j := range a.Draws[i] {
				if !slices.Equal(a.Draws[i][j], b.Draws[i][j]) {
					t.Fatalf("%v: draw %d of chain %d differs", e, j, i)
				}
			}
		}
	}
}

// variant is coin with another density, or another likelihood, or both. If a function is nil, variant uses that of coin.
type variant struct {
	coin
	density    func(q, grad []float64) float64
	likelihood func(u []float64) float64
}

func (v variant) LogDensity(q, grad []float64) float64 {
	if v.density != nil {
		return v.density(q, grad)
	}
	return v.coin.LogDensity(q, grad)
}

func (v variant) LogLikelihood(z []float64) float64 {
	if v.likelihood != nil {
		return v.likelihood(z)
	}
	return v.coin.LogLikelihood(z)
}

func TestErrors(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	impossible := variant{likelihood: func([]float64) float64 { return math.Inf(-1) }}
	infinite := variant{density: func([]float64, []float64) float64 { return math.Inf(1) }}
	strict := quick()
	strict.Engine, strict.RHat, strict.Extends = posterior.Tempered, 1+1e-9, 1
	nutsOnly := quick()
	nutsOnly.Engine = posterior.NUTS
	var unresolved *posterior.Unresolved
	for _, c := range []struct {
		name    string
		ctx     context.Context
		problem posterior.Problem
		config  posterior.Config
		says    string
		is      func(error) bool
	}{
		{"cancelled", cancelled, coin{}, quick(), "posterior: context canceled", func(err error) bool { return errors.Is(err, context.Canceled) }},
		{"impossible data", context.Background(), impossible, quick(), "posterior: no values of the parameters explain the responses, whose probability is 0 at all 192 points drawn from the prior: let the layout allow", func(err error) bool { return errors.As(err, new(*posterior.Unresolved)) }},
		{"no agreement", context.Background(), coin{}, strict, "posterior: chains of the tempered sampler disagree too: R-hat of ", func(err error) bool { return errors.As(err, &unresolved) }},
		{"infinite density", context.Background(), infinite, nutsOnly, "posterior: nuts: log density +Inf", nil},
	} {
		p, err := posterior.Fit(c.ctx, func() posterior.Problem { return c.problem }, []string{"a", "b"}, c.config, 1, "errors")
		if p != nil || err == nil || !strings.HasPrefix(err.Error(), c.says) || c.is != nil && !c.is(err) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.says)
		}
	}
	if unresolved == nil || len(unresolved.Doubts) == 0 {
		t.Error("an unresolved fit names no doubt")
	}
}

// TestNUTSFails checks that the tempered engine takes over if NUTS cannot use the density, with the doubt Failed.
func TestNUTSFails(t *testing.T) {
	broken := variant{density: func(q, grad []float64) float64 { return math.NaN() }}
	p, err := posterior.Fit(context.Background(), func() posterior.Problem { return broken }, []string{"a", "b"}, quick(), 1, "fails")
	if err != nil {
		t.Fatal(err)
	}
	if p.Engine != posterior.Tempered || len(p.Doubts) != 1 || p.Doubts[0].Kind != posterior.Failed || !strings.Contains(p.Doubts[0].String(), "nuts: log density NaN") {
		t.Errorf("engine %v, doubts %v", p.Engine, p.Doubts)
	}
	if s := p.Summaries[0]; math.Abs(s.Mean-4./12) > 5*s.MCSEMean {
		t.Errorf("mean %g ± %g, exactly 1/3", s.Mean, s.MCSEMean)
	}
}

// TestFewDraws checks that short runs give a result. Their limits are lower, and one chain is compared with its own
// halves.
func TestFewDraws(t *testing.T) {
	for _, size := range []struct{ chains, draws int }{{1, 4}, {1, 100}, {2, 50}, {4, 25}, {4, 100}} {
		c := quick()
		c.Chains, c.Draws = size.chains, size.draws
		p := fitCoin(t, c, 2)
		if len(p.Draws) != size.chains || len(p.Draws[0]) != size.draws || len(p.Draws[0][0]) != 2 {
			t.Errorf("%d × %d draws of %d parameters, want %d × %d of 2", len(p.Draws), len(p.Draws[0]), len(p.Draws[0][0]), size.chains, size.draws)
		}
	}
}

func TestMisusePanics(t *testing.T) {
	for says, edit := range map[string]func(*posterior.Config){
		"posterior: unknown engine":                            func(c *posterior.Config) { c.Engine = posterior.Marginal },
		"posterior: no chains":                                 func(c *posterior.Config) { c.Chains = 0 },
		"posterior: fewer than 4 draws a chain":                func(c *posterior.Config) { c.Draws = 3 },
		"posterior: no pilot":                                  func(c *posterior.Config) { c.Pilots = 0 },
		"posterior: the tempered engine needs moves":           func(c *posterior.Config) { c.Thin = 0 },
		"posterior: fewer than 100 proposals for the evidence": func(c *posterior.Config) { c.Proposals = 0 },
		"posterior: no R-hat is 1 or less":                     func(c *posterior.Config) { c.RHat = 1 },
	} {
		func() {
			defer func() {
				if r := recover(); r != says {
					t.Errorf("recovered %v, want %s", r, says)
				}
			}()
			c := quick()
			edit(&c)
			posterior.Fit(context.Background(), func() posterior.Problem { return coin{} }, []string{"a", "b"}, c, 1)
		}()
	}
}
