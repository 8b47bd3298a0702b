package nuts_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"achilles/infer/infertest"
	"achilles/infer/nuts"
	"achilles/sim/rng"
)

// An expectation is a function of the position and its exact mean.
type expectation struct {
	name  string
	f     func(q []float64) float64
	exact float64
}

// TestExactTargets compares means, variances, covariances and quantiles (by the share of draws below each) with their
// exact values, under both metrics, with steps of which many are divided, and with a rotor that a short chain shows roughly. The false-alarm rate of a subtest is that of CheckMeans, 1e-6.
func TestExactTargets(t *testing.T) {
	for _, c := range []struct {
		name, why string
		target    nuts.Target
		// largest number of divergences that is allowed in a chain of 1000 draws; far out, e^−e^x is too steep for any step
		// size
		divergences int
		want        []expectation
	}{
		{"correlated normal", "ρ = 0.99 and scales a thousandfold apart", normalPair(0.01, 10, 0.99), 0, []expectation{
			{"mean", func(q []float64) float64 { return q[1] }, 0},
			{"variance", func(q []float64) float64 { return q[0] * q[0] }, 1e-4},
			{"other variance", func(q []float64) float64 { return q[1] * q[1] }, 100},
			{"covariance", func(q []float64) float64 { return q[0] * q[1] }, 0.099},
			{"lower decile", below(1, -12.815515655446004), 0.1},
		}},
		// The distribution of log(−log u) for uniform u: the shape of a posterior with its mass at a bound, on the
		// unconstrained scale.
		{"pile at a bound", "the density of log E, E exponential: one tail falls as e^−e^x", gumbel{}, 3, []expectation{
			{"mean", func(q []float64) float64 { return q[0] }, -0.5772156649015329},
			{"mean of e^x", func(q []float64) float64 { return math.Exp(q[0]) }, 1},
			{"median", below(0, math.Log(math.Ln2)), 0.5},
			{"95 % quantile", below(0, math.Log(-math.Log(0.05))), 0.95},
		}},
		{"Student t", "5 degrees of freedom: heavy tails", student{5}, 0, []expectation{
			{"mean", func(q []float64) float64 { return q[0] }, 0},
			{"upper quartile", below(0, 0.7266868438004226), 0.75}, // from tables
			{"97.5 % quantile", below(0, 2.570581835636314), 0.975},
		}},
	} {
		for _, kind := range []string{"diagonal", "dense", "refined", "rotor"} {
			t.Run(c.name+" "+kind, func(t *testing.T) {
				conf := nuts.Default()
				switch kind {
				case "diagonal":
					conf.Metric = nuts.Diagonal
				case "refined":
					conf.Refine = 0.1
				case "rotor":
					short, err := nuts.Sample(context.Background(), c.target, make([]float64, c.target.Dim()), conf, 30, rng.Stream(1, "rough", c.name))
					if err != nil {
						t.Fatal(err)
					}
					conf.KeepMetric, conf.Guess = true, short.Draws
				}
				var draws [][][]float64
				for i := range 8 {
					rng := rng.Stream(1, "exact", c.name, fmt.Sprint(i))
					start := make([]float64, c.target.Dim())
					for k := range start {
						start[k] = 4*rng.Float64() - 2
					}
					if conf.KeepMetric {
						start = conf.Guess[i]
					}
					chain, err := nuts.Sample(context.Background(), c.target, start, conf, 1000, rng)
					if err != nil {
						t.Fatal(err)
					}
					if len(chain.Divergent()) > c.divergences {
						t.Errorf("%d divergences", len(chain.Divergent()))
					}
					draws = append(draws, chain.Draws)
				}
				var quantities [][][]float64
				var want []infertest.Reference
				for _, w := range c.want {
					quantities = append(quantities, infertest.Quantity(draws, w.f))
					want = append(want, infertest.Reference{Name: w.name, Value: w.exact})
				}
				infertest.CheckMeans(t, quantities, want)
			})
		}
	}
}

// wall is a normal density of two coordinates, times a logistic function of slope 100 by the first and the exponential of the second.
type wall struct{}

func (wall) Dim() int { return 2 }

func (wall) LogDensity(q, grad []float64) float64 {
	a := 100 * math.Exp(q[1])
	x := a * q[0]
	p := 1 / (1 + math.Exp(x))
	grad[0], grad[1] = -q[0]+a*p, -q[1]+x*p
	return -(q[0]*q[0]+q[1]*q[1])/2 - math.Log1p(math.Exp(-math.Abs(x))) - math.Max(-x, 0)
}

// TestWall checks that divided steps get past a wall, at which others diverge, and that draws are right there: by symmetry, the second
// coordinate is standard normal. The false-alarm rate is that of CheckMeans, 1e-6.
func TestWall(t *testing.T) {
	for _, refine := range []float64{0, 1} {
		conf := nuts.Default()
		conf.Refine, conf.Accept = refine, 0.9
		var draws [][][]float64
		diverged := 0
		for i := range 8 {
			chain, err := nuts.Sample(context.Background(), wall{}, []float64{1, 0}, conf, 2000, rng.Stream(1, "wall", fmt.Sprint(i)))
			if err != nil {
				t.Fatal(err)
			}
			diverged += len(chain.Divergent())
			draws = append(draws, chain.Draws)
		}
		if t.Logf("refine %g: %d of 16000 draws diverged", refine, diverged); refine == 0 {
			if diverged < 100 {
				t.Errorf("%d draws diverged: the wall is too low", diverged)
			}
			continue
		}
		if diverged > 16 {
			t.Errorf("%d draws diverged", diverged)
		}
		second := infertest.Quantity(draws, func(q []float64) float64 { return q[1] })
		square := infertest.Quantity(draws, func(q []float64) float64 { return q[1] * q[1] })
		infertest.CheckMeans(t, [][][]float64{second, square}, []infertest.Reference{{Name: "mean", Value: 0}, {Name: "variance", Value: 1}})
	}
}

func below(i int, x float64) func([]float64) float64 {
	return func(q []float64) float64 {
		if q[i] < x {
			return 1
		}
		return 0
	}
}

// normalPair returns a normal density with standard deviations a and b and correlation rho.
func normalPair(a, b, rho float64) gauss {
	d := 1 - rho*rho
	return gauss{[][]float64{{1 / a / a / d, -rho / a / b / d}, {-rho / a / b / d, 1 / b / b / d}}}
}

// gumbel is the density of log E for a standard exponential variable E: e^(x − e^x).
type gumbel struct{}

func (gumbel) Dim() int { return 1 }
func (gumbel) LogDensity(q, grad []float64) float64 {
	e := math.Exp(q[0])
	grad[0] = 1 - e
	return q[0] - e
}

// student is Student's t density.
type student struct{ freedom float64 }

func (student) Dim() int { return 1 }
func (s student) LogDensity(q, grad []float64) float64 {
	u := q[0] * q[0] / s.freedom
	grad[0] = -(s.freedom + 1) * q[0] / s.freedom / (1 + u)
	return -(s.freedom + 1) / 2 * math.Log1p(u)
}

// TestGuessShortensTheWay checks that a metric from positions distributed like the target makes the warm-up much
// cheaper.
func TestGuessShortensTheWay(t *testing.T) {
	target := normalPair(0.01, 10, 0.99)
	draws := rng.Stream(1, "guess")
	c := nuts.Default()
	c.Warmup = 20
	for range 200 {
		x, y := draws.Norm(), draws.Norm()
		c.Guess = append(c.Guess, []float64{0.01 * x, 10 * (0.99*x + math.Sqrt(1-0.99*0.99)*y)})
	}
	informed, err := nuts.Sample(context.Background(), target, []float64{0, 0}, c, 20, rng.Stream(2, "guess"))
	if err != nil {
		t.Fatal(err)
	}
	c.Guess = nil
	blind, err := nuts.Sample(context.Background(), target, []float64{0, 0}, c, 20, rng.Stream(2, "guess"))
	if err != nil {
		t.Fatal(err)
	}
	if 10*informed.WarmupGradients > blind.WarmupGradients {
		t.Errorf("%d gradients of warm-up with a guess, %d without; want less than a tenth", informed.WarmupGradients, blind.WarmupGradients)
	}
}

// TestKeepMetric checks that with KeepMetric no window renews the metric of the guess. The step size after warm-up is
// then that of a standard normal density, although the scales of the target differ.
func TestKeepMetric(t *testing.T) {
	rng := rng.Stream(3, "keep")
	c := nuts.Default()
	c.Warmup, c.KeepMetric = 200, true
	for range 200 {
		x, y := rng.Norm(), rng.Norm()
		c.Guess = append(c.Guess, []float64{0.01 * x, 10 * (0.99*x + math.Sqrt(1-0.99*0.99)*y)})
	}
	adapted := 0
	c.Hooks().Adapted = func(int, float64) { adapted++ }
	chain, err := nuts.Sample(context.Background(), normalPair(0.01, 10, 0.99), []float64{0, 0}, c, 200, rng)
	if err != nil {
		t.Fatal(err)
	}
	if adapted != 1 || chain.Step < 0.3 || chain.Step > 3 {
		t.Errorf("%d adaptations, step %g; want the one at the end, and a step of about 1", adapted, chain.Step)
	}
}
