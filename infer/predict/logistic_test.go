package predict_test

import (
	"math"
	"testing"

	"achilles/infer/predict"
	"achilles/sim/rng"
)

// TestLogisticIsAtItsMinimum checks that, at the fitted coefficients, the objective has no slope in any direction
// (central differences), and that it is larger at random points nearby.
func TestLogisticIsAtItsMinimum(t *testing.T) {
	for s := range 20 {
		r := rng.Stream(uint64(s), "logistic")
		tb, _ := simulated(&r, 6, 30)
		o := predict.DefaultLogistic("logistic", []string{"x", "side"})
		o.Penalties, o.Slopes = []float64{0.5}, []float64{2}
		if s%2 == 1 {
			o.Slopes[0] = math.Inf(1)
		}
		f, at := predict.Objective(o, tb, fit(t, o, tb))
		least := f(at)
		for k := range at {
			const h = 1e-4
			keep := at[k]
			at[k] = keep + h
			up := f(at)
			at[k] = keep - h
			down := f(at)
			at[k] = keep
			if g := (up - down) / (2 * h); math.Abs(g) > 1e-4 {
				t.Errorf("seed %d: slope %v in coefficient %d", s, g, k)
			}
		}
		for range 20 {
			x := append([]float64(nil), at...)
			for k := range x {
				x[k] += 0.1 * r.Norm()
			}
			if f(x) < least {
				t.Errorf("seed %d: a better point", s)
			}
		}
	}
}

// TestLogisticLimits checks two limits without features. With a heavy penalty, every prediction is the success rate of
// all responses; with almost none, it is the subject's success rate.
func TestLogisticLimits(t *testing.T) {
	r := rng.Stream(1, "logistic", "limits")
	tb, _ := simulated(&r, 5, 40)
	o := predict.DefaultLogistic("logistic", nil)
	o.Slopes = []float64{math.Inf(1)}
	for _, c := range []struct {
		penalty float64
		want    predict.Predictor
	}{{1e9, predict.Global{}}, {1e-7, predict.Subject{}}} {
		o.Penalties = []float64{c.penalty}
		got, want := all(tb, fit(t, o, tb)), all(tb, fit(t, c.want, tb))
		for i := range got {
			if math.Abs(got[i]-want[i]) > 1e-4 {
				t.Fatalf("penalty %g, row %d: %v, want %v (%s)", c.penalty, i, got[i], want[i], c.want.Name())
			}
		}
	}
}

// TestLogisticTuning checks that cross-validation does not choose penalties which are too heavy to learn anything.
func TestLogisticTuning(t *testing.T) {
	r := rng.Stream(2, "logistic", "tuning")
	tb, _ := simulated(&r, 10, 60)
	o := predict.DefaultLogistic("logistic", []string{"x", "side"})
	o.Penalties, o.Slopes = []float64{1e6, 1, 1e5}, []float64{2}
	got := all(tb, fit(t, o, tb))
	o.Penalties, o.Slopes = []float64{1}, []float64{2}
	for i, want := range all(tb, fit(t, o, tb)) {
		if got[i] != want {
			t.Fatalf("row %d: %v, want %v", i, got[i], want)
		}
	}
}
