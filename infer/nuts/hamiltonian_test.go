package nuts_test

import (
	"math"
	"testing"

	"achilles/infer/nuts"
	"achilles/sim/rng"
)

// gauss is a normal density with the given precision matrix and mean 0.
type gauss struct{ precision [][]float64 }

func (g gauss) Dim() int { return len(g.precision) }

func (g gauss) LogDensity(q, grad []float64) float64 {
	lp := 0.0
	for i, row := range g.precision {
		grad[i] = 0
		for j, a := range row {
			grad[i] -= a * q[j]
		}
		lp += 0.5 * q[i] * grad[i]
	}
	return lp
}

var tilted = gauss{[][]float64{{2, -1.2, 0}, {-1.2, 1, 0.1}, {0, 0.1, 3}}}

// TestLeapfrogByHand checks one step of the unit oscillator from q = 1, p = 0 with step 1/2. The half kick gives p =
// −1/4, the drift q = 7/8, and the other half kick p = −1/4 − 7/32 = −15/32.
func TestLeapfrogByHand(t *testing.T) {
	h := nuts.NewHamiltonian(gauss{[][]float64{{1}}}, nuts.Identity(1))
	h.SetStep(0.5)
	z := nuts.NewState(1)
	z.Set([]float64{1}, []float64{0}, 0)
	h.Evaluate(&z)
	h.Leapfrog(&z, 1)
	if z.Position()[0] != 7./8 || z.Momentum()[0] != -15./32 {
		t.Errorf("q = %g, p = %g; want 7/8 and −15/32", z.Position()[0], z.Momentum()[0])
	}
}

// TestLeapfrogLaws checks that a trajectory run backwards returns to its start, and that the energy error falls with the
// square of the step.
func TestLeapfrogLaws(t *testing.T) {
	lower, ok := nuts.Cholesky([]float64{2, 0.7, 1.5, -0.3, 0.2, 0.8})
	if !ok {
		t.Fatal("positive definite matrix refused")
	}
	for root := range uint64(100) {
		leapfrogLaws(t, nuts.NewHamiltonian(tilted, lower), rng.Stream(root, "leapfrog"), root)
	}
}

// leapfrogLaws checks both laws for a trajectory of h from a random place.
func leapfrogLaws(t *testing.T, h *nuts.Hamiltonian, rng rng.Rand, root uint64) {
	t.Helper()
	var worst [2]float64
	for i, step := range []float64{0.02, 0.01} {
		rng := rng
		h.SetStep(step)
		z := nuts.NewState(3)
		q0 := []float64{rng.Norm(), rng.Norm(), rng.Norm()}
		z.Set(q0, []float64{rng.Norm(), rng.Norm(), rng.Norm()}, 0)
		h.Evaluate(&z)
		h.Centre(&z)
		start := z.Energy()
		n := int(1 / step)
		for range n {
			h.Leapfrog(&z, 1)
			worst[i] = math.Max(worst[i], math.Abs(z.Energy()-start))
		}
		for range n {
			h.Leapfrog(&z, -1)
		}
		for k, q := range z.Position() {
			if math.Abs(q-q0[k]) > 1e-9 {
				t.Errorf("seed %d: returned to %v, not %v", root, z.Position(), q0)
			}
		}
	}
	if ratio := worst[0] / worst[1]; ratio < 3 || ratio > 5 {
		t.Errorf("seed %d: halving the step divides the energy error by %.2f, want 4", root, ratio)
	}
}

func TestBrokenTargets(t *testing.T) {
	for _, c := range []struct {
		name      string
		lp, slope float64
		ok        bool
	}{
		{"fine", 0, 1, true}, {"outside", math.Inf(-1), math.NaN(), true}, {"undefined", math.NaN(), 1, true},
		{"infinite density", math.Inf(1), 1, false}, {"gradient NaN", 0, math.NaN(), true}, {"gradient infinite", 0, math.Inf(-1), true},
	} {
		h := nuts.NewHamiltonian(fixed{c.lp, c.slope}, nuts.Identity(1))
		z := nuts.NewState(1)
		if got := h.Evaluate(&z); got != c.ok {
			t.Errorf("%s: evaluate reports %v, want %v", c.name, got, c.ok)
		}
		if fine := !math.IsNaN(z.Energy()) && !math.IsInf(z.Energy(), 0); fine != (c.name == "fine") {
			t.Errorf("%s: energy %g", c.name, z.Energy())
		}
	}
}

type fixed struct{ lp, slope float64 }

func (f fixed) Dim() int { return 1 }
func (f fixed) LogDensity(_, grad []float64) float64 {
	grad[0] = f.slope
	return f.lp
}
