package embedding

import (
	"context"
	"math"

	"achilles/infer/lbfgs"
)

// converged is Training.Fall of a fit, near that of one among candidates, whose losses differ by more.
const (
	converged = 2e-7
	near      = 1e-5
)

// descend moves the parameters to a minimum of the objective by L-BFGS, or for at most Epochs evaluations.
// Every parameter is measured in units of its standard deviation if all log odds were 0, which makes parameters with few
// and with many responses alike. It fails when ctx is done.
func (r *trainer) descend(ctx context.Context, w *whole) error {
	unit := r.units()
	x := make([]float64, len(r.all))
	for i, v := range r.all {
		x[i] = v / unit[i]
	}
	put := func(x []float64) {
		for i, v := range x {
			r.all[i] = float64(v * unit[i])
		}
	}
	lbfgs.Minimise(x, func(x, gradient []float64) float64 {
		if ctx.Err() != nil {
			return math.Inf(1) // no step leads on
		}
		put(x)
		value := w.gradient()
		for i, g := range r.grad {
			gradient[i] = float64(g * unit[i])
		}
		return value
	}, lbfgs.Limits{Store: 8, Fall: r.Fall, Relative: true, Evaluations: r.Epochs})
	put(x)
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
