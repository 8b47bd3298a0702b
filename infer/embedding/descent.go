package embedding

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"
)

// converged is the relative fall of the objective below which, over a few iterations, a descent has arrived.
const converged = 2e-7

// descend moves the parameters to a minimum of the objective by L-BFGS (Liu and Nocedal 1989), or for at most Epochs evaluations.
// Every parameter is measured in units of its standard deviation if all log odds were 0, which makes parameters with few
// and with many responses alike. It fails when ctx is done.
func (r *trainer) descend(ctx context.Context, w *whole) error {
	unit := r.units()
	at := &optimize.Location{X: make([]float64, len(r.all)), Gradient: make([]float64, len(r.all))}
	for i, x := range r.all {
		at.X[i] = x / unit[i]
	}
	evaluations := 0
	evaluate := func() {
		for i, x := range at.X {
			r.all[i] = float64(x * unit[i])
		}
		if at.F = w.gradient(); math.IsNaN(at.F) {
			at.F = math.Inf(1)
		}
		for i, g := range r.grad {
			at.Gradient[i] = float64(g * unit[i])
		}
		evaluations++
	}
	evaluate()
	best := slices.Clone(r.all)
	end := &optimize.FunctionConverge{Relative: converged, Iterations: 3}
	end.Init(len(r.all))
	end.Converged(at)
	search := optimize.LinesearchMethod{NextDirectioner: &optimize.LBFGS{Store: 8}, Linesearcher: &optimize.MoreThuente{}}
	for op, err := search.Init(at); err == nil && evaluations < r.Epochs; op, err = search.Iterate(at) { // an error says that there is no lower point
		if err := ctx.Err(); err != nil {
			return err
		}
		switch {
		case op == optimize.MajorIteration:
			for i, x := range at.X {
				best[i] = float64(x * unit[i])
			}
			if end.Converged(at) != optimize.NotTerminated {
				copy(r.all, best)
				return nil
			}
		case op&(optimize.FuncEvaluation|optimize.GradEvaluation) != 0:
			evaluate()
		}
	}
	copy(r.all, best)
	return ctx.Err()
}

// units returns the standard deviation of every parameter by its prior and its number of responses, as if all log odds were 0, of a
// model without parameters that all responses share.
func (r *trainer) units() []float64 {
	const information = 0.25 // p(1 − p) at p = ½
	subjects, items := make([]float64, r.size.subjects), make([]float64, r.size.items)
	for i, s := range r.t.Subject {
		subjects[s] += information
		items[r.t.Item[i]] += information
	}
	out := make([]float64, len(r.all))
	u, v, _ := r.cut(out, r.size)
	for i := range u {
		u[i] = 1 / math.Sqrt(subjects[i/r.ku]+r.onSubject[i%r.ku].precision)
	}
	for i := range v {
		v[i] = 1 / math.Sqrt(items[i/r.kv]+r.onItem[i%r.kv].precision)
	}
	return out
}
