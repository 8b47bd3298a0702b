package loglik_test

import (
	"testing"

	"achilles/infer/loglik"
	"achilles/sim/expr"
	"achilles/sim/rng"
)

// TestRecount checks that a workspace whose observations were replaced has the gradient of one that began with them, time after time, also where
// rounding would tell, and takes no memory. Some rows have observations the one time and none the next.
func TestRecount(t *testing.T) {
	b, f := crossed()
	margin := func(i int) loglik.Node { return b.Apply(expr.Sub, 0, b.Param(i), b.Data(f[i])) }
	units := make([]uint32, 600)
	for i := range units {
		units[i] = uint32(i % 2)
	}
	ofUnits := b.Apply(expr.Sub, 0, b.Vector(2, units), b.Data(f[2]))
	product := b.Apply(expr.Mul, 0, b.Apply(expr.Logistic, 0, margin(0)), b.Apply(expr.Logistic, 0, margin(1)))
	p := b.Compile([]loglik.Likelihood{
		{Family: loglik.Bernoulli, Args: []loglik.Node{product}},
		{Family: loglik.Bernoulli, Args: []loglik.Node{b.Apply(expr.Logistic, 0, ofUnits)}},
		{Family: loglik.Choice, Args: []loglik.Node{margin(0), margin(1), ofUnits}},
	})
	r := rng.Stream(1, "recount")
	observations := func() (obs [][]loglik.Observation) {
		for k := range 3 {
			var of []loglik.Observation
			for row := range 600 {
				for v := range []int{2, 2, 3}[k] {
					if r.Bernoulli(0.5) {
						of = append(of, loglik.Observation{Row: row, Value: float64(v), Count: 3 * r.Float64()})
					}
				}
			}
			obs = append(obs, of)
		}
		return obs
	}
	of := func(obs [][]loglik.Observation) *loglik.Workspace {
		w, err := p.NewWorkspace([]float64{0}, obs)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	again := of(make([][]loglik.Observation, 3))
	got, want := make([]float64, 4), make([]float64, 4)
	for _, at := range [][]float64{{3, 2, 1, 0}, {300, -400, 800, -2}, {-300, 500, -0.5, -40}} {
		obs := observations()
		of(obs).Gradient(at, want)
		if err := again.Recount(obs); err != nil {
			t.Fatal(err)
		}
		again.Gradient(at, got)
		for i := range want {
			if !near(got[i], want[i], 1e-12) {
				t.Errorf("at %v: derivative %d is %.17g, want %.17g", at, i, got[i], want[i])
			}
		}
	}
	obs, at := observations(), []float64{3, 2, 1, 0}
	if n := testing.AllocsPerRun(10, func() {
		if err := again.Recount(obs); err != nil {
			t.Fatal(err)
		}
		again.Gradient(at, got)
	}); n > 0 {
		t.Errorf("%g pieces of memory for a recount", n)
	}
	if err := again.Recount([][]loglik.Observation{{{Row: 0, Value: 0.5, Count: 1}}, nil, nil}); err == nil {
		t.Error("half a success was counted")
	}
}
