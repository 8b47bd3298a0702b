package joint_test

import (
	"testing"

	"achilles/infer/layout"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// BenchmarkGradient takes one gradient of a two-parameter layout of 353 subjects × 418 items (1,193 parameters), half-way
// from the middle of the prior to a draw from it, so that log odds have both signs.
func BenchmarkGradient(b *testing.B) {
	const subjects, items = 353, 418
	l, err := layout.Parse("2pl.toml", twoParameter)
	if err != nil {
		b.Fatal(err)
	}
	j, err := l.BindJoint(battery(items, nil), ids("s", subjects), nil, []record.Measure{{Name: "y", Family: record.Binary}})
	if err != nil {
		b.Fatal(err)
	}
	c, err := j.NewCells(answers(subjects, items, "bench"), nil)
	if err != nil {
		b.Fatal(err)
	}
	t := c.NewTarget(make([]bool, len(l.Parameters)), 1)
	q, grad := make([]float64, t.Dim()), make([]float64, t.Dim())
	r := rng.Stream(1, "bench")
	j.DrawNear(&r, 0.5, q)
	t.Unconstrain(q, q)
	b.ReportAllocs()
	for b.Loop() {
		t.LogDensity(q, grad)
	}
}
