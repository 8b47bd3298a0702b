package layout_test

import (
	"math"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestConditional holds the posterior of a subject's ability, given items and shared values, against what it is by hand, and the draws of
// its prior against the prior.
func TestConditional(t *testing.T) {
	l, err := layout.Parse("rasch.toml", `name = "rasch"
[capability]
ability = { prior = "normal(0, spread)" }
[item]
difficulty = { prior = "normal(0, 1)" }
[shared]
spread = { prior = "halfnormal(2)" }
[response.success]
p = "logistic(ability - difficulty)"
`)
	if err != nil {
		t.Fatal(err)
	}
	items := &record.Items{ID: []string{"a", "b", "c"}, Suite: make([]string, 3), Paradigm: make([]string, 3), Task: make([]string, 3)}
	j, err := l.BindJoint(items, []string{"s"}, nil, []record.Measure{{Name: "success", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	cells, err := j.NewCells([]record.Response{{Item: 0, Value: 1}, {Item: 2, Value: 0}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := cells.NewConditional()
	if c.Dim() != 1 {
		t.Fatalf("%d coordinates", c.Dim())
	}
	at := func(i int) int { return j.First(i) }
	theta, q := make([]float64, j.Len()), []float64{0}
	theta[at(0)], theta[at(1)], theta[at(1)+1], theta[at(1)+2], theta[at(2)] = 0.7, -1, 5, 2, 1.5
	if c.Given(theta, q); q[0] != 0.7 {
		t.Errorf("coordinate %v", q)
	}
	by := func(x float64) float64 {
		return -x*x/2/1.5/1.5 + num.LogLogistic(x+1) + num.LogLogistic(2-x)
	}
	zero := c.LogDensity([]float64{0}) - by(0)
	for _, x := range []float64{-3, 0.2, 4} {
		if got := c.LogDensity([]float64{x}) - zero; math.Abs(got-by(x)) > 1e-12 {
			t.Errorf("log density at %v is %v, want %v", x, got, by(x))
		}
	}
	c.Values(theta)
	if theta[at(0)] != 4 || theta[at(1)+1] != 5 || theta[at(2)] != 1.5 {
		t.Errorf("values %v", theta)
	}
	r := rng.Stream(1, "test")
	const n = 4000
	sum, squares := 0.0, 0.0
	for range n {
		layout.DrawSubjects(j, &r, theta)
		sum, squares = sum+theta[at(0)], squares+theta[at(0)]*theta[at(0)]
	}
	if math.Abs(sum/n) > 4*1.5/math.Sqrt(n) || math.Abs(math.Sqrt(squares/n)/1.5-1) > 4/math.Sqrt(2*n) || theta[at(1)+2] != 2 {
		t.Errorf("draws have mean %v and SD %v, want 0 and 1.5", sum/n, math.Sqrt(squares/n))
	}
}
