package posterior_test

import (
	"context"
	"math"
	"strconv"
	"testing"

	"achilles/infer/infertest"
	"achilles/infer/posterior"
	"achilles/infer/smc"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

// funnel is a posterior with two modes. A wide normal mode of weight 0.1 lies around −10 in every coordinate. A mode of
// weight 0.9 around +10 is a multivariate t distribution with 3 degrees of freedom. This mode is so narrow that
// tempering misses it, because hardly a draw of the prior lies in it; but its tails are so heavy that gradients lead to
// it from far away. The prior is that of islands. The evidence is 1.
type funnel struct{ islands }

const (
	funnelScale = 0.02 // scale of the narrow mode
	wideSD      = 3.0
	degrees     = 3.0
)

func (f funnel) LogDensity(q, grad []float64) float64 {
	n := float64(f.dim)
	wide, square := -n*math.Log(wideSD*math.Sqrt(2*math.Pi)), 0.0
	for _, x := range q {
		wide -= (x + 10) * (x + 10) / 2 / wideSD / wideSD
		square += (x - 10) * (x - 10) / funnelScale / funnelScale
	}
	a, _ := math.Lgamma((degrees + n) / 2)
	b, _ := math.Lgamma(degrees / 2)
	narrow := a - b - n/2*math.Log(degrees*math.Pi) - n*math.Log(funnelScale) - (degrees+n)/2*math.Log1p(square/degrees)
	wide += math.Log(0.1)
	narrow += math.Log(0.9)
	top := math.Max(wide, narrow)
	w, v := math.Exp(wide-top), math.Exp(narrow-top)
	for i, x := range q {
		steep := -(degrees + n) / degrees * (x - 10) / funnelScale / funnelScale / (1 + square/degrees)
		grad[i] = (-(x+10)/wideSD/wideSD*w + steep*v) / (w + v)
	}
	return top + math.Log(w+v)
}

func (f funnel) LogLikelihood(z []float64) float64 {
	q, grad := make([]float64, f.dim), make([]float64, f.dim)
	f.FromOdds(z, q)
	l := f.LogDensity(q, grad)
	for _, x := range q {
		v, _ := f.logPrior(x)
		l -= v
	}
	return l
}

func TestFunnelGradient(t *testing.T) {
	r := rng.Stream(1, "funnel")
	q := make([]float64, 4)
	for range 50 {
		for i := range q {
			q[i] = 10 * r.Norm()
		}
		infertest.CheckGradient(t, funnel{islands{4}}, q, 1e-6)
	}
}

func fitFunnel(t *testing.T, ascents int, root uint64) *posterior.Posterior {
	t.Helper()
	c := posterior.Default()
	c.Ascents = ascents
	p, err := posterior.Fit(context.Background(), func() posterior.Problem { return funnel{islands{4}} }, []string{"a", "b", "c", "d"}, c, root, "funnel")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// roots returns the number of root seeds from which a fit is repeated: two, and five with -long.
func roots() uint64 {
	if longtest.On() {
		return 5
	}
	return 2
}

// TestAscentsFindWhatPilotsMiss checks that a mode missed by the pilots is found by ascents and gets its weight. The
// mean of every coordinate is 10·(0.9 − 0.1) = 8, the log evidence 0. The probability that chance moves one of at most 25
// numbers by six standard errors is 1e-7.
func TestAscentsFindWhatPilotsMiss(t *testing.T) {
	for root := range roots() {
		p := fitFunnel(t, posterior.Default().Ascents, root)
		for k, s := range p.Summaries {
			if z := math.Abs(s.Mean-8) / s.MCSEMean; !(z < 6) || s.MCSEMean > 0.5 {
				t.Errorf("root %d: mean of %s is %.3f ± %.3f, want 8", root, p.Parameters[k], s.Mean, s.MCSEMean)
			}
		}
		if !(math.Abs(p.LogEvidence) < 6*p.LogEvidenceError) || p.LogEvidenceError > 0.1 {
			t.Errorf("root %d: log evidence %.3f ± %.3f, want 0", root, p.LogEvidence, p.LogEvidenceError)
		}
		if len(p.Warnings) > 0 {
			t.Errorf("root %d: %v", root, p.Warnings)
		}
		if len(p.Modes) != 2 || math.Abs(p.Modes[0]-0.9) > 0.05 || math.Abs(p.Modes[1]-0.1) > 0.05 {
			t.Errorf("root %d: modes of weights %.2f, want 0.9 and 0.1", root, p.Modes)
		}
	}
}

// TestWithoutAscentsAModeIsLost checks that TestAscentsFindWhatPilotsMiss needs ascents: without them the fit loses the
// mode of weight 0.9, so that the log evidence is too low by 2.3, and gives no warning.
func TestWithoutAscentsAModeIsLost(t *testing.T) {
	p := fitFunnel(t, 0, 0)
	if s := p.Summaries[0]; s.Mean > -9 || math.Abs(p.LogEvidence-math.Log(0.1)) > 0.1 || len(p.Warnings) > 0 {
		t.Errorf("mean %.2f, log evidence %.2f, warnings %v: the funnel is too wide to test anything", s.Mean, p.LogEvidence, p.Warnings)
	}
}

// TestPilotsTellOfAnIslandWithoutChain checks that the pilots reveal the island that a single chain has missed. The two
// halves of the chain agree, so that R-hat shows nothing, and there are no ascents.
func TestPilotsTellOfAnIslandWithoutChain(t *testing.T) {
	c := posterior.Default()
	c.Chains, c.Draws, c.Ascents = 1, 4000, 0
	for root := range roots() {
		p, err := posterior.Fit(context.Background(), func() posterior.Problem { return islands{3} }, []string{"a", "b", "c"}, c, root, "one chain")
		if err != nil {
			t.Fatal(err)
		}
		if s := p.Summaries[0]; p.Engine != posterior.Tempered || !(math.Abs(s.Mean-4) < 6*s.MCSEMean) || s.MCSEMean > 1 {
			t.Errorf("root %d: engine %v, mean %.2f ± %.2f, want 4; doubts %v", root, p.Engine, s.Mean, s.MCSEMean, p.Doubts)
		}
		c.Engine = posterior.NUTS
		p, err = posterior.Fit(context.Background(), func() posterior.Problem { return islands{3} }, []string{"a", "b", "c"}, c, root, "one chain")
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Warnings) == 0 {
			t.Errorf("root %d: no warning beside a single chain on two islands", root)
		}
		c.Engine = posterior.Auto
	}
}

// TestPilotsOfDefaultSizeSuffice checks the size of the pilots. The island on the left has weight 0.3. Over 40
// populations the root mean square error of its share must be at most 0.05 and that of the log evidence at most 0.25.
// With 16 walkers both are larger.
func TestPilotsOfDefaultSizeSuffice(t *testing.T) {
	errors := func(c smc.Config) (share, evidence float64) {
		const n = 40
		for i := range n {
			p, err := smc.Run(context.Background(), islands{3}, c, rng.Stream(5, "size", strconv.Itoa(i)))
			if err != nil {
				t.Fatal(err)
			}
			left := 0.0
			for _, z := range p.Points {
				if z[0] < 0 {
					left += 1 / float64(len(p.Points))
				}
			}
			share += (left - 0.3) * (left - 0.3) / n
			evidence += p.LogEvidence * p.LogEvidence / n
		}
		return math.Sqrt(share), math.Sqrt(evidence)
	}
	share, evidence := errors(posterior.Default().Pilot)
	t.Logf("default: share errs by %.3f, log evidence by %.3f", share, evidence)
	if share > 0.05 || evidence > 0.25 {
		t.Errorf("share errs by %.3f, log evidence by %.3f", share, evidence)
	}
	few := posterior.Default().Pilot
	few.Walkers = 16
	share, evidence = errors(few)
	t.Logf("16 walkers: share errs by %.3f, log evidence by %.3f", share, evidence)
	if share <= 0.05 || evidence <= 0.25 {
		t.Errorf("16 walkers err by %.3f and %.3f: the limits show nothing", share, evidence)
	}
}

// TestMirroredSubjects compares a subject that passes whenever the reward lies on the right with its mirror image. The
// bias must have the opposite sign; the other parameters and the evidence must have the same values. The bias lies far in
// the tail of its prior, where a distribution function would round to 1. With -long, both variants of the layout are fitted.
func TestMirroredSubjects(t *testing.T) {
	table := readOP(t)
	right := func(item int) bool { return table.Side(item) > 0 }
	c := posterior.Default()
	c.Pilots, c.Draws = 1, 500
	for name, variant := range readings {
		if name != "asrun" && !longtest.On() {
			continue
		}
		a := fitOP(t, table.Simulated(variant, right), c, 1, "right", name)
		b := fitOP(t, table.Mirrored().Simulated(variant, right), c, 2, "mirrored", name)
		for k, parameter := range a.Parameters {
			x, y := a.Summaries[k], b.Summaries[k]
			if parameter == "rightLeft" {
				y.Mean = -y.Mean
			}
			if z := (x.Mean - y.Mean) / math.Hypot(x.MCSEMean, y.MCSEMean); !(math.Abs(z) < mostZ) {
				t.Errorf("%s: %s is %.4g ± %.2g and, mirrored, %.4g ± %.2g", name, parameter, x.Mean, x.MCSEMean, y.Mean, y.MCSEMean)
			}
		}
		if z := (a.LogEvidence - b.LogEvidence) / math.Hypot(a.LogEvidenceError, b.LogEvidenceError); !(math.Abs(z) < mostZ) {
			t.Errorf("%s: log evidence %.2f ± %.2f and, mirrored, %.2f ± %.2f", name, a.LogEvidence, a.LogEvidenceError, b.LogEvidence, b.LogEvidenceError)
		}
		t.Logf("%s: rightLeft %.2f and %.2f, log evidence %.2f and %.2f, engines %v and %v, %v and %v", name, a.Summaries[7].Mean, b.Summaries[7].Mean, a.LogEvidence, b.LogEvidence, a.Engine, b.Engine, a.Work, b.Work)
	}
}
