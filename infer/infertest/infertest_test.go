package infertest_test

import (
	"fmt"
	"math"
	"testing"

	"achilles/infer/infertest"
	"achilles/sim/rng"
)

// A recorder stands for a test and records its failures.
type recorder struct{ failures []string }

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

// wavy has log density Σ sin(q_i)·q_{i+1}. The first entry of its gradient is multiplied by factor; 1 is right.
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
	infertest.CheckMeans(&r, q, []infertest.Reference{{"a", 0.3, 0.001}, {"b", 3, 0}}) // 0.3 is 13 standard errors
	if len(r.failures) != 1 {
		t.Errorf("a reference 0.3 away gave failures %v", r.failures)
	}
	for i := range q[1][3] {
		q[1][3][i] += 5
	}
	r = recorder{}
	infertest.CheckMeans(&r, q[1:], []infertest.Reference{{"b", 4.25, 0}})
	if len(r.failures) != 2 { // of R-hat and of ESS; the mean is within its standard error, which is rightly large
		t.Errorf("a chain that stands apart gave failures %v", r.failures)
	}
}
