package format_test

import (
	"math"
	"testing"

	"achilles/render/format"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		x        float64
		decimals int
		want     string
	}{{-0.0001, 2, "0.00"}, {-1.5, 1, "−1.5"}, {math.NaN(), 1, "–"}, {math.Inf(1), 1, "–"}} {
		if got := format.Number(c.x, c.decimals); got != c.want {
			t.Errorf("%v is %q, want %q", c.x, got, c.want)
		}
	}
	if a, b := format.MeanSD(50.312, 12.34); a != "50" || b != "12" {
		t.Errorf("50.312 ± 12.34 is %s ± %s", a, b)
	}
	if a, b := format.MeanSD(4.7712, 0.02713); a != "4.771" || b != "0.027" {
		t.Errorf("4.7712 ± 0.02713 is %s ± %s", a, b)
	}
}

func TestShort(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 12.345: "12.3", -0.00012345: "−0.000123", 0.25: "0.25", 32: "32"} {
		if got := format.Short(x); got != want {
			t.Errorf("%g is written %q, want %q", x, got, want)
		}
	}
}

func TestApart(t *testing.T) {
	for _, c := range []struct {
		x, y       float64
		one, other string
	}{{2.1, 0.8, "2.1", "0.8"}, {68.42, 68.39, "68.42", "68.39"}, {5, 5, "5", "5"}, {-0.12345, -0.12349, "−0.12345", "−0.12349"}} {
		if a, b := format.Apart(c.x, c.y); a != c.one || b != c.other {
			t.Errorf("%g and %g are written %q and %q", c.x, c.y, a, b)
		}
	}
}

func TestPValue(t *testing.T) {
	for _, c := range []struct {
		p        float64
		decimals int
		want     string
	}{{0, 4, "<0.0001"}, {3e-7, 3, "<0.001"}, {0.00049, 3, "<0.001"}, {0.0005, 3, "0.001"}, {0.0312, 3, "0.031"}, {1, 4, "1.0000"}, {math.NaN(), 3, "–"}} {
		if got := format.PValue(c.p, c.decimals); got != c.want {
			t.Errorf("p-value %g is written %q, want %q", c.p, got, c.want)
		}
	}
}
