package loglik_test

import (
	"math"
	"testing"

	"achilles/infer/loglik"
	"achilles/sim/expr"
	"achilles/sim/rng"
)

// TestSeparable compares the likelihood of a table by abilities less difficulties, or the sum of both, with its rows one by one: near
// and far, with rows missing, with repetitions, and after a recount.
func TestSeparable(t *testing.T) {
	const subjects, items = 7, 5
	r := rng.Stream(1, "separable")
	var rows [2][]uint32
	for s := range uint32(subjects) {
		for i := range uint32(items) {
			rows[0], rows[1] = append(rows[0], s), append(rows[1], i)
		}
	}
	for _, c := range []struct {
		name          string
		op            expr.Op
		apart, spread float64 // abilities are drawn around half of the one, difficulties around minus this
		count         float64
		missing       float64
		recount       bool
	}{
		{"difference", expr.Sub, 0, 1, 1, 0, false},
		{"sum", expr.Add, 0, 2, 1, 0, false},
		{"rows missing", expr.Sub, 0, 1, 1, 0.3, false},
		{"near the largest exponents", expr.Sub, 0, 30, 1, 0, false},
		{"at the largest exponents", expr.Sub, 198, 0.1, 1, 0, false},
		{"beyond them", expr.Sub, 0, 300, 1, 0.3, false},
		{"far beyond them", expr.Add, 0, 3000, 1, 0, false},
		{"repetitions", expr.Sub, 0, 1, 3, 0, false},
		{"recount", expr.Sub, 0, 1, 0.7, 0.3, true},
	} {
		b := loglik.NewBuilder(subjects*items, subjects+items, 0)
		z := b.Apply(c.op, 0, b.Vector(0, rows[0]), b.Vector(subjects, rows[1]))
		plan := b.Compile([]loglik.Likelihood{{Family: loglik.Bernoulli, Args: []loglik.Node{b.Apply(expr.Logistic, 0, z)}}})
		if n := len(plan.StepSizes()); n != 0 {
			t.Fatalf("%s: %d arrays at every evaluation, want none", c.name, n)
		}
		params, want := make([]float64, subjects+items), make([]float64, subjects+items)
		for i := range params {
			params[i] = c.apart/2 + c.spread*r.Norm()
			if i >= subjects {
				params[i] -= c.apart
			}
		}
		sign, l := 1.0, 0.0
		if c.op == expr.Sub {
			sign = -1
		}
		var obs []loglik.Observation
		z0 := make([]float64, subjects*items)
		for row := range z0 {
			s, i := rows[0][row], subjects+rows[1][row]
			z0[row] = params[s] + sign*params[i]
			if r.Float64() < c.missing {
				continue
			}
			y := float64(r.IntN(2))
			obs = append(obs, loglik.Observation{Row: row, Value: y, Count: c.count})
			own, slope := -math.Log1p(math.Exp(-z0[row])), 1/(1+math.Exp(z0[row]))
			if y == 0 {
				own, slope = -math.Log1p(math.Exp(z0[row])), slope-1
			}
			if math.IsInf(own, 0) {
				own = -math.Abs(z0[row])
			}
			l += c.count * own
			want[s] += c.count * slope
			want[i] += sign * c.count * slope
		}
		first := [][]loglik.Observation{obs}
		if c.recount {
			first = [][]loglik.Observation{{{Row: 3, Value: 1, Count: 1}}}
		}
		w, err := plan.NewWorkspace(nil, first)
		if err != nil {
			t.Fatal(err)
		}
		grad := make([]float64, len(params))
		if c.recount {
			if err := w.Recount([][]loglik.Observation{obs}); err != nil {
				t.Fatal(err)
			}
			w.Gradient(params, grad)
		} else if got := w.Gradient(params, grad); math.IsInf(got, 0) || !near(got, l, 1e-13) || !near(w.LogLikelihood(params), l, 1e-13) {
			t.Errorf("%s: log likelihood %.17g with the gradient, %.17g alone, want %.17g", c.name, got, w.LogLikelihood(params), l)
		}
		for i, x := range grad {
			if !near(x, want[i], 1e-14) {
				t.Errorf("%s: derivative by parameter %d is %.17g, want %.17g", c.name, i, x, want[i])
			}
		}
		out := make([]float64, len(z0))
		w.Evaluate(params)
		w.Output(0, 0, out)
		for row, x := range z0 {
			if !near(out[row], 1/(1+math.Exp(-x)), 1e-15) || x > -700 && !near(w.LogProb(0, row, 1), -math.Log1p(math.Exp(-x)), 1e-14) {
				t.Errorf("%s: row %d has probability %.17g with logarithm %.17g at log odds %.17g", c.name, row, out[row], w.LogProb(0, row, 1), x)
			}
		}
	}
}
