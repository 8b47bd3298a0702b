package compare_test

import (
	"context"
	"math"
	"reflect"
	"strconv"
	"testing"

	"achilles/infer/compare"
	"achilles/infer/smc"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

func fit(t testing.TB, b *compare.Bound, r []record.Response, path ...string) []*compare.Fitted {
	return fitWith(t, b, compare.Default(), r, path...)
}

func fitWith(t testing.TB, b *compare.Bound, c compare.Config, r []record.Response, path ...string) []*compare.Fitted {
	t.Helper()
	fits, _, err := b.Fit(context.Background(), r, c, 1, path...)
	if err != nil {
		t.Fatal(err)
	}
	return fits
}

// logBeta returns the log of k!(n−k)!/(n+1)!: the evidence, of k successes in n responses, for a constant rate with a uniform
// prior.
func logBeta(k, n int) float64 {
	l := func(x int) float64 { v, _ := math.Lgamma(float64(x)); return v }
	return l(k+1) + l(n-k+1) - l(n+2)
}

// heelEvidence returns the log evidence for the layout of heel, by integration over both parameters on a fine grid of
// midpoints. There are k0 successes in n0 responses without the weakness, and k1 in n1 with it.
func heelEvidence(k0, n0, k1, n1 int) float64 {
	const m = 500
	sum := 0.0
	for i := range m {
		strong := (float64(i) + 0.5) / m
		inner := 0.0
		for j := range m {
			p := strong * (float64(j) + 0.5) / m
			inner += math.Exp(float64(k1)*math.Log(p)+float64(n1-k1)*math.Log1p(-p)-logScale(k1, n1)) / m
		}
		sum += inner * math.Exp(float64(k0)*math.Log(strong)+float64(n0-k0)*math.Log1p(-strong)-logScale(k0, n0)) / m
	}
	return math.Log(sum) + logScale(k0, n0) + logScale(k1, n1)
}

// logScale returns the largest log likelihood, over all rates, of k successes in n responses.
func logScale(k, n int) float64 {
	f := float64(k) / float64(n)
	return float64(k)*math.Log(f) + float64(n-k)*math.Log1p(-f)
}

// TestFitAgainstExactEvidence compares evidence and weights with exact values. The tolerance is five standard errors, exceeded
// once in two million by chance. A standard error is twice the one that the fit reports, which may be too small by a factor of
// up to two (smc.Population).
func TestFitAgainstExactEvidence(t *testing.T) {
	it := items(200)
	b := bank(t, it)
	c := compare.Default()
	c.Full, c.Runs, c.TieRuns = smc.Config{Walkers: 128, Steps: 40, Keep: 0.7}, 6, 6
	fits := fitWith(t, b, c, responses(it, 70, 81), "exact")
	want := []float64{logBeta(151, 200), heelEvidence(81, 100, 70, 100), math.NaN()}
	for i, f := range fits[:2] {
		if d := f.LogEvidence - want[i]; math.Abs(d) > 5*2*f.Error || f.Error > 0.05 {
			t.Errorf("%s: log evidence %.3f ± %.3f, exactly %.3f", f.Layout.Name, f.LogEvidence, f.Error, want[i])
		}
	}
	total := 0.0
	for _, f := range fits {
		total += f.Weight
	}
	if math.Abs(total-1) > 1e-12 {
		t.Errorf("weights sum to %v", total)
	}
	odds := math.Log(fits[1].Weight / fits[0].Weight)
	if exact := want[1] - want[0] - math.Log(2); math.Abs(odds-exact) > 5*2*math.Hypot(fits[0].Error, fits[1].Error) {
		t.Errorf("log odds of lava %.3f; exactly %.3f", odds, exact)
	}
}

// TestFitIsReproducible checks that two calls of Fit with equal arguments give the same rivals in the same order with the same
// evidence, error, weight and draws, to the last bit, and that another path, which names other random streams, gives other draws.
func TestFitIsReproducible(t *testing.T) {
	it := items(60)
	b := bank(t, it)
	r := responses(it, 10, 28)
	first, second, other := fit(t, b, r, "same"), fit(t, b, r, "same"), fit(t, b, r, "other")
	if len(first) != len(second) {
		t.Fatalf("%d rivals, then %d", len(first), len(second))
	}
	differs := false
	for i, f := range first {
		g := second[i]
		if f.Layout.Name != g.Layout.Name || f.LogEvidence != g.LogEvidence || f.Error != g.Error || f.Weight != g.Weight || f.Chains != g.Chains || f.Evaluations != g.Evaluations || !reflect.DeepEqual(f.Draws, g.Draws) {
			t.Errorf("%s differs from call to call", f.Layout.Name)
		}
		differs = differs || f.Draws != nil && !reflect.DeepEqual(f.Draws, other[i].Draws)
	}
	if !differs {
		t.Error("another path gives the same draws")
	}
}

// TestWeightsAreCalibrated checks that weights are probabilities. For every subject, a rival is drawn from the prior of the
// bank and its parameters from the prior of the rival. A rival with weight w must then be the right one with probability w:
// for each rival, the sum over subjects of (1 if right, else 0) − w is within 5 standard errors of 0, exceeded once in two
// million by chance. There are 200 subjects, and 800 with -long.
func TestWeightsAreCalibrated(t *testing.T) {
	it := items(40)
	b := bank(t, it)
	subjects := 200
	if longtest.On() {
		subjects = 800
	}
	c := compare.Default()
	c.First, c.Full, c.Runs, c.TieRuns = smc.Config{Walkers: 16, Steps: 8, Keep: 0.5}, smc.Config{Walkers: 24, Steps: 12, Keep: 0.5}, 1, 1
	c.Ascents = 5 // the rivals have one mode
	excess, variance := make([]float64, 3), make([]float64, 3)
	for s := range subjects {
		rng := rng.Stream(11, "calibration", strconv.Itoa(s))
		u, k := rng.Float64(), 0
		for u -= b.Entries[0].Share; u > 0; u -= b.Entries[k].Share {
			k++
		}
		d := b.Entries[k].Design
		theta := make([]float64, len(d.Parameters()))
		d.DrawPrior(&rng, theta)
		for i, f := range fitWith(t, b, c, d.Simulate(theta, &rng), "calibration", strconv.Itoa(s)) {
			right := 0.0
			if i == k {
				right = 1
			}
			excess[i] += right - f.Weight
			variance[i] += f.Weight * (1 - f.Weight)
		}
	}
	for i, e := range excess {
		if math.Abs(e) > 5*math.Sqrt(variance[i]) {
			t.Errorf("rival %d is right %.1f times more often than weighed, over %d subjects; standard error %.1f", i, e, subjects, math.Sqrt(variance[i]))
		}
	}
}

// TestLeaveOneOutAgainstExact compares the estimate with the exact value for a constant rate with a uniform prior: if k of n
// responses are successes, the leave-one-out density of a success is k/(n+1), of a failure (n−k)/(n+1).
func TestLeaveOneOutAgainstExact(t *testing.T) {
	it := items(50)
	r := responses(it, 20, 20)
	f := fit(t, bank(t, it), r, "loo")[0]
	l := f.LeaveOneOut(r)
	want := 40*math.Log(40.0/51) + 10*math.Log(10.0/51)
	if math.Abs(l.ELPD-want) > 5*2*l.MCSE {
		t.Errorf("elpd %.4f ± %.4f; exactly %.4f", l.ELPD, l.MCSE, want)
	}
	if l.BadK != 0 || l.WorstK > 0.7 {
		t.Errorf("Pareto shape %v for a constant rate", l.WorstK)
	}
	if se := l.ELPDError(l); se != 0 {
		t.Errorf("a rival differs from itself by %v", se)
	}
}

// TestStackByHand checks stacking weights by hand. Of four responses, rival A gives three the density 0.8 and one 0.2; rival B
// gives three 0.2 and one 0.8. The log score of the mixture w·A + (1−w)·B is largest if 3·0.6/(0.2 + 0.6w) = 0.6/(0.8 − 0.6w):
// w = 11/12.
func TestStackByHand(t *testing.T) {
	h, l := math.Log(0.8), math.Log(0.2)
	w := compare.StackingWeights([]*compare.LeaveOneOut{compare.NewLeaveOneOut(h, h, h, l), compare.NewLeaveOneOut(l, l, l, h)})
	if math.Abs(w[0]-11.0/12) > 1e-4 || math.Abs(w[0]+w[1]-1) > 1e-12 {
		t.Errorf("weights %v; want 11/12 and 1/12", w)
	}
	if w := compare.StackingWeights([]*compare.LeaveOneOut{compare.NewLeaveOneOut(h, l)}); w[0] != 1 {
		t.Errorf("a rival alone has weight %v", w[0])
	}
}
