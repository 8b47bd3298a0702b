package posterior_test

import (
	"context"
	"math"
	"testing"

	"achilles/infer/posterior"
)

// bent is a posterior that is skewed and has a funnel: x is normal, and the logarithm of y normal around x. Its evidence is 1.
type bent struct{ twice bool }

func (b bent) Dim() int                          { return 2 }
func (b bent) LogLikelihood(z []float64) float64 { panic("not for the normal approximation") }
func (b bent) FromOdds(z, q []float64) {
	q[0], q[1] = z[0], z[1]
	if b.twice && z[0] > 0 {
		q[0] += 20
	}
}
func (b bent) Odds(q, z []float64) { panic("not for the normal approximation") }
func (b bent) Constrain(q, theta []float64) {
	theta[0], theta[1] = q[0], math.Exp(q[1])
}
func (b bent) LogDensity(q, grad []float64) float64 {
	x := q[0]
	if b.twice && x > 10 { // a second, equal maximum
		x -= 20
	}
	s := math.Exp(x / 3)
	e := (q[1] - x) / s
	grad[0], grad[1] = -x+e/s+(e*e-1)/3, -e/s
	return -x*x/2 - e*e/2 - x/3 - math.Log(2*math.Pi)
}

// TestNormal checks that resampled draws of the normal approximation give the exact means and evidence within 5 standard errors, and
// that a second maximum and an approximation that is too far off are said.
func TestNormal(t *testing.T) {
	c := quick()
	c.Engine = posterior.Laplace
	p := fitCoin(t, c, 1)
	for k, want := range []float64{4. / 12, 9. / 12} {
		if s := p.Summaries[k]; math.Abs(s.Mean-want) > 5*s.MCSEMean || !(s.ESSBulk > 1000) || !math.IsNaN(s.RHat) {
			t.Errorf("mean %g ± %g, exactly %g", s.Mean, s.MCSEMean, want)
		}
	}
	if want := -2 * math.Log(11); math.Abs(p.LogEvidence-want) > 5*p.LogEvidenceError || p.LogEvidenceError > 0.05 {
		t.Errorf("log evidence %g ± %g, exactly %g", p.LogEvidence, p.LogEvidenceError, want)
	}
	if len(p.Warnings) != 1 || p.Warnings[0].Kind != posterior.Approximate {
		t.Errorf("warnings %v", p.Warnings)
	}
	for _, twice := range []bool{false, true} {
		p, err := posterior.Fit(context.Background(), func() posterior.Problem { return bent{twice} }, []string{"x", "y"}, c, 1, "bent")
		if err != nil {
			t.Fatal(err)
		}
		if s := p.Summaries[0]; !twice && math.Abs(s.Mean) > 5*s.MCSEMean {
			t.Errorf("mean %g ± %g, exactly 0", s.Mean, s.MCSEMean)
		}
		if !twice && math.Abs(p.LogEvidence) > 5*p.LogEvidenceError {
			t.Errorf("log evidence %g ± %g, exactly 0", p.LogEvidence, p.LogEvidenceError)
		}
		if twice != (p.Warnings[0].Kind == posterior.OtherMaxima) {
			t.Errorf("twice %v: %v", twice, p.Warnings)
		}
	}
}

// ridged is a posterior of many dimensions that is far from normal: each coordinate but the first is normal with a spread that the first
// decides. Weights of a normal density around its maximum collapse.
type ridged struct{ bent }

func (ridged) Dim() int                     { return 25 }
func (ridged) FromOdds(z, q []float64)      { copy(q, z) }
func (ridged) Constrain(q, theta []float64) { copy(theta, q) }
func (ridged) LogDensity(q, grad []float64) float64 {
	const slope = 0.6
	l := -q[0] * q[0] / 2
	grad[0] = -q[0]
	for k := 1; k < len(q); k++ {
		s := math.Exp(slope * q[0])
		e := q[k] / s
		l += -e*e/2 - slope*q[0]
		grad[0] += slope * (e*e - 1)
		grad[k] = -e / s
	}
	return l
}

// TestNormalNeverCollapses checks that where the approximation fails, the draws say so and are not a few repeated ones.
func TestNormalNeverCollapses(t *testing.T) {
	c := quick()
	c.Engine = posterior.Laplace
	names := make([]string, 25)
	p, err := posterior.Fit(context.Background(), func() posterior.Problem { return ridged{} }, names, c, 1, "ridged")
	if err != nil {
		t.Fatal(err)
	}
	if w := p.Warnings[len(p.Warnings)-1]; w.Kind != posterior.Skewed || !math.IsNaN(p.LogEvidence) {
		t.Errorf("warnings %v, log evidence %g: the approximation is said to be good", p.Warnings, p.LogEvidence)
	}
	distinct := map[float64]bool{}
	for _, chain := range p.Draws {
		for _, theta := range chain {
			distinct[theta[3]] = true
		}
	}
	if len(distinct) < 300 || !(p.Summaries[3].ESSBulk > 400) {
		t.Errorf("%d distinct draws of 2000, ESS %g", len(distinct), p.Summaries[3].ESSBulk)
	}
}
