package posterior_test

import (
	"context"
	"math"
	"testing"

	"achilles/infer/posterior"
)

// islands is a posterior with two normal modes on the unconstrained scale. In the first coordinate, weight 0.3 lies at
// −10 and 0.7 at +10, with standard deviations 1, so far apart that no Hamiltonian trajectory crosses. The other
// coordinates are standard normal. The prior of each coordinate is a logistic distribution of scale 10, whose quantiles
// and density are elementary.
type islands struct{ dim int }

const scale = 10

func (islands) logPrior(q float64) (value, slope float64) {
	z := q / scale
	t := math.Tanh(z / 2)
	return -math.Abs(z) - 2*math.Log1p(math.Exp(-math.Abs(z))) - math.Log(scale), -t / scale
}

func (p islands) Dim() int { return p.dim }

// logTarget returns the log of the normalised posterior density and writes its gradient.
func (p islands) logTarget(q, grad []float64) float64 {
	sum := 0.0
	for i, x := range q {
		if i > 0 {
			sum += -0.5*x*x - 0.5*math.Log(2*math.Pi)
			grad[i] = -x
			continue
		}
		a, b := math.Log(0.3)-0.5*(x+10)*(x+10), math.Log(0.7)-0.5*(x-10)*(x-10)
		m := math.Max(a, b)
		wa, wb := math.Exp(a-m), math.Exp(b-m)
		sum += m + math.Log(wa+wb) - 0.5*math.Log(2*math.Pi)
		grad[i] = (-(x+10)*wa - (x-10)*wb) / (wa + wb)
	}
	return sum
}

func (p islands) LogDensity(q, grad []float64) float64 { return p.logTarget(q, grad) }

func (p islands) LogLikelihood(z []float64) float64 {
	q, grad := make([]float64, p.dim), make([]float64, p.dim)
	p.FromOdds(z, q)
	l := p.logTarget(q, grad)
	for _, x := range q {
		v, _ := p.logPrior(x)
		l -= v
	}
	return l
}

func (p islands) FromOdds(z, q []float64) {
	for i, x := range z {
		q[i] = scale * x
	}
}

func (p islands) Odds(q, z []float64) {
	for i, x := range q {
		z[i] = x / scale
	}
}

func (p islands) Constrain(q, theta []float64) { copy(theta, q) }

// TestTakesOver checks that the tempered engine takes over if NUTS chains sit in different modes, and that it then gives
// the right weights and evidence. The mean of the first coordinate is 10·(0.7 − 0.3) = 4, its standard deviation √(1 +
// 100·(1 − 0.16)); the log evidence is 0. By chance, six standard errors are exceeded in fewer than one run in 10^7.
func TestTakesOver(t *testing.T) {
	for root := range roots() {
		p, err := posterior.Fit(context.Background(), func() posterior.Problem { return islands{3} }, []string{"a", "b", "c"}, posterior.Default(), root, "islands")
		if err != nil {
			t.Fatal(err)
		}
		if p.Engine != posterior.Tempered || len(p.Doubts) == 0 {
			t.Errorf("root %d: engine %s, doubts %v", root, p.Engine, p.Doubts)
		}
		s := p.Summaries[0]
		if z := math.Abs(s.Mean-4) / s.MCSEMean; z > 6 || s.MCSEMean > 0.5 {
			t.Errorf("root %d: mean %.3f ± %.3f, want 4", root, s.Mean, s.MCSEMean)
		}
		if math.Abs(s.SD-math.Sqrt(85)) > 0.5 {
			t.Errorf("root %d: standard deviation %.3f, want %.3f", root, s.SD, math.Sqrt(85))
		}
		if math.Abs(p.LogEvidence) > 6*math.Max(p.LogEvidenceError, 0.02) {
			t.Errorf("root %d: log evidence %.3f ± %.3f, want 0", root, p.LogEvidence, p.LogEvidenceError)
		}
	}
}

// TestNUTSAlone checks that NUTS alone warns on two islands.
func TestNUTSAlone(t *testing.T) {
	c := posterior.Default()
	c.Engine = posterior.NUTS
	p, err := posterior.Fit(context.Background(), func() posterior.Problem { return islands{2} }, []string{"a", "b"}, c, 1, "islands")
	if err != nil {
		t.Fatal(err)
	}
	if p.Engine != posterior.NUTS || len(p.Warnings) == 0 {
		t.Errorf("NUTS alone on two islands: engine %s, warnings %v", p.Engine, p.Warnings)
	}
}
