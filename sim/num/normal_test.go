package num_test

import (
	"math"
	"testing"

	"achilles/sim/num"
)

func TestErfc(t *testing.T) {
	for i := -26500; i <= 26500; i++ {
		x := float64(i) / 1000
		got, want := num.Erfc(x), math.Erfc(x)
		if math.Abs(got-want) > 1e-14*want {
			t.Fatalf("Erfc(%g) = %g, want %g", x, got, want)
		}
	}
	for _, c := range []struct{ x, want float64 }{{math.Inf(1), 0}, {math.Inf(-1), 2}, {0, 1}} {
		if got := num.Erfc(c.x); got != c.want {
			t.Errorf("Erfc(%g) = %g, want %g", c.x, got, c.want)
		}
	}
	if x := num.Erfc(math.NaN()); x == x {
		t.Error("Erfc(NaN) is a number")
	}
}

func TestNormalQuantile(t *testing.T) {
	for _, c := range []struct{ p, want float64 }{ // R 4.2 qnorm, 17 digits
		{0.975, 1.959963984540054}, {0.5, 0}, {0.01, -2.3263478740408408}, {1e-10, -6.3613409024040557}, {1e-100, -21.27345356096726},
	} {
		if got := num.NormalQuantile(c.p); math.Abs(got-c.want) > 1e-13*math.Max(1, math.Abs(c.want)) {
			t.Errorf("NormalQuantile(%g) = %.17g, want %.17g", c.p, got, c.want)
		}
	}
	for p := 1e-280; p < 1; p = math.Min(p*1.37, p+0.0007) {
		if q := num.NormalCDF(num.NormalQuantile(p)); math.Abs(q-p) > 3e-13*p { // x² times the rounding error of x, for |x| < 36
			t.Fatalf("NormalCDF(NormalQuantile(%g)) = %g", p, q)
		}
	}
}

// TestNormalQuantileTails checks that the distribution function of the standard library gives the probability of every
// quantile back, even far out, and that the upper half mirrors the lower.
func TestNormalQuantileTails(t *testing.T) {
	for p := 1e-280; p < 0.5; p *= 1.7 {
		z := num.NormalQuantile(p)
		if back := 0.5 * math.Erfc(-z/math.Sqrt2); math.Abs(math.Log(back)-math.Log(p)) > 1e-12*math.Abs(math.Log(p)) {
			t.Errorf("quantile of %g is %g, where the distribution function is %g", p, z, back)
		}
		if other := num.NormalQuantile(1 - p); p > 1e-10 && other != -num.NormalQuantile(1-(1-p)) {
			t.Errorf("quantiles of %g and its complement are %g and %g", p, z, other)
		}
	}
}
