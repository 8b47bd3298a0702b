package nuts_test

import (
	"math"
	"testing"

	"achilles/infer/nuts"
	"achilles/sim/rng"
)

// TestDividedStepsBalance checks, of steps near a wall, that a step leads back from where it has led with a probability that is e^tilt times that
// of the way there, and never where it is uneven. Probabilities are shares of 600 steps each: 0.2, 0.8 or 1, and tilts are 0
// or ±1.39.
func TestDividedStepsBalance(t *testing.T) {
	r := rng.Stream(1, "balance")
	h := nuts.NewHamiltonian(wall{}, nuts.Identity(2))
	h.SetStep(0.5)
	h.Refine(0.5, &r)
	const tries = 600
	divided, tilted, uneven := 0, 0, 0
	for range 60 {
		from := nuts.NewState(2)
		from.Set([]float64{0.3*r.Norm() - 0.2, r.Norm()}, []float64{r.Norm(), r.Norm()}, 0)
		h.Evaluate(&from)
		for y, n := range reached(h, &from, 1, tries) {
			back := 0
			for z, n := range reached(h, &y.state, -1, tries) {
				if near(z.state.Position(), from.Position()) && near(z.state.Momentum(), from.Momentum()) {
					back += n
				}
			}
			if back != n {
				divided++
			}
			if y.uneven {
				if uneven++; back > 0 {
					t.Fatalf("from %g: a step that is called uneven can be taken back", from.Position())
				}
				continue
			}
			if y.tilt != 0 {
				tilted++
			}
			if got := math.Log(float64(back) / float64(n)); !(math.Abs(got-y.tilt) < 0.6) { // a share of 0.2 has a standard error of 8 %
				t.Errorf("from %g to %g: %d of %d steps lead there, and %d back; tilt %.2f", from.Position(), y.state.Position(), n, tries, back, y.tilt)
			}
		}
	}
	t.Logf("of steps there, %d are taken back by another share, %d are tilted, %d uneven", divided, tilted, uneven)
	if tilted < 4 || uneven < 4 {
		t.Error("too few steps to tell")
	}
}

// An arrival is where a step has led.
type arrival struct {
	state  nuts.State
	tilt   float64
	uneven bool
}

// reached returns where steps from a state lead, and how often. Steps that do not lead anywhere are left out.
func reached(h *nuts.Hamiltonian, from *nuts.State, direction float64, tries int) map[*arrival]int {
	out := map[*arrival]int{}
next:
	for range tries {
		z := nuts.NewState(2)
		z.Copy(from)
		z.Level()
		h.Leapfrog(&z, direction)
		tilt, uneven := z.Tilt()
		if math.IsNaN(z.Energy()) && !uneven {
			return out // so is every other
		}
		for y := range out {
			if near(y.state.Position(), z.Position()) && near(y.state.Momentum(), z.Momentum()) {
				out[y]++
				continue next
			}
		}
		if uneven {
			h.Evaluate(&z)
		}
		out[&arrival{z, tilt, uneven}] = 1
	}
	return out
}

func near(a, b []float64) bool {
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= 1e-7*(1+math.Abs(a[i]))) {
			return false
		}
	}
	return true
}
