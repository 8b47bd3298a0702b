package elem_test

import (
	"math"
	"testing"

	"achilles/sim/elem"
)

// ulp bounds against the standard library, over a grid dense enough to meet every exponent.
func TestAgainstMath(t *testing.T) {
	rel := func(a, b float64) float64 {
		if a == b || a != a && b != b {
			return 0
		}
		return math.Abs(a-b) / math.Max(math.Abs(b), 1e-300)
	}
	for i := -80000; i <= 80000; i++ {
		x := float64(i) * 0.0099
		if e := rel(elem.Exp(x), math.Exp(x)); e > 1e-15 && math.Abs(x) < 700 {
			t.Fatalf("Exp(%g): relative error %g", x, e)
		}
		if e := rel(elem.Expm1(x/100), math.Expm1(x/100)); e > 4e-15 {
			t.Fatalf("Expm1(%g): relative error %g", x/100, e)
		}
		y := math.Exp(x)
		if e := math.Abs(elem.Log(y) - math.Log(y)); e > 1e-15*math.Max(1, math.Abs(x)) && y > 0x1p-1022 && !math.IsInf(y, 0) {
			t.Fatalf("Log(%g): error %g", y, e)
		}
		if p := elem.Log1p(y - 1); y < 1e300 && math.Abs(p-math.Log1p(y-1)) > 4e-15*math.Max(math.Abs(x), 1e-10) && y > 1e-300 {
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
		{"exp −∞", elem.Exp(-inf), 0}, {"exp ∞", elem.Exp(inf), inf}, {"exp NaN", elem.Exp(nan), nan},
		{"exp 0", elem.Exp(0), 1}, {"exp 710", elem.Exp(710), inf}, {"exp −746", elem.Exp(-746), 0},
		{"log 0", elem.Log(0), -inf}, {"log −1", elem.Log(-1), nan}, {"log ∞", elem.Log(inf), inf}, {"log 1", elem.Log(1), 0},
		{"log1p −1", elem.Log1p(-1), -inf}, {"log1p tiny", elem.Log1p(1e-300), 1e-300},
		{"logistic ∞", elem.Logistic(inf), 1}, {"logistic −∞", elem.Logistic(-inf), 0}, {"logistic 0", elem.Logistic(0), 0.5},
		{"softplus −∞", elem.Softplus(-inf), 0}, {"softplus ∞", elem.Softplus(inf), inf},
		{"logaddexp", elem.LogAddExp(-inf, -inf), -inf}, {"logsumexp of none", elem.LogSumExp(nil), -inf},
	} {
		if c.got != c.want && !(c.got != c.got && c.want != c.want) {
			t.Errorf("%s = %g, want %g", c.name, c.got, c.want)
		}
	}
	// ln(2^-1060) by hand; math.Log itself is wrong for subnormals on amd64.
	if x := elem.Log(0x1p-1060); math.Abs(x+1060*math.Ln2) > 1e-12 {
		t.Errorf("log of a subnormal = %g, want %g", x, -1060*math.Ln2)
	}
}
