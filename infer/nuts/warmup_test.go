package nuts_test

import (
	"math"
	"slices"
	"testing"

	"achilles/infer/nuts"
	"achilles/sim/rng"
)

func TestSchedule(t *testing.T) {
	for _, c := range []struct {
		warmup, first int
		ends          []int
		why           string
	}{
		{0, 0, nil, "nothing to learn"},
		{10, 10, nil, "too short for a variance"},
		{20, 3, []int{15}, "one window"},
		{100, 15, []int{75}, "25 would leave no room for 50: one window"},
		{200, 30, []int{55, 150}, "25, then 95: a window of 50 would leave no room for one of 100"},
		{300, 45, []int{70, 120, 250}, "25, 50, then 130"},
		{400, 60, []int{85, 135, 350}, "25, 50, then 215"},
		{1000, 75, []int{100, 150, 250, 450, 950}, "Stan's own"},
		{5000, 75, []int{100, 150, 250, 450, 850, 1650, 4950}, "doubling on"},
	} {
		first, ends := nuts.Schedule(c.warmup)
		if first != c.first || !slices.Equal(ends, c.ends) {
			t.Errorf("warm-up %d (%s): first %d, ends %v; want %d, %v", c.warmup, c.why, first, ends, c.first, c.ends)
		}
	}
	for warmup := range 1500 {
		learnt, closed := 0, 0
		for i := range warmup {
			l, c := nuts.ScheduleAt(warmup, i)
			if l {
				learnt++
			}
			if c {
				closed++
				if !l {
					t.Fatalf("warm-up %d: draw %d closes a window it is not in", warmup, i)
				}
			}
		}
		first, ends := nuts.Schedule(warmup)
		if closed != len(ends) || closed > 0 && learnt != ends[len(ends)-1]-first {
			t.Fatalf("warm-up %d: %d draws learnt, %d windows closed; first %d, ends %v", warmup, learnt, closed, first, ends)
		}
	}
}

// TestDualAverageFindsTheGoal checks the step size for an acceptance of e^(−step²) plus noise. The acceptance is 0.8 at
// the step √(−ln 0.8).
func TestDualAverageFindsTheGoal(t *testing.T) {
	for _, first := range []float64{1e-4, 0.1, 1, 50} {
		rng := rng.Stream(1, "goal")
		d := nuts.NewDualAverage(0.8, first)
		step := first
		for range 2000 {
			step = d.Learn(math.Min(1, math.Max(0, math.Exp(-step*step)+0.1*rng.Norm())))
		}
		if got, want := d.Settled(0), math.Sqrt(-math.Log(0.8)); math.Abs(got/want-1) > 0.05 {
			t.Errorf("from %g the step settles at %g, want %g", first, got, want)
		}
	}
	if got := nuts.NewDualAverage(0.8, 0.3).Settled(0.3); got != 0.3 {
		t.Errorf("before anything was learnt the step is %g, want the first guess 0.3", got)
	}
}

// TestGuessStep checks that for a normal density of standard deviation s the step is of the order of s, from any first
// step.
func TestGuessStep(t *testing.T) {
	for _, sd := range []float64{1e-5, 1, 1e5} {
		for _, first := range []float64{1e-3, 1, 1e3} {
			h := nuts.NewHamiltonian(gauss{[][]float64{{1 / sd / sd}}}, nuts.Identity(1))
			h.SetStep(first)
			z, trial := nuts.NewState(1), nuts.NewState(1)
			z.Set([]float64{sd}, []float64{0}, 0)
			h.Evaluate(&z)
			rng := rng.Stream(1, "guess")
			nuts.GuessStep(h, &z, &trial, &rng)
			if r := h.Step() / sd; r < 0.05 || r > 20 {
				t.Errorf("sd %g from step %g: guessed %g", sd, first, h.Step())
			}
			if z.Position()[0] != sd {
				t.Error("looking for a step has moved the chain")
			}
		}
	}
}
