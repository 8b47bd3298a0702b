package layout_test

import (
	"math"
	"strings"
	"testing"

	"achilles/sim/num"
)

// TestSlips compares a subject measured alone with the same subject in a table whose layout has a shared parameter that does nothing: log
// densities, their gradients and log likelihoods of single responses, where one response is a slip, or a lucky hit, at a margin from 5 to
// 500. The log likelihood of one link is also that of the formula.
func TestSlips(t *testing.T) {
	const items = 9
	distance, half := make([]float64, items), make([]float64, items)
	for i := range distance {
		distance[i], half[i] = float64(i)/4, float64(i%2)/2
	}
	it := newItems(numberColumn("d", distance), numberColumn("h", half))
	for _, p := range []string{
		"logistic(a - d)",
		"logistic(a - d)*logistic(b + 3 - d)",
		"mix(g, logistic(a - d), 1)",
		"mix(g, 0, logistic(a - d)*logistic(b - h))",
		"present(logistic(a - d), h)*logistic(b)",
		"pow(logistic(a - d)*logistic(b), 1.5)",
		"1 - logistic(d - a)*logistic(b)",
		"(logistic(a - d) + logistic(a - h))/2",
		"probit(a/9 - d)",
	} {
		text := "name = \"slips\"\n[metafeature]\nd = { column = \"d\", range = [0, 9] }\nh = { column = \"h\", range = [0, 1] }\n[capability]\n" +
			"a = { prior = \"normal(0, 300)\" }\nb = { prior = \"normal(0, 3)\" }\ng = { prior = \"uniform(0, 1)\" }\n%[response.success]\n" +
			"p = \"mix(0*d*h*g*b, " + p + ", 1)\"\n" // the mixture mentions all, and does nothing
		single := parse(t, strings.Replace(text, "%", "", 1))
		nothing := strings.Replace(text, "%", "[shared]\nnothing = { prior = \"normal(0, 1)\" }\n", 1)
		both := parse(t, strings.Replace(nothing, "0*d", "0*d*nothing", 1))
		j, err := both.BindJoint(it, []string{"s"}, nil, success)
		if err != nil {
			t.Fatal(err)
		}
		for _, margin := range []float64{5, 20, 37, 50, 200, 500, -50, -500} {
			y := make([]float64, items)
			for i := range y {
				if margin < 0 == (i == 4) {
					y[i] = 1
				}
			}
			tg := target(t, bind(t, single, it, success), answers(y))
			cells, err := j.NewCells(answers(y), nil)
			if err != nil {
				t.Fatal(err)
			}
			jt := cells.NewTarget([]bool{true, true, true, true}, 1)
			q, grad, other := []float64{margin, 0.3, -1, 0}, make([]float64, 4), make([]float64, 4)
			got, want := tg.LogDensity(q[:3], grad[:3]), jt.LogDensity(q, other)+num.LogSqrt2Pi
			if !near(got, want, 1e-11) || math.IsInf(got, 0) {
				t.Errorf("%s at %g: log density %.15g alone, %.15g together", p, margin, got, want)
			}
			for i := range grad[:3] {
				if !near(grad[i], other[i], 1e-8) {
					t.Errorf("%s at %g: gradient %v alone, %v together", p, margin, grad, other)
					break
				}
			}
			theta := make([]float64, 4)
			jt.Constrain(q, theta)
			each, all := make([]float64, len(tg.Data().Tallies())), make([]float64, items)
			tg.PointwiseLogLik(theta[:3], each)
			jt.PointwiseLogLik(0, theta, all)
			sum, total := 0.0, 0.0
			for i, x := range tg.Data().Tallies() {
				sum += each[i] * float64(x.Count)
				total += all[i]
			}
			if !near(sum, total, 1e-11) || math.IsInf(sum, 0) {
				t.Errorf("%s at %g: log likelihoods of responses sum to %.15g alone, %.15g together", p, margin, sum, total)
			}
			if p != "logistic(a - d)" {
				continue
			}
			want = 0
			for i, d := range distance {
				x := margin - d
				if y[i] == 0 {
					x = -x
				}
				want -= math.Max(-x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
			}
			if !near(sum, want, 1e-12) {
				t.Errorf("log likelihood at %g is %.15g, want %.15g", margin, sum, want)
			}
		}
	}
}
