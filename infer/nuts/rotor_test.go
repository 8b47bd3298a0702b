package nuts_test

import (
	"context"
	"math"
	"testing"

	"achilles/infer/nuts"
	"achilles/sim/rng"
)

// shifted is a target moved by offset.
type shifted struct {
	nuts.Target
	offset float64
}

func (s shifted) LogDensity(q, grad []float64) float64 {
	at := make([]float64, len(q))
	for i, x := range q {
		at[i] = x - s.offset
	}
	return s.Target.LogDensity(at, grad)
}

// TestRotorIsExact checks that the longest steps of a rotor, which longer ones are cut to, conserve the energy of the normal density that
// it describes, and lead half around it in three.
func TestRotorIsExact(t *testing.T) {
	h := nuts.NewHamiltonian(shifted{normalPair(0.01, 10, 0.99), 7}, covarianceOf(0.01, 10, 0.99))
	h.TurnAround([]float64{7, 7})
	h.SetStep(100)
	if h.Step() != math.Pi/3 {
		t.Errorf("step %g, want π/3", h.Step())
	}
	rng := rng.Stream(1, "rotor")
	z := nuts.NewState(2)
	start := []float64{7 + 0.01*rng.Norm(), 7 + 10*rng.Norm()}
	z.Set(start, []float64{rng.Norm(), rng.Norm()}, 0)
	h.Evaluate(&z)
	h.Centre(&z)
	energy := z.Energy()
	for range 3 {
		h.Leapfrog(&z, 1)
		if !(math.Abs(z.Energy()-energy) <= 1e-9) {
			t.Errorf("energy %g, want %g", z.Energy(), energy)
		}
	}
	for k, q := range z.Position() {
		if want := 14 - start[k]; !(math.Abs(q-want) <= 1e-9) {
			t.Errorf("half a turn leads from %v to %v", start, z.Position())
		}
	}
}

// covarianceOf returns the metric of normalPair.
func covarianceOf(a, b, rho float64) nuts.Pushes {
	m, ok := nuts.Cholesky([]float64{a * a, rho * a * b, b * b})
	if !ok {
		panic("no covariance")
	}
	return m
}

// TestRotorLaws checks that a trajectory of a rotor that does not describe the target returns to its start when it is run backwards, and
// that the energy error falls with the square of the step, under both metrics.
func TestRotorLaws(t *testing.T) {
	lower, _ := nuts.Cholesky([]float64{2, 0.7, 1.5, -0.3, 0.2, 0.8})
	for root := range uint64(100) {
		h := nuts.NewHamiltonian(tilted, lower)
		if root%2 == 1 {
			h = nuts.NewHamiltonian(tilted, nuts.Identity(3))
		}
		h.TurnAround([]float64{0.3, -0.4, 0.1})
		leapfrogLaws(t, h, rng.Stream(root, "rotor"), root)
	}
}

// TestRotorTakesFewSteps checks that a chain on a normal density with a rotor takes three gradients for a draw, that one on a density with
// cliffs gives its rotor up, and that in many dimensions there is none.
func TestRotorTakesFewSteps(t *testing.T) {
	for _, c := range []struct {
		name   string
		target nuts.Target
		turns  bool
	}{{"normal", unit(4), true}, {"box", box{}, false}, {"many", unit(9), false}} {
		conf := nuts.Default()
		dim := c.target.Dim()
		conf.Warmup, conf.KeepMetric, conf.Guess = 100, true, rough(dim)
		start := make([]float64, dim)
		for i := range start {
			start[i] = 0.5
		}
		s, err := nuts.Start(context.Background(), c.target, start, conf, rng.Stream(1, "rotor", c.name))
		if err != nil {
			t.Fatal(err)
		}
		if s.Turns() != c.turns {
			t.Errorf("%s: a rotor: %v, want %v", c.name, s.Turns(), c.turns)
		}
		if err := s.Draw(context.Background(), 1000); err != nil {
			t.Fatal(err)
		}
		if each := float64(s.Chain().Gradients) / 1000; c.turns && each > 3.3 {
			t.Errorf("%s: %.2f gradients a draw, want 3", c.name, each)
		}
	}
}

// rough returns positions that are distributed only roughly like a standard normal density, around 0.3 in every coordinate.
func rough(dim int) [][]float64 {
	rng := rng.Stream(1, "rough")
	out := make([][]float64, 200)
	for i := range out {
		for range dim {
			out[i] = append(out[i], 0.3+rng.Norm())
		}
	}
	return out
}
