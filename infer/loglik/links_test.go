package loglik_test

import (
	"math"
	"testing"

	"achilles/infer/loglik"
	"achilles/sim/expr"
	"achilles/sim/rng"
)

// TestLinks compares the logistic functions of affine forms with those of their margins: with scalars that have one coefficient and
// several, near and far from 0, and out of the range in which factors of exponentials serve. Two of the forms have too many coefficients or
// too large an offset for factors.
func TestLinks(t *testing.T) {
	const rows = 60
	r := rng.Stream(1, "links")
	column := func(levels int, scale float64) []float64 {
		out := make([]float64, rows)
		for i := range out {
			out[i] = scale * float64(r.IntN(levels)-levels/2)
		}
		return out
	}
	distance, side, occluder, depth := column(50, 1.3), column(3, 1), column(2, 1), column(3, 0.7)
	for _, c := range []struct {
		name   string
		offset []float64
		coefs  [][]float64
		linked bool
	}{
		{"same", distance, nil, true},
		{"one", distance, [][]float64{side}, true},
		{"two", distance, [][]float64{side, occluder}, true},
		{"three", distance, [][]float64{side, occluder, depth}, false},
		{"many", distance, [][]float64{column(1<<40, 1e-12)}, false},
		{"far", column(50, 40), [][]float64{side}, false},
	} {
		b := loglik.NewBuilder(rows, 4, 0)
		margin := b.Apply(expr.Sub, 0, b.Param(0), b.Data(c.offset))
		for k, x := range c.coefs {
			margin = b.Apply(expr.Add, 0, margin, b.Apply(expr.Mul, 0, b.Param(k+1), b.Data(x)))
		}
		pl := b.Compile([]loglik.Likelihood{{Family: loglik.Bernoulli, Args: []loglik.Node{b.Apply(expr.Logistic, 0, margin)}}})
		if got := pl.Linked(); got != c.linked {
			t.Errorf("%s: links %v, want %v", c.name, got, c.linked)
		}
		w, err := pl.NewWorkspace(nil, [][]loglik.Observation{nil})
		if err != nil {
			t.Fatal(err)
		}
		out := make([]float64, rows)
		for _, scale := range []float64{0.1, 3, 30, 99, 300, 1e6} {
			params := []float64{scale * r.Norm(), scale * r.Norm(), scale * r.Norm(), scale * r.Norm()}
			w.Evaluate(params)
			w.Output(0, 0, out)
			for i, got := range out {
				x := params[0] - c.offset[i]
				for k, coef := range c.coefs {
					x += params[k+1] * coef[i]
				}
				want := 1 / (1 + math.Exp(-x))
				if !(math.Abs(got-want) <= 1e-15+2e-15*math.Abs(x)*want*(1-want)) || !(got >= 0 && got <= 1) {
					t.Errorf("%s at %g: %g in row %d, want %g", c.name, params, got, i, want)
				}
			}
		}
	}
}
