package num_test

import (
	"math"
	"testing"

	"achilles/sim/num"
)

// TestAgainstMath compares Exp, Expm1, Log and Log1p with the standard library, on a grid that meets every exponent of
// a floating-point number.
func TestAgainstMath(t *testing.T) {
	rel := func(a, b float64) float64 {
		if a == b || a != a && b != b {
			return 0
		}
		return math.Abs(a-b) / math.Max(math.Abs(b), 1e-300)
	}
	for i := -80000; i <= 80000; i++ {
		x := float64(i) * 0.0099
		if e := rel(num.Exp(x), math.Exp(x)); e > 1e-15 && math.Abs(x) < 700 {
			t.Fatalf("Exp(%g): relative error %g", x, e)
		}
		each := []float64{x}
		if num.ExpEach(each); rel(each[0], math.Exp(x)) > 1e-15 && math.Abs(x) < 700 {
			t.Fatalf("ExpEach(%g) = %g, and math.Exp is %g", x, each[0], math.Exp(x))
		}
		if e := rel(num.Expm1(x/100), math.Expm1(x/100)); e > 4e-15 {
			t.Fatalf("Expm1(%g): relative error %g", x/100, e)
		}
		y := math.Exp(x)
		if e := math.Abs(num.Log(y) - math.Log(y)); e > 1e-15*math.Max(1, math.Abs(x)) && y > 0x1p-1022 && !math.IsInf(y, 0) {
			t.Fatalf("Log(%g): error %g", y, e)
		}
		if p := num.Log1p(y - 1); y < 1e300 && math.Abs(p-math.Log1p(y-1)) > 4e-15*math.Max(math.Abs(x), 1e-10) && y > 1e-300 {
			t.Fatalf("Log1p(%g) = %g", y-1, p)
		}
	}
}

func TestEdges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"exp −∞", num.Exp(-inf), 0}, {"exp ∞", num.Exp(inf), inf}, {"exp NaN", num.Exp(nan), nan},
		{"exp 0", num.Exp(0), 1}, {"exp 710", num.Exp(710), inf}, {"exp −746", num.Exp(-746), 0},
		{"log 0", num.Log(0), -inf}, {"log −1", num.Log(-1), nan}, {"log ∞", num.Log(inf), inf}, {"log 1", num.Log(1), 0},
		{"log1p −1", num.Log1p(-1), -inf}, {"log1p tiny", num.Log1p(1e-300), 1e-300},
		{"logistic ∞", num.Logistic(inf), 1}, {"logistic −∞", num.Logistic(-inf), 0}, {"logistic 0", num.Logistic(0), 0.5},
		{"softplus −∞", num.Softplus(-inf), 0}, {"softplus ∞", num.Softplus(inf), inf},
		{"logaddexp", num.LogAddExp(-inf, -inf), -inf}, {"logsumexp of none", num.LogSumExp(nil), -inf},
	} {
		if c.got != c.want && !(c.got != c.got && c.want != c.want) {
			t.Errorf("%s = %g, want %g", c.name, c.got, c.want)
		}
	}
	for _, x := range []float64{-inf, inf, nan, 0, 710, -746, 705, -720} {
		each := []float64{x}
		if num.ExpEach(each); each[0] != num.Exp(x) && x == x || x != x && each[0] == each[0] {
			t.Errorf("ExpEach(%g) = %g, want %g", x, each[0], num.Exp(x))
		}
	}
	// The logarithm of 2^-1060 is exactly −1060·ln 2; math.Log itself is wrong for subnormals on amd64.
	if x := num.Log(0x1p-1060); math.Abs(x+1060*math.Ln2) > 1e-12 {
		t.Errorf("log of a subnormal = %g, want %g", x, -1060*math.Ln2)
	}
}

// TestLogProduct compares LogProduct with the sum of logarithms, for products that would underflow or overflow.
func TestLogProduct(t *testing.T) {
	for _, c := range []struct {
		name  string
		x     float64
		n     int
		scale float64 // factor from one number to the next
	}{
		{"none", 1, 0, 1}, {"few", 0.3, 7, 1.5}, {"one block", 0.3, 8, 1.5}, {"probabilities", 0.9, 1003, 0.999},
		{"tiny", 1e-200, 21, 0.5}, {"large", 1e200, 21, 2}, {"subnormal", 0x1p-1060, 9, 1}, {"a tiny one among large ones", 1e300, 8, 1e-90},
	} {
		var xs []float64
		want, size := 0.0, 1.0
		for x := c.x; len(xs) < c.n; x *= c.scale {
			xs = append(xs, x)
			want += num.Log(x)
			size += math.Abs(num.Log(x))
		}
		if got := num.LogProduct(xs); math.Abs(got-want) > 1e-15*size {
			t.Errorf("%s: %.17g, want %.17g", c.name, got, want)
		}
	}
	for _, c := range []struct {
		at   int
		x    float64
		want float64
	}{{3, 0, math.Inf(-1)}, {9, 0, math.Inf(-1)}, {3, math.NaN(), math.NaN()}, {9, math.NaN(), math.NaN()}, {3, math.Inf(1), math.Inf(1)}} {
		xs := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
		xs[c.at] = c.x
		if got := num.LogProduct(xs); got != c.want && !(got != got && c.want != c.want) {
			t.Errorf("with %g at %d: %g, want %g", c.x, c.at, got, c.want)
		}
	}
}
