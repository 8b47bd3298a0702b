package infertest_test

import (
	"fmt"
	"math"
	"testing"

	"achilles/infer/infertest"
	"achilles/sim/rng"
)

// recorder stands in for a test that may fail.
type recorder struct{ failures []string }

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

// wavy has log density Σ sin(q_i)·q_{i+1}, with the gradient's first entry off by the factor given.
type wavy struct{ factor float64 }

func (wavy) Dim() int { return 3 }
func (w wavy) LogDensity(q, grad []float64) float64 {
	clear(grad)
	lp := 0.0
	for i := range q {
		j := (i + 1) % 3
		lp += math.Sin(q[i]) * q[j]
		grad[i] += math.Cos(q[i]) * q[j]
		grad[j] += math.Sin(q[i])
	}
	grad[0] *= w.factor
	return lp
}

func TestGradientError(t *testing.T) {
	rng := rng.Stream(1, "gradient")
	for range 100 {
		q := []float64{rng.Norm(), 5 * rng.Norm(), 100 * rng.Norm()}
		infertest.CheckGradient(t, wavy{1}, q, 1e-7)
		if e, i := infertest.GradientError(wavy{1.001}, q); i != 0 && e > 1e-7 {
			t.Errorf("the fault is in coordinate 0, reported in %d", i)
		}
		if e, _ := infertest.GradientError(wavy{math.NaN()}, q); !math.IsInf(e, 1) {
			t.Errorf("a gradient of NaN has error %g", e)
		}
	}
	var r recorder
	infertest.CheckGradient(&r, wavy{1.001}, []float64{1, 2, 3}, 1e-7)
	if len(r.failures) != 1 {
		t.Errorf("a gradient off by 0.1 %% gave failures %v", r.failures)
	}
}

func TestZBound(t *testing.T) {
	// Two-sided normal quantiles from tables: 5 % → 1.95996, 10 checks at 5 % → 2.80703.
	for _, c := range []struct {
		n           int
		alpha, want float64
	}{{1, 0.05, 1.959964}, {10, 0.05, 2.807034}, {1, 1e-6, 4.891638}} {
		if got := infertest.ZBound(c.n, c.alpha); math.Abs(got-c.want) > 1e-5 {
			t.Errorf("%d checks at %g: %g, want %g", c.n, c.alpha, got, c.want)
		}
	}
}

func TestCheckMeans(t *testing.T) {
	rng := rng.Stream(2, "means")
	draws := make([][][]float64, 4)
	for c := range draws {
		for range 500 {
			draws[c] = append(draws[c], []float64{rng.Norm(), 3 + 2*rng.Norm()})
		}
	}
	q := [][][]float64{infertest.Quantity(draws, func(q []float64) float64 { return q[0] }), infertest.Quantity(draws, func(q []float64) float64 { return q[1] })}
	infertest.CheckMeans(t, q, []infertest.Reference{{"a", 0, 0}, {"b", 3, 0}})
	var r recorder
	infertest.CheckMeans(&r, q, []infertest.Reference{{"a", 0.3, 0.001}, {"b", 3, 0}}) // 0.3 is 13 standard errors of 2000 draws
	if len(r.failures) != 1 {
		t.Errorf("a reference 0.3 away gave failures %v", r.failures)
	}
	for i := range q[1][3] {
		q[1][3][i] += 5
	}
	r = recorder{}
	infertest.CheckMeans(&r, q[1:], []infertest.Reference{{"b", 4.25, 0}})
	if len(r.failures) != 2 { // R-hat and ESS; the mean is within its honest, large error
		t.Errorf("a chain that stands apart gave failures %v", r.failures)
	}
}

// calibrate runs 2000 replications of a normal mean with known variance, prior N(0, 1), one datum of variance 1:
// posterior N(y/2, 1/2), drawn with an error in its mean and a factor on its sd.
func calibrate(shift, factor float64) *infertest.Ranks {
	rng := rng.Stream(3, "calibrate")
	ranks := infertest.NewRanks([]string{"mean"}, 99)
	for range 2000 {
		truth := rng.Norm()
		y := truth + rng.Norm()
		draws := make([][]float64, 99)
		for i := range draws {
			draws[i] = []float64{shift + y/2 + factor*math.Sqrt(0.5)*rng.Norm()}
		}
		ranks.Add([]float64{truth}, draws)
	}
	return ranks
}

func TestCalibration(t *testing.T) {
	calibrate(0, 1).Check(t, 20, 1e-6)
	for _, c := range []struct {
		name          string
		shift, factor float64
	}{{"biased", 0.15, 1}, {"too narrow", 0, 0.85}, {"too wide", 0, 1.2}} {
		var r recorder
		calibrate(c.shift, c.factor).Check(&r, 20, 1e-6)
		if len(r.failures) != 1 {
			t.Errorf("a posterior that is %s passes calibration", c.name)
		}
	}
}

// TestPValuesAreUniform: over 400 sets of 500 uniform ranks, p below 0.1 comes about 40 times (the doubled smaller of
// two p-values is slightly conservative); 72 is the 1e-7 point of the binomial.
func TestPValuesAreUniform(t *testing.T) {
	rng := rng.Stream(4, "uniform")
	low := 0
	for range 400 {
		ranks := infertest.NewRanks([]string{"x"}, 19)
		for range 500 {
			draws := make([][]float64, 19)
			for i := range draws {
				draws[i] = []float64{rng.Float64()}
			}
			ranks.Add([]float64{rng.Float64()}, draws)
		}
		if ranks.PValues(10)[0] < 0.1 {
			low++
		}
	}
	if low > 72 || low < 8 {
		t.Errorf("p < 0.1 in %d of 400 sets of uniform ranks", low)
	}
}

// TestTiesAreSpread: where every draw equals the truth, as at a bound reached in rounding, all ranks are as likely.
func TestTiesAreSpread(t *testing.T) {
	ranks := infertest.NewRanks([]string{"x"}, 9)
	draws := make([][]float64, 9)
	for i := range draws {
		draws[i] = []float64{1}
	}
	for range 1000 {
		ranks.Add([]float64{1}, draws)
	}
	if p := ranks.PValues(10)[0]; p < 0.5 {
		t.Errorf("p = %g for ranks that are evenly spread", p)
	}
}

// TestOuterBins: a third too many ranks in each of the two outer bins of 20 is little to a chi-square test, p = 0.3, but
// 4.7 standard errors of their number.
func TestOuterBins(t *testing.T) {
	ranks := infertest.NewRanks([]string{"x"}, 19)
	for rank := range 20 {
		n := 100
		if rank == 0 || rank == 19 {
			n = 135
		}
		draws := make([][]float64, 19)
		for i := range draws {
			draws[i] = []float64{float64(i)}
		}
		for range n {
			ranks.Add([]float64{float64(rank) - 0.5}, draws)
		}
	}
	if p := ranks.PValues(20)[0]; p > 1e-4 {
		t.Errorf("p = %g", p)
	}
}
