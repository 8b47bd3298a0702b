// Package lbfgs climbs down functions by their gradients, with the limited memory of Broyden, Fletcher, Goldfarb and Shanno's method
// (Nocedal 1980; Liu and Nocedal 1989). The directions and the line searches are those of gonum/optimize.
package lbfgs

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"
)

// Limits say how a descent goes on and where it ends.
type Limits struct {
	Store       int     // number of steps that the next direction is computed from
	Bisect      bool    // whether the line search is by bisection, for the weak Wolfe conditions, and not that of Moré and Thuente (1994)
	Slope       float64 // it has arrived where no derivative is larger; 0: it goes by the fall alone
	Fall        float64 // it ends after three steps in which the value falls by less; 0: it goes by the slope alone
	Relative    bool    // whether Fall is a share of the value
	Steps       int     // largest number of points between line searches, with the first; 0: no limit
	Evaluations int     // largest number of evaluations; 0: no limit
}

// Minimise moves x to a minimum of a function. value returns the function at a point, NaN or +Inf where there is none, and writes its
// gradient; it must not change the point. The result is the value at the x where the descent ended, or +Inf if it cannot begin there, and
// whether the slope said so. Line searches are driven here, because optimize.Minimize has four goroutines that wait for each other at each
// evaluation, which can take longer than the evaluation.
func Minimise(x []float64, value func(x, gradient []float64) float64, limits Limits) (lowest float64, arrived bool) {
	at := &optimize.Location{X: slices.Clone(x), Gradient: make([]float64, len(x))}
	evaluations := 0
	evaluate := func() {
		if at.F = value(at.X, at.Gradient); math.IsNaN(at.F) {
			at.F = math.Inf(1)
		}
		evaluations++
	}
	if evaluate(); math.IsInf(at.F, 0) || !finite(at.Gradient) {
		return math.Inf(1), false
	}
	end := &optimize.FunctionConverge{Absolute: limits.Fall, Iterations: 3}
	if limits.Relative {
		end.Absolute, end.Relative = 0, limits.Fall
	}
	end.Init(len(x))
	steps := 0
	step := func() (over bool) {
		copy(x, at.X)
		lowest, arrived = at.F, steep(at.Gradient) < limits.Slope
		steps++
		return arrived || steps == limits.Steps || limits.Fall > 0 && end.Converged(at) != optimize.NotTerminated
	}
	if step() || evaluations == limits.Evaluations {
		return lowest, arrived
	}
	search := optimize.LinesearchMethod{NextDirectioner: &optimize.LBFGS{Store: limits.Store}, Linesearcher: &optimize.MoreThuente{}}
	if limits.Bisect {
		search.Linesearcher = &optimize.Bisection{}
	}
	for op, err := search.Init(at); err == nil; op, err = search.Iterate(at) { // an error says that there is no lower point
		switch {
		case op == optimize.MajorIteration:
			if step() {
				return lowest, arrived
			}
		case op&optimize.FuncEvaluation != 0: // a gradient that is asked for later is of the same point
			if evaluate(); evaluations == limits.Evaluations {
				return lowest, arrived
			}
		}
	}
	return lowest, arrived
}

// steep returns the largest size of a derivative.
func steep(gradient []float64) (most float64) {
	for _, g := range gradient {
		most = max(most, math.Abs(g)) // NaN stays
	}
	return most
}

func finite(xs []float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}
