package lbfgs_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/optimize/functions"

	"achilles/infer/lbfgs"
)

// A problem is a function of gonum's with its gradient.
type problem interface {
	Func(x []float64) float64
	Grad(to, x []float64)
}

// TestMinimise descends published functions to the bytes where optimize.Minimize ends, by either line search and whatever ends it.
func TestMinimise(t *testing.T) {
	for _, c := range []struct {
		name string
		f    problem
		from []float64
	}{
		{"Rosenbrock", functions.ExtendedRosenbrock{}, []float64{-1.2, 1, -1.2, 1}},
		{"Beale", functions.Beale{}, []float64{1, 1}},
		{"Brown", functions.BrownBadlyScaled{}, []float64{1, 1}},
		{"Powell", functions.PowellBadlyScaled{}, []float64{0, 1}},
		{"Wood", functions.Wood{}, []float64{-3, -1, -3, -1}},
		{"Watson", functions.Watson{}, make([]float64, 9)},
	} {
		for _, l := range []lbfgs.Limits{
			{Store: 5, Slope: 1e-6}, {Store: 5, Bisect: true, Slope: 1e-6}, {Store: 3, Fall: 1e-3}, {Store: 3, Fall: 1e-4, Relative: true},
			{Store: 5, Steps: 7}, {Store: 5, Evaluations: 9}, {Store: 5, Bisect: true, Evaluations: 9},
		} {
			x := slices.Clone(c.from)
			value, arrived := lbfgs.Minimise(x, func(x, g []float64) float64 {
				c.f.Grad(g, x)
				return c.f.Func(x)
			}, l)
			settings := &optimize.Settings{MajorIterations: l.Steps, FuncEvaluations: l.Evaluations, GradientThreshold: l.Slope, Converger: optimize.NeverTerminate{}}
			if l.Fall > 0 {
				end := &optimize.FunctionConverge{Absolute: l.Fall, Iterations: 3}
				if l.Relative {
					end.Absolute, end.Relative = 0, l.Fall
				}
				settings.Converger = end
			}
			method := &optimize.LBFGS{Store: l.Store, Linesearcher: &optimize.MoreThuente{}, GradStopThreshold: math.NaN()}
			if l.Bisect {
				method.Linesearcher = &optimize.Bisection{}
			}
			want, _ := optimize.Minimize(optimize.Problem{Func: c.f.Func, Grad: c.f.Grad}, c.from, settings, method)
			if !slices.Equal(x, want.X) || value != want.F || arrived != (want.Status == optimize.GradientThreshold) {
				t.Errorf("%s, %+v: %g at %v (%v), want %g at %v (%v)", c.name, l, value, x, arrived, want.F, want.X, want.Status)
			}
		}
	}
}

// TestNowhere begins where there is no value, no gradient, and nothing to do.
func TestNowhere(t *testing.T) {
	for _, c := range []struct{ value, slope, want float64 }{{math.NaN(), 1, math.Inf(1)}, {math.Inf(1), 1, math.Inf(1)}, {2, math.NaN(), math.Inf(1)}, {2, 0, 2}} {
		x := []float64{3}
		got, arrived := lbfgs.Minimise(x, func(_, g []float64) float64 { g[0] = c.slope; return c.value }, lbfgs.Limits{Store: 3, Slope: 0.1})
		if got != c.want || x[0] != 3 || arrived != (c.slope == 0) {
			t.Errorf("value %g, slope %g: %g at %g (%v)", c.value, c.slope, got, x[0], arrived)
		}
	}
}
