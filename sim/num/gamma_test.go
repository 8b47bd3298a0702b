package num_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"achilles/sim/num"
)

// closeTo returns whether |a−b| ≤ rel·max(|a|, |b|) or |a−b| ≤ abs.
func closeTo(a, b, rel, abs float64) bool {
	return math.Abs(a-b) <= math.Max(abs, rel*math.Max(math.Abs(a), math.Abs(b)))
}

func TestLogGamma(t *testing.T) {
	for x := 1e-8; x < 1e6; x *= 1.07 {
		want, _ := math.Lgamma(x)
		if got := num.LogGamma(x); !closeTo(got, want, 4e-15, 1e-14) {
			t.Errorf("LogGamma(%g) = %.17g, want %.17g", x, got, want)
		}
	}
	if !math.IsInf(num.LogGamma(0), 1) || !math.IsNaN(num.LogGamma(-1)) || !math.IsNaN(num.Digamma(0)) {
		t.Error("edges of LogGamma and Digamma")
	}
}

// TestDigamma checks ψ(1) = −γ (Euler's constant), ψ(2x) = ½ψ(x) + ½ψ(x+½) + ln 2 and ψ(x+1) = ψ(x) + 1/x. Together
// these determine all values.
func TestDigamma(t *testing.T) {
	if got := num.Digamma(1); math.Abs(got+0.57721566490153286061) > 3e-15 {
		t.Errorf("Digamma(1) = %.17g", got)
	}
	for x := 1e-3; x < 1e5; x *= 1.07 {
		f := num.Digamma
		if got, want := f(2*x), 0.5*f(x)+0.5*f(x+0.5)+math.Ln2; !closeTo(got, want, 4e-15, 4e-15) {
			t.Errorf("Digamma(%g) = %.17g, by duplication %.17g", 2*x, got, want)
		}
		if got, want := f(x+1), f(x)+1/x; !closeTo(got, want, 4e-15, 4e-15*math.Max(1, 1/x)) {
			t.Errorf("Digamma(%g) = %.17g, by recurrence %.17g", x+1, got, want)
		}
	}
}

func TestTails(t *testing.T) {
	for _, a := range []float64{0.05, 0.5, 1, 2.5, 10, 300} {
		for _, x := range []float64{1e-6, 0.01, 0.5, 1, 2, 9, 30, 310} {
			p, q := num.GammaTails(a, x)
			if !closeTo(p, mathext.GammaIncReg(a, x), 2e-13, 0) || !closeTo(q, mathext.GammaIncRegComp(a, x), 2e-12, 1e-300) {
				t.Errorf("GammaTails(%g, %g) = %g, %g, want %g, %g", a, x, p, q, mathext.GammaIncReg(a, x), mathext.GammaIncRegComp(a, x))
			}
		}
		for _, b := range []float64{0.05, 0.7, 1, 3, 40} {
			for _, x := range []float64{1e-6, 0.02, 0.3, 0.5, 0.9, 0.9999} {
				p, q := num.BetaTails(a, b, x, 1-x)
				if want := mathext.RegIncBeta(a, b, x); !closeTo(p, want, 3e-13, 1e-290) {
					t.Errorf("BetaTails(%g, %g, %g) = %g, want %g", a, b, x, p, want)
				}
				if math.Abs(p+q-1) > 1e-14 {
					t.Errorf("BetaTails(%g, %g, %g) sum to %g", a, b, x, p+q)
				}
			}
		}
	}
}

// TestQuantiles checks LogGammaQuantile and LogitBetaQuantile against closed forms, and that the tails at the
// u-quantile are u and 1−u.
func TestQuantiles(t *testing.T) {
	us := []float64{0x1p-53, 1e-10, 1e-4, 0.1, 0.5, 0.7, 0.999, 1 - 1e-12, 1 - 0x1p-53}
	for _, u := range us {
		if got, want := num.LogGammaQuantile(u, 1), math.Log(-math.Log1p(-u)); !closeTo(got, want, 1e-13, 1e-13) {
			t.Errorf("LogGammaQuantile(%g, 1) = %g, want %g", u, got, want)
		}
		if got, want := num.LogitBetaQuantile(u, 1, 1), math.Log(u)-math.Log1p(-u); !closeTo(got, want, 1e-13, 1e-13) {
			t.Errorf("LogitBetaQuantile(%g, 1, 1) = %g, want %g", u, got, want)
		}
		if got, x := num.LogitBetaQuantile(u, 3, 1), math.Cbrt(u); u < 0.9 && !closeTo(got, math.Log(x/(1-x)), 1e-13, 1e-13) {
			t.Errorf("LogitBetaQuantile(%g, 3, 1) = %g, want %g", u, got, math.Log(x/(1-x)))
		}
		for _, a := range []float64{0.02, 0.3, 1, 2, 8.5, 60, 2000} {
			x := math.Exp(num.LogGammaQuantile(u, a))
			p, q := num.GammaTails(a, x)
			if x > 1e-300 && (!closeTo(p, u, 1e-12*(1+a), 0) || !closeTo(q, 1-u, 1e-12*(1+a), 1e-15)) {
				t.Errorf("GammaTails(%g) at the quantile of %g = %g, %g", a, u, p, q)
			}
			for _, b := range []float64{0.02, 0.3, 1, 1 + 1e-12, 5, 70} { // b = 1 has a closed form, 1 + 1e−12 has none
				l := num.LogitBetaQuantile(u, a, b)
				p, q := num.BetaTails(a, b, 1/(1+math.Exp(-l)), 1/(1+math.Exp(l)))
				if math.Abs(l) < 690 && (!closeTo(p, u, 1e-11, 0) || !closeTo(q, 1-u, 1e-11, 1e-15)) {
					t.Errorf("BetaTails(%g, %g) at the quantile of %g = %g, %g", a, b, u, p, q)
				}
			}
		}
	}
	// For very small x the distribution function is x^a/Γ(a+1), so that log u = a·log x − log Γ(a+1).
	if got, want := num.LogGammaQuantile(1e-10, 0.02), (math.Log(1e-10)+num.LogGamma(1.02))/0.02; got != want && !closeTo(got, want, 1e-13, 0) {
		t.Errorf("far gamma quantile %g, want %g", got, want)
	}
	if x := num.LogGammaQuantile(0, 1); x == x {
		t.Error("a quantile outside (0, 1) is a number")
	}
}

// TestTrigamma checks ψ′(1) = π²/6 and the zeta function of Hurwitz, which it is.
func TestTrigamma(t *testing.T) {
	if got := num.Trigamma(1); math.Abs(got-math.Pi*math.Pi/6) > 3e-15 || !math.IsNaN(num.Trigamma(0)) {
		t.Errorf("Trigamma(1) = %.17g", got)
	}
	for _, x := range []float64{1e-8, 0.01, 0.3, 1, 2.5, 7, 9.99, 10, 30, 1e4, 1e9} {
		if got, want := num.Trigamma(x), mathext.Zeta(2, x); !closeTo(got, want, 1e-14, 0) {
			t.Errorf("Trigamma(%g) = %.17g, want %.17g", x, got, want)
		}
	}
}
