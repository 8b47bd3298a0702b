package layout_test

import (
	"math"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// shares has every kind of prior whose coordinate may lie between score and value: of subjects, of items, of groups, of logarithms, of
// another parameter of the same unit, and a walk.
const shares = `name = "shares"
[capability]
ability = { prior = "walk(start, step)", per = "checkpoint", within = "run" }
luck = { prior = "normal(level, spread)" }
more = { prior = "lognormal(0.3*luck, 0.5*spread + 0.1)" }
[item]
easy = { prior = "normal(start, spread)" }
[shared]
level = { prior = "normal(0, 1)" }
start = { prior = "normal(level, 1)", centred = true }
step = { prior = "halfnormal(1)" }
spread = { prior = "gamma(2, 2)" }
[response.y]
p = "logistic(ability + luck*more + easy)"
`

// TestCentring checks, with shares between 0 and 1, gradients against differences, that In leads to the same values, and every element of
// the tangent against differences.
func TestCentring(t *testing.T) {
	j, err := bindTraining(t, shares)
	if err != nil {
		t.Fatal(err)
	}
	var responses []record.Response
	for s := range 5 {
		responses = append(responses, record.Response{Subject: int32(s), Value: float64(s % 2)})
	}
	cells, err := j.NewCells(responses, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]bool, len(j.Layout().Parameters))
	for i := range all {
		all[i] = true
	}
	n := j.Len()
	whole, part := cells.NewTarget(all, 1), cells.NewTarget(all, 1)
	r := rng.Stream(1, "shares")
	to, q := make([]float64, n), make([]float64, n)
	for i := range q {
		to[i], q[i] = r.Float64(), 0.7*r.Norm()
	}
	part.Centre(to)
	in := func(q []float64) []float64 {
		out := make([]float64, n)
		whole.In(part, q, out)
		return out
	}
	z, theta, same := in(q), make([]float64, n), make([]float64, n)
	checkSlopes(t, part, z)
	part.Constrain(z, theta)
	whole.Constrain(q, same)
	for i := range theta {
		if !(math.Abs(theta[i]-same[i]) <= 1e-12*math.Max(1, math.Abs(same[i]))) {
			t.Errorf("value %d is %g in one kind of coordinates and %g in the other", i, theta[i], same[i])
		}
	}
	tangent := part.Tangent(q)
	checkTangent(t, tangent, q, in)
	tangent.Apply(to, same)
	tangent.Undo(same)
	for i, x := range to {
		if !(math.Abs(same[i]-x) <= 1e-12) {
			t.Errorf("the direction %g of value %d is %g on the way back", x, i, same[i])
		}
	}
	if easy, step := j.First(3), j.First(6); !tangent.Alone([]int{step}) || tangent.Alone([]int{step, easy}) {
		t.Error("wrong values depend on others")
	}
}

// checkSlopes compares the gradient of a target at z with central differences.
func checkSlopes(t *testing.T, target *layout.JointTarget, z []float64) {
	t.Helper()
	const h = 1e-5
	grad, scratch := make([]float64, len(z)), make([]float64, len(z))
	target.LogDensity(z, grad)
	for i := range z {
		x := append([]float64(nil), z...)
		x[i] += h
		up := target.LogDensity(x, scratch)
		x[i] -= 2 * h
		if want := (up - target.LogDensity(x, scratch)) / (2 * h); !(math.Abs(grad[i]-want) <= 1e-7*(1+math.Abs(want))) {
			t.Errorf("derivative %d is %g, differences give %g", i, grad[i], want)
		}
	}
}

// checkTangent compares every element of a tangent, and of its transposed, with central differences of the coordinates.
func checkTangent(t *testing.T, tangent *layout.Tangent, q []float64, in func(q []float64) []float64) {
	t.Helper()
	const h = 1e-5
	n := len(q)
	column, row := make([]float64, n), make([]float64, n)
	others := 0
	for by := range n {
		x, unit := append([]float64(nil), q...), make([]float64, n)
		x[by] += h
		up := in(x)
		x[by] -= 2 * h
		down := in(x)
		unit[by] = 1
		tangent.Apply(unit, column)
		for of := range n {
			want := (up[of] - down[of]) / (2 * h)
			clear(unit)
			unit[of] = 1
			tangent.Transposed(unit, row)
			if !(math.Abs(column[of]-want) <= 1e-5*(1+math.Abs(want))) || row[by] != column[of] {
				t.Errorf("coordinate %d by value %d: %g and, transposed, %g, differences give %g", of, by, column[of], row[by], want)
			}
			if of != by && want != 0 {
				others++
			}
		}
	}
	if others < 20 {
		t.Errorf("only %d coordinates depend on other values", others)
	}
}
