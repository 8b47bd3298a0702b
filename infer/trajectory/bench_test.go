package trajectory_test

import (
	"context"
	"testing"

	"achilles/infer/trajectory"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// middling returns a profile of n draws with middling abilities.
func middling(n int) *trajectory.Profile {
	p := &trajectory.Profile{Place: 1, Chance: 0.5, Traits: []string{"visual", "op", "memory", "flatNav", "rightLeft", "lava", "ramp", "platform", "noise"}}
	r := rng.Stream(9, "middling")
	for range n {
		share := func(x float64) float64 { return num.Logistic(x + 0.3*r.Norm()) }
		p.Draws = append(p.Draws, []float64{3 + 0.3*r.Norm(), 3 + r.Norm(), 1 + 0.5*r.Norm(), 30 + r.Norm(), 0.5 * r.Norm(), share(0), share(1), share(0), share(-2)})
	}
	return p
}

// BenchmarkPredict predicts 200 paths from 400 draws in a scene that already has its rollouts, as it has for every
// subject but the first.
func BenchmarkPredict(b *testing.B) {
	s, err := trajectory.ReadScene(chick)
	if err != nil {
		b.Fatal(err)
	}
	p := middling(400)
	for b.Loop() {
		if _, err := s.Predict(context.Background(), p, 200, rng.Stream(1)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(200*b.N)/b.Elapsed().Seconds(), "paths/s")
}

// BenchmarkScene reads a world, simulates the rollouts of one profile and predicts 200 paths.
func BenchmarkScene(b *testing.B) {
	p := middling(400)
	for b.Loop() {
		s, err := trajectory.ReadScene(chick)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Predict(context.Background(), p, 200, rng.Stream(1)); err != nil {
			b.Fatal(err)
		}
	}
}
