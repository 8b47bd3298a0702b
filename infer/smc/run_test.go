package smc_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/infertest"
	"achilles/infer/prior"
	"achilles/infer/smc"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

func run(t *testing.T, target smc.Target, c smc.Config, root uint64, names ...string) *smc.Population {
	t.Helper()
	p, err := smc.Run(context.Background(), target, c, rng.Stream(root, names...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestFlatLikelihood checks a constant likelihood: the posterior is the prior, one change of power is enough, and the
// evidence is exact.
func TestFlatLikelihood(t *testing.T) {
	p := run(t, density{3, func([]float64) float64 { return -7 }}, smc.Default(), 1, "flat")
	if p.LogEvidence != -7 || p.LogEvidenceError != 0 || !slices.Equal(p.Powers, []float64{1}) {
		t.Errorf("log evidence %g ± %g at powers %v, want −7 ± 0 at power 1", p.LogEvidence, p.LogEvidenceError, p.Powers)
	}
	// The points are still uniform: means are 1/2 and mean squares 1/3.
	check(t, p, []expectation{{"mean", func(u []float64) float64 { return u[0] }, 0.5}, {"mean square", func(u []float64) float64 { return u[2] * u[2] }, 1. / 3}})
}

type expectation struct {
	name  string
	f     func(u []float64) float64
	exact float64
}

// check compares means over a population with exact values. They may differ by 5.5 standard errors; the standard error
// comes from the spread between walkers. With 64 walkers (Student's t, 63 degrees of freedom) each check fails by chance
// with probability 8e-7.
func check(t *testing.T, p *smc.Population, want []expectation) {
	t.Helper()
	for _, w := range want {
		var means []float64
		for i := 0; i < len(p.Points); i += p.Steps {
			m := 0.0
			for _, z := range p.Points[i : i+p.Steps] {
				m += w.f(quantile(z)) / float64(p.Steps)
			}
			means = append(means, m)
		}
		mean, square := 0.0, 0.0
		for _, m := range means {
			mean += m / float64(len(means))
		}
		for _, m := range means {
			square += (m - mean) * (m - mean)
		}
		n := float64(len(means))
		if se := math.Sqrt(square / n / (n - 1)); math.Abs(mean-w.exact) > 5.5*se {
			t.Errorf("%s: %g ± %g, exactly %g", w.name, mean, se, w.exact)
		}
	}
}

// TestExactEvidence checks the evidence over 40 independent runs. The mean of the estimates (of the evidence itself,
// which is unbiased) must lie within 5.5 of its standard errors of the exact value. The mean square of z, the errors in
// standard errors, must lie between ½ and 6: 0.5 is the 1e-4 point of chi-square with 40 degrees of freedom. The upper
// bound is loose because the standard error counts the spread at each power, but not the correlation between neighbouring
// powers, whose points have common ancestors. It may therefore be half of the true error.
//
// Two of the targets have more coordinates with -long.
func TestExactEvidence(t *testing.T) {
	edge, all := 2, 3 // coordinates
	if longtest.On() {
		edge, all = 4, 6
	}
	for _, c := range []struct {
		name   string
		target density
		exact  float64
	}{
		{"hill in five coordinates", hill(0.3, 0.05, 5), 5 * math.Log(hillMass(0.3, 0.05))},
		{"hill at the edge", hill(0, 0.02, edge), float64(edge) * math.Log(hillMass(0, 0.02))},
		{"conjugate: 7 of 40 in three coordinates", binomial(40, 7, 3), -3 * math.Log(41)},
		{"conjugate: all of 300", binomial(300, 300, all), -float64(all) * math.Log(301)},
		{"zero beyond a half", density{2, func(u []float64) float64 {
			if u[0] > 0.5 {
				return math.Inf(-1)
			}
			return math.Log(u[1])
		}}, math.Log(0.25)},
		{"undefined beyond a half", density{1, func(u []float64) float64 {
			if u[0] > 0.5 {
				return math.NaN()
			}
			return 0
		}}, math.Log(0.5)},
		{"two peaks", twoPeaks(3), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			const reps = 40
			mean, square, zz := 0.0, 0.0, 0.0
			for i := range reps {
				p := run(t, c.target, smc.Default(), 2, c.name, fmt.Sprint(i))
				ratio := math.Exp(p.LogEvidence - c.exact)
				mean += ratio / reps
				square += ratio * ratio / reps
				z := (p.LogEvidence - c.exact) / p.LogEvidenceError
				zz += z * z / reps
			}
			if se := math.Sqrt((square - mean*mean) / reps); math.Abs(mean-1) > 5.5*se {
				t.Errorf("the estimated evidence is %.4f ± %.4f of the exact one on average", mean, se)
			}
			if zz < 0.5 || zz > 6 {
				t.Errorf("squared errors of the log evidence average %.2f squared standard errors", zz)
			}
		})
	}
}

// TestPopulationFollowsTarget checks means and second moments of exact targets.
func TestPopulationFollowsTarget(t *testing.T) {
	p := run(t, binomial(40, 7, 3), smc.Default(), 3, "population")
	check(t, p, []expectation{ // Beta(8, 34): mean 8/42, second moment 8·9/(42·43)
		{"mean", func(u []float64) float64 { return u[0] }, 8. / 42},
		{"second moment", func(u []float64) float64 { return u[1] * u[1] }, 72. / 42 / 43},
	})
	p = run(t, twoPeaks(3), smc.Config{Walkers: 400, Steps: 16, Keep: 0.5}, 4, "population")
	check(t, p, []expectation{{"weight of the second peak", second, 0.7}})
}

func second(u []float64) float64 {
	if u[0] > 0.5 {
		return 1
	}
	return 0
}

func TestDeterministic(t *testing.T) {
	a, b := run(t, ridge(), smc.Default(), 1, "same"), run(t, ridge(), smc.Default(), 1, "same")
	if a.LogEvidence != b.LogEvidence || a.Evaluations != b.Evaluations || !slices.EqualFunc(a.Points, b.Points, slices.Equal[[]float64]) {
		t.Error("two runs of one seed differ")
	}
	if c := run(t, ridge(), smc.Default(), 2, "same"); c.LogEvidence == a.LogEvidence {
		t.Error("two seeds give the same evidence")
	}
}

func TestRunErrors(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name   string
		ctx    context.Context
		f      func(u []float64) float64
		says   string
		target error
	}{
		{"impossible data", context.Background(), func([]float64) float64 { return math.Inf(-1) }, "smc: the likelihood is zero at all 2048 points drawn from the prior", nil},
		{"infinite", context.Background(), func(u []float64) float64 { return 1 / math.Max(0, u[0]-0.5) }, "smc: the log likelihood is +Inf somewhere", nil},
		{"steep", context.Background(), func(u []float64) float64 { return 1e300 * u[0] }, "smc: the likelihood is too steep to go beyond its power 0", nil},
		{"cancelled", cancelled, func([]float64) float64 { return 0 }, "context canceled", context.Canceled},
	} {
		p, err := smc.Run(c.ctx, density{1, c.f}, smc.Default(), rng.Stream(1))
		if p != nil || err == nil || !strings.Contains(err.Error(), c.says) || c.target != nil && !errors.Is(err, c.target) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.says)
		}
	}
}

func TestMisusePanics(t *testing.T) {
	for _, c := range []struct {
		says string
		call func()
	}{
		{"smc: fewer than 8 walkers", func() { smc.Run(context.Background(), ridge(), smc.Config{7, 32, 0.5}, rng.Stream(1)) }},
		{"smc: fewer than 2 steps", func() { smc.Run(context.Background(), ridge(), smc.Config{64, 1, 0.5}, rng.Stream(1)) }},
		{"smc: share of effective sample size outside (0, 1)", func() { smc.Run(context.Background(), ridge(), smc.Config{64, 2, 1}, rng.Stream(1)) }},
		{"smc: a chain needs draws, and moves between them", func() {
			smc.Walk(context.Background(), ridge(), []float64{.5, .5}, [][]float64{{.5, .5}, {.6, .6}}, smc.Walking{0, 1, 0, nil}, rng.Stream(1))
		}},
		{"smc: a chain needs at least two other points to move by", func() {
			smc.Walk(context.Background(), ridge(), []float64{.5, .5}, [][]float64{{.5, .5}}, smc.Walking{0, 1, 1, nil}, rng.Stream(1))
		}},
	} {
		func() {
			defer func() {
				if r := recover(); r != c.says {
					t.Errorf("recovered %v, want %s", r, c.says)
				}
			}()
			c.call()
		}()
	}
}

// TestWalkHopsModes checks that each chain visits both of two distant peaks, with the right weights.
func TestWalkHopsModes(t *testing.T) {
	target := twoPeaks(4)
	p := run(t, target, smc.Default(), 5, "walk")
	var draws [][][]float64
	for i := range 4 {
		c, err := smc.Walk(context.Background(), target, p.Points[i*500], p.Points, smc.Walking{Draws: 1000, Thin: 20}, rng.Stream(5, "walk", fmt.Sprint(i)))
		if err != nil {
			t.Fatal(err)
		}
		draws = append(draws, quantilesOf(c.Draws))
	}
	infertest.CheckMeans(t, [][][]float64{
		infertest.Quantity(draws, second),
		infertest.Quantity(draws, func(u []float64) float64 { return u[3] }),
		infertest.Quantity(draws, func(u []float64) float64 { return u[2] * u[2] }),
	}, []infertest.Reference{{Name: "second peak", Value: 0.7}, {Name: "mean", Value: 0.3*0.2 + 0.7*0.8}, {Name: "mean square", Value: 0.0004 + 0.3*0.04 + 0.7*0.64}})
}

// TestWalkKeepsTemperature checks the variance of the draws. At a power of 0.9 it would be a tenth larger, which is ten
// standard errors.
func TestWalkKeepsTemperature(t *testing.T) {
	target := hill(0.4, 0.02, 1)
	p := run(t, target, smc.Default(), 8, "spread")
	var draws [][][]float64
	for i := range 4 {
		c, err := smc.Walk(context.Background(), target, p.Points[i*500], p.Points, smc.Walking{Warmup: 20, Draws: 4000, Thin: 10}, rng.Stream(8, "spread", fmt.Sprint(i)))
		if err != nil {
			t.Fatal(err)
		}
		draws = append(draws, quantilesOf(c.Draws))
	}
	infertest.CheckMeans(t, [][][]float64{infertest.Quantity(draws, func(u []float64) float64 { return (u[0] - 0.4) * (u[0] - 0.4) })},
		[]infertest.Reference{{Name: "variance", Value: 0.0004}})
}

// TestWalkFollowsRidge checks chains on a thin diagonal ridge with most mass at one end. A move of one coordinate alone
// would leave the ridge.
func TestWalkFollowsRidge(t *testing.T) {
	target := ridge()
	p := run(t, target, smc.Default(), 6, "ridge")
	var draws [][][]float64
	for i := range 4 {
		c, err := smc.Walk(context.Background(), target, p.Points[i*500], p.Points, smc.Walking{Draws: 1000, Thin: 10}, rng.Stream(6, "ridge", fmt.Sprint(i)))
		if err != nil {
			t.Fatal(err)
		}
		if c.Evaluations < 10_000 || c.Evaluations > 40_000 {
			t.Errorf("%d evaluations", c.Evaluations)
		}
		draws = append(draws, quantilesOf(c.Draws))
	}
	// The exact values come from quadrature over a fine grid.
	const grid = 2000
	var mass, first, square float64
	for i := range grid {
		x := (float64(i) + 0.5) / grid
		for j := max(0, i-160); j < min(grid, i+160); j++ { // eight standard deviations of the ridge
			y := (float64(j) + 0.5) / grid
			w := math.Exp(target.f([]float64{x, y}) - 40)
			mass += w
			first += w * x
			square += w * x * y
		}
	}
	infertest.CheckMeans(t, [][][]float64{
		infertest.Quantity(draws, func(u []float64) float64 { return u[0] }),
		infertest.Quantity(draws, func(u []float64) float64 { return u[0] * u[1] }),
	}, []infertest.Reference{{Name: "mean", Value: first / mass}, {Name: "mean product", Value: square / mass}})
}

func TestWalkErrors(t *testing.T) {
	zero := density{1, func(u []float64) float64 {
		if u[0] > 0.6 {
			return math.Inf(-1)
		}
		return 0
	}}
	others := [][]float64{{0.1}, {0.3}}
	c := smc.Walking{Draws: 10, Thin: 2}
	if _, err := smc.Walk(context.Background(), zero, []float64{0.7}, others, c, rng.Stream(1)); err == nil || err.Error() != "smc: the likelihood is zero at the start [0.7]" {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := smc.Walk(ctx, zero, []float64{0.2}, others, c, rng.Stream(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	spike := density{1, func(u []float64) float64 { return math.Inf(1) }}
	if _, err := smc.Walk(context.Background(), spike, []float64{0.2}, others, c, rng.Stream(1)); err == nil || !strings.Contains(err.Error(), "+Inf") {
		t.Errorf("error %v", err)
	}
}

func quantilesOf(zs [][]float64) (us [][]float64) {
	for _, z := range zs {
		us = append(us, quantile(z))
	}
	return us
}

// far is a normal likelihood of x with this centre and standard deviation ½. The prior of x is the standard normal
// distribution.
type far float64

func (far) Dim() int { return 1 }

func (f far) LogLikelihood(z []float64) float64 {
	d := prior.Normal.AtOdds(z[0], []float64{0, 1}) - float64(f)
	return -2 * d * d
}

// TestFarInATail checks data that are almost impossible under the prior, on either side. With precisions 1 and 4 the
// posterior is normal with mean 4/5 of the centre and variance 1/5; the log evidence is −centre²·(4/5)/2 − log √5.
func TestFarInATail(t *testing.T) {
	for _, centre := range []float64{-25, -12, 12, 25} {
		target := far(centre)
		p := run(t, target, smc.Config{Walkers: 64, Steps: 64, Keep: 0.5}, 9, "far", fmt.Sprint(centre))
		if want := -0.4*centre*centre - math.Log(5)/2; math.Abs(p.LogEvidence-want) > 5.5*2*p.LogEvidenceError {
			t.Errorf("centre %g: log evidence %g ± %g, exactly %g", centre, p.LogEvidence, p.LogEvidenceError, want)
		}
		var draws [][][]float64
		for i := range 4 {
			c, err := smc.Walk(context.Background(), target, p.Points[i*900], p.Points, smc.Walking{Draws: 500, Thin: 10}, rng.Stream(9, "far", fmt.Sprint(centre, i)))
			if err != nil {
				t.Fatal(err)
			}
			for _, z := range c.Draws {
				z[0] = prior.Normal.AtOdds(z[0], []float64{0, 1}) - 0.8*centre
			}
			draws = append(draws, c.Draws)
		}
		infertest.CheckMeans(t, [][][]float64{
			infertest.Quantity(draws, func(x []float64) float64 { return x[0] }),
			infertest.Quantity(draws, func(x []float64) float64 { return x[0] * x[0] }),
		}, []infertest.Reference{{Name: "mean", Value: 0}, {Name: "variance", Value: 0.2}})
	}
}
