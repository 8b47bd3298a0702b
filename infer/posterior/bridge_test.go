package posterior_test

import (
	"fmt"
	"math"
	"testing"

	"achilles/infer/posterior"
	"achilles/sim/rng"
)

// known is a density of independent coordinates times e^shift, so that its log evidence is shift. draw draws one
// coordinate; one is the log density of a coordinate.
type known struct {
	dim   int
	one   func(x float64) float64
	draw  func(r *rng.Rand) float64
	shift float64
}

func (k known) Dim() int { return k.dim }
func (k known) LogDensity(q, _ []float64) float64 {
	l := k.shift
	for _, x := range q {
		l += k.one(x)
	}
	return l
}

// chainDraws has draws with their log densities.
type chainDraws struct {
	q    [][][]float64
	logp [][]float64
}

func (c chainDraws) bridge(k known, proposals int, r rng.Rand) (logEvidence, standardError float64) {
	return posterior.Bridge(k, c.q, c.logp, proposals, r)
}

// sample returns autocorrelated draws: each coordinate keeps its value in the next draw with probability stay.
func (k known) sample(r *rng.Rand, chains, n int, stay float64) chainDraws {
	var d chainDraws
	for range chains {
		q := make([]float64, k.dim)
		for i := range q {
			q[i] = k.draw(r)
		}
		var c [][]float64
		var l []float64
		for range n {
			for i := range q {
				if r.Float64() >= stay {
					q[i] = k.draw(r)
				}
			}
			c = append(c, append([]float64(nil), q...))
			l = append(l, k.LogDensity(q, nil))
		}
		d.q, d.logp = append(d.q, c), append(d.logp, l)
	}
	return d
}

var targets = []struct {
	name string
	known
}{
	{"normal", known{3, func(x float64) float64 { return -x*x/2 - math.Log(2*math.Pi)/2 }, func(r *rng.Rand) float64 { return r.Norm() }, -1234.5}},
	// The log of an exponential variable.
	{"pile at a bound", known{5, func(x float64) float64 { return x - math.Exp(x) }, func(r *rng.Rand) float64 { return math.Log(r.Exp()) }, 7}},
	{"heavy tails", known{4, func(x float64) float64 { return -x - 2*math.Log1p(math.Exp(-x)) }, func(r *rng.Rand) float64 { u := r.Float64(); return math.Log(u / (1 - u)) }, 0}},
	{"two peaks", known{2, func(x float64) float64 {
		a, b := (x-3)/0.5, (x+3)/0.5
		return math.Log(0.7*math.Exp(-a*a/2)+0.3*math.Exp(-b*b/2)) - math.Log(0.5*math.Sqrt(2*math.Pi))
	}, func(r *rng.Rand) float64 {
		if r.Float64() < 0.7 {
			return 3 + 0.5*r.Norm()
		}
		return -3 + 0.5*r.Norm()
	}, 99}},
}

// TestBridgeExactEvidence checks that errors are as large as the standard errors say. Over 100 replications their mean
// square, in standard errors, must lie within 0.4 … 2: the 1e-6 points of chi-square with 100 degrees of freedom are
// 0.42 and 1.83. It also checks that the standard errors are small.
func TestBridgeExactEvidence(t *testing.T) {
	for _, c := range targets {
		t.Run(c.name, func(t *testing.T) {
			const reps = 100
			zz, largest := 0.0, 0.0
			for i := range reps {
				r := rng.Stream(1, "bridge", c.name, fmt.Sprint(i))
				value, se := c.sample(&r, 4, 400, 0.5).bridge(c.known, 1000, r)
				z := (value - c.shift) / se
				if value == c.shift {
					z = 0
				}
				zz += z * z / reps
				largest = max(largest, se)
			}
			t.Logf("errors up to %.3f, squared errors average %.2f squared standard errors", largest, zz)
			if zz > 2 || zz < 0.4 {
				t.Errorf("squared errors average %.2f squared standard errors", zz)
			}
			if largest > 0.15 {
				t.Errorf("standard errors up to %.3f", largest)
			}
		})
	}
}

func TestBridgeWithoutEstimate(t *testing.T) {
	k := targets[0].known
	r := rng.Stream(2, "none")
	still := k.sample(&r, 2, 50, 0)
	for _, c := range still.q {
		for _, q := range c {
			q[1] = 4
		}
	}
	for _, c := range []struct {
		name  string
		draws chainDraws
	}{
		{"no draws", chainDraws{}},
		{"too few", k.sample(&r, 1, 8, 0)},
		{"a coordinate that never moves", still},
	} {
		if value, se := c.draws.bridge(k, 100, r); !math.IsNaN(value) || !math.IsNaN(se) {
			t.Errorf("%s: %v ± %v, want NaN", c.name, value, se)
		}
	}
}

func TestBridgeIsDeterministic(t *testing.T) {
	k := targets[1].known
	r := rng.Stream(3, "same")
	d := k.sample(&r, 2, 100, 0.2)
	a, ase := d.bridge(k, 200, rng.Stream(4))
	b, bse := d.bridge(k, 200, rng.Stream(4))
	if a != b || ase != bse {
		t.Errorf("%v ± %v and %v ± %v from one seed", a, ase, b, bse)
	}
}

// TestBridgeUsesBothHalves checks that swapping the halves of the draws does not change the estimate. The first half is
// too narrow and the second too wide, so that fitting the mixture to one half only would depend on which half comes
// first.
func TestBridgeUsesBothHalves(t *testing.T) {
	k := targets[0].known
	r := rng.Stream(5, "halves")
	var d, swapped chainDraws
	for range 4 {
		var narrow, wide [][]float64
		for range 300 {
			a, b := make([]float64, k.dim), make([]float64, k.dim)
			for i := range a {
				a[i], b[i] = 0.5*r.Norm(), 2*r.Norm()
			}
			narrow, wide = append(narrow, a), append(wide, b)
		}
		for _, c := range []struct {
			to   *chainDraws
			from [][]float64
		}{{&d, append(narrow, wide...)}, {&swapped, append(wide[:len(wide):len(wide)], narrow...)}} {
			var l []float64
			for _, q := range c.from {
				l = append(l, k.LogDensity(q, nil))
			}
			c.to.q, c.to.logp = append(c.to.q, c.from), append(c.to.logp, l)
		}
	}
	a, ase := d.bridge(k, 40_000, rng.Stream(6))
	b, bse := swapped.bridge(k, 40_000, rng.Stream(7))
	if z := (a - b) / math.Hypot(ase, bse); !(math.Abs(z) < 5) {
		t.Errorf("%.3f ± %.3f, and %.3f ± %.3f with the halves swapped", a, ase, b, bse)
	}
	t.Logf("%.3f ± %.3f, %.3f ± %.3f", a, ase, b, bse)
}
