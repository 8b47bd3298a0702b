package expr_test

import (
	"math"
	"slices"
	"testing"

	"achilles/sim/expr"
)

func near(a, b, rel float64) bool {
	return a == b || math.Abs(a-b) <= rel*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

// TestFunctions checks values worked out by hand and, at the same points, derivatives against central differences.
func TestFunctions(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name    string
		op      expr.Op
		setting float64
		x       []float64
		want    float64
	}{
		{"add", expr.Add, 0, []float64{2, 3}, 5}, {"sub", expr.Sub, 0, []float64{2, 3}, -1}, {"mul", expr.Mul, 0, []float64{2, 3}, 6},
		{"div", expr.Div, 0, []float64{3, -2}, -1.5}, {"neg", expr.Neg, 0, []float64{3}, -3},
		{"logistic", expr.Logistic, 0, []float64{math.Log(3)}, 0.75}, {"logistic far below", expr.Logistic, 0, []float64{-800}, 0},
		{"log of logistic", expr.LogLogistic, 0, []float64{-math.Log(3)}, -math.Log(4)}, {"log of logistic far below", expr.LogLogistic, 0, []float64{-800}, -800},
		{"probit", expr.Probit, 0, []float64{1.959963984540054}, 0.975}, {"exp", expr.Exp, 0, []float64{1}, math.E}, {"log", expr.Log, 0, []float64{math.E}, 1},
		{"sqrt", expr.Sqrt, 0, []float64{2.25}, 1.5}, {"abs", expr.Abs, 0, []float64{-2}, 2}, {"abs above", expr.Abs, 0, []float64{2}, 2},
		{"pow", expr.Pow, 0, []float64{4, 1.5}, 8}, {"pow whole", expr.Pow, 0, []float64{1.5, 3}, 3.375}, {"pow negative", expr.Pow, 0, []float64{2, -2}, 0.25},
		{"mix", expr.Mix, 0, []float64{0.25, 1, 0.2}, 0.8}, {"present", expr.Present, 0, []float64{0.25, 0.5}, 0.625},
		{"mean 1", expr.Gmean, 1, []float64{1, 2, 6}, 3}, {"mean 0", expr.Gmean, 0, []float64{1, 2, 4}, 2}, {"mean -1", expr.Gmean, -1, []float64{1, 3}, 1.5},
		{"mean 2", expr.Gmean, 2, []float64{1, 7}, 5}, {"mean -∞", expr.Gmean, -inf, []float64{3, 1, 2}, 1}, {"mean ∞", expr.Gmean, inf, []float64{1, 3, 2}, 3},
		{"mean near 0", expr.Gmean, 1e-15, []float64{1, 2, 4}, 2}, {"mean of a far exponent", expr.Gmean, 5000, []float64{1, 2}, 2 * math.Exp2(-1./5000)},
		{"max", expr.Max, 0.5, []float64{1, 1}, 1}, {"max of unlike", expr.Max, 0.1, []float64{0, 5}, 5 - 0.1*math.Ln2}, {"min of unlike", expr.Min, 0.1, []float64{0, 5}, 0.1 * math.Ln2},
		{"min of three", expr.Min, 1, []float64{0, 0.5, 1}, -math.Log((1 + math.Exp(-0.5) + math.Exp(-1)) / 3)}, {"exact max", expr.Max, 0, []float64{1, 3, 2}, 3}, {"exact min", expr.Min, 0, []float64{2, 1, 3}, 1},
	} {
		v := c.op.Value(c.setting, c.x)
		if !near(v, c.want, 1e-13) {
			t.Errorf("%s%g = %.17g, want %.17g", c.name, c.x, v, c.want)
		}
		d := make([]float64, len(c.x))
		c.op.Partials(c.setting, c.x, v, d)
		for i := range c.x {
			const h = 1e-6
			x := slices.Clone(c.x)
			x[i] += h
			up := c.op.Value(c.setting, x)
			x[i] -= 2 * h
			if slope := (up - c.op.Value(c.setting, x)) / (2 * h); !near(d[i], slope, 2e-8) && !(c.op == expr.Pow && i == 1 && c.x[1] == math.Trunc(c.x[1])) {
				t.Errorf("%s%g: derivative %d is %g, differences give %g", c.name, c.x, i, d[i], slope)
			}
		}
	}
}

func TestFunctionsAtEdges(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name    string
		op      expr.Op
		setting float64
		x       []float64
		want    float64
	}{
		{"mean of a zero", expr.Gmean, -1, []float64{0, 1}, 0}, {"geometric mean of a zero", expr.Gmean, 0, []float64{0, 1}, 0}, {"mean of a zero and one", expr.Gmean, 1, []float64{0, 1}, 0.5},
		{"mean of zeros", expr.Gmean, 2, []float64{0, 0}, 0}, {"mean of a negative", expr.Gmean, 2, []float64{-1, 1}, nan},
		{"root of a negative", expr.Pow, 0, []float64{-1, 0.5}, nan}, {"zero to a root", expr.Pow, 0, []float64{0, 0.5}, 0}, {"log of zero", expr.Log, 0, []float64{0}, math.Inf(-1)},
		{"smooth max of ∞", expr.Max, 0.1, []float64{math.Inf(1), 1}, math.Inf(1)},
	} {
		if v := c.op.Value(c.setting, c.x); v != c.want && !(v != v && c.want != c.want) {
			t.Errorf("%s = %g, want %g", c.name, v, c.want)
		}
	}
}

// TestEveryFunctionHasDerivatives checks that every function of numbers in the table has a value and derivatives.
func TestEveryFunctionHasDerivatives(t *testing.T) {
	for _, f := range expr.Functions() {
		op, ok := expr.FunctionNamed(f.Name)
		if !ok || op.String() != f.Name {
			t.Errorf("%s is operation %v", f.Name, op)
		}
		if op == expr.In {
			continue // in returns a condition, not a number
		}
		x := []float64{0.3, 0.7, 0.9}[:f.Min]
		if op == expr.Gmean {
			x = x[1:]
		}
		v := op.Value(2, x)
		d := make([]float64, len(x))
		op.Partials(2, x, v, d)
		for i := range x {
			const h = 1e-6
			up, down := slices.Clone(x), slices.Clone(x)
			up[i] += h
			down[i] -= h
			if slope := (op.Value(2, up) - op.Value(2, down)) / (2 * h); !near(d[i], slope, 1e-8) || slope == 0 {
				t.Errorf("%s: derivative %d is %g, differences give %g", f.Usage, i, d[i], slope)
			}
		}
	}
}
