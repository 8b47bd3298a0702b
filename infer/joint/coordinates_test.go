package joint_test

import (
	"math"
	"testing"

	"achilles/infer/infertest"
	"achilles/infer/joint"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// TestCoordinates checks the coordinates in which NUTS moves where the posterior is nearly normal: gradients are right, and at the
// middle the curvature is about the identity in single directions and, which no scales of single values give, in those in which all
// abilities and difficulties move together. Chains begin apart.
func TestCoordinates(t *testing.T) {
	const subjects, n = 80, 50
	_, j, c := simulated(t, hierarchical, subjects, n, "coordinates")
	d, starts, approximated, err := joint.Prepare(c)
	if err != nil || !approximated {
		t.Fatalf("no normal approximation (%v)", err)
	}
	r := rng.Stream(4, "directions")
	x := make([]float64, j.Len())
	infertest.CheckGradient(t, d, starts[0], 1e-6)
	along := func(direction []float64) float64 {
		const step = 0.05
		up, down := make([]float64, len(x)), make([]float64, len(x))
		for _, side := range []struct {
			by   float64
			grad []float64
		}{{step, up}, {-step, down}} {
			for i, v := range direction {
				x[i] = side.by * v
			}
			d.LogDensity(x, side.grad)
		}
		return (num.Dot(down, direction) - num.Dot(up, direction)) / (2 * step * num.Dot(direction, direction))
	}
	for range 20 {
		v := make([]float64, len(x))
		for i := range v {
			v[i] = r.Norm()
		}
		if b := along(v); !(math.Abs(b-1) <= 0.1) {
			t.Errorf("curvature %.3f in a random direction, want 1", b)
		}
	}
	const spreads = 2 // their coordinates come first, and are of unit spread when all others are integrated out
	for i := spreads; i < len(x); i++ {
		v := make([]float64, len(x))
		v[i] = 1
		if b := along(v); !(b > 0.4 && b < 2.5) {
			t.Errorf("curvature %.3f along coordinate %d, want about 1", b, i)
		}
	}
	for i, s := range starts {
		if size := math.Sqrt(num.Dot(s, s) / float64(len(s))); !(math.Abs(size-2) <= 0.3) {
			t.Errorf("chain %d begins %.2f standard deviations from the middle, want 2", i, size)
		}
	}
}

// TestScaledCoordinates checks that NUTS takes scaled coordinates where responses tell little of each item, so that the coordinates
// are scores, for which there is no normal approximation.
func TestScaledCoordinates(t *testing.T) {
	_, _, c := simulated(t, hierarchical, 3, 20, "scaled")
	d, starts, approximated, err := joint.Prepare(c)
	if err != nil || approximated {
		t.Fatalf("a normal approximation of scores (%v)", err)
	}
	infertest.CheckGradient(t, d, starts[0], 1e-6)
}
