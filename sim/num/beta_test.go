package num_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"achilles/sim/num"
	"achilles/sim/rng"
)

func near(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if !(math.Abs(got-want) <= rel*max(math.Abs(want), 1e-6)) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

// TestClosedForms checks distribution functions and quantiles against closed forms and printed values.
func TestClosedForms(t *testing.T) {
	for _, x := range []float64{0.001, 0.1, 0.5, 0.9, 0.999} {
		near(t, "uniform", num.BetaCDF(x, 1, 1), x, 1e-12)
		near(t, "Beta(2, 1)", num.BetaCDF(x, 2, 1), x*x, 1e-12)
		near(t, "Beta(1, 3)", num.BetaCDF(x, 1, 3), 1-math.Pow(1-x, 3), 1e-12)
		near(t, "arcsine", num.BetaCDF(x, 0.5, 0.5), 2/math.Pi*math.Asin(math.Sqrt(x)), 1e-12)
		near(t, "Cauchy", num.StudentTQuantile(x, 1), math.Tan(math.Pi*(x-0.5)), 1e-11)
	}
	near(t, "median of t", num.StudentTQuantile(0.5, 7), 0, 1e-15)
	near(t, "zero errors of 6 at 0.25", num.BetaQuantile(0.75, 1, 6), 1-math.Pow(0.25, 1.0/6), 1e-12) // U(0, 6) = 0.206 in Quinlan (1993)
	near(t, "t, 9 df", num.StudentTQuantile(0.975, 9), 2.2621571627, 1e-9)                            // any printed table
	low, high := num.WilsonInterval(8, 10, 0.95)
	near(t, "Wilson low", low, 0.4901625, 1e-6) // Newcombe (1998) gives .490 and .943
	near(t, "Wilson high", high, 0.9433178, 1e-6)
}

func TestDistributionEdges(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"below", num.BetaCDF(-1, 2, 3), 0},
		{"above", num.BetaCDF(2, 2, 3), 1},
		{"quantile of 0", num.BetaQuantile(0, 2, 3), 0},
		{"quantile of 1", num.BetaQuantile(1, 2, 3), 1},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	if low, high := num.WilsonInterval(0, 0, 0.95); low != 0 || high != 1 {
		t.Errorf("no trials: [%v, %v]", low, high)
	}
	for name, f := range map[string]func(){
		"parameter": func() { num.BetaCDF(0.5, 0, 1) }, "probability": func() { num.BetaQuantile(2, 1, 1) },
		"unbounded": func() { num.StudentTQuantile(1, 3) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// TestAgainstGonum compares the beta distribution and the quantiles of Student's t distribution with package gonum. The
// parameters are those that numbers of trials give: e^−1 to e^7 for beta, e^0 to e^6 degrees of freedom for t.
func TestAgainstGonum(t *testing.T) {
	r := rng.Stream(1, "dist")
	for range 500 {
		a, b, x := math.Exp(8*r.Float64()-1), math.Exp(8*r.Float64()-1), r.Float64()
		if r.Bernoulli(0.5) { // near the mean, where the result is neither 0 nor 1
			x = min(max(a/(a+b)+0.1*r.Norm(), 1e-6), 1-1e-6)
		}
		want := mathext.RegIncBeta(a, b, x)
		if got := num.BetaCDF(x, a, b); math.Abs(got-want) > 1e-9 {
			t.Errorf("Beta(%g, %g, %g) = %.12g, want %.12g", x, a, b, got, want)
		}
		if p := want; p > 1e-6 && p < 1-1e-6 {
			if got := num.BetaCDF(num.BetaQuantile(p, a, b), a, b); math.Abs(got-p) > 1e-9 {
				t.Errorf("quantile of %g in Beta(%g, %g) does not come back: %g", p, a, b, got)
			}
		}
		df, q := math.Exp(6*r.Float64()), r.Float64()
		want = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(q)
		near(t, "t quantile", num.StudentTQuantile(q, df), want, 1e-7)
	}
}
