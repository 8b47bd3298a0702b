package posterior

import (
	"slices"

	"achilles/infer/lbfgs"
	"achilles/infer/nuts"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// Limits of an ascent: the number of gradients, the number of iterations, and the gain in log density at which it ends,
// in nats. On object-permanence posteriors an ascent takes 20 to 60 gradients.
const (
	ascentGradients = 100
	ascentSteps     = 60
	ascentNats      = 0.01
)

// ascend climbs the log density from q to a local maximum by L-BFGS. It returns the maximum, its log density (−Inf if the
// search cannot start at q) and the number of gradients computed.
func ascend(target nuts.Target, q []float64) (top []float64, logp float64, gradients int) {
	top = slices.Clone(q)
	lowest, _ := lbfgs.Minimise(top, func(x, gradient []float64) float64 {
		gradients++
		l := target.LogDensity(x, gradient)
		for i, g := range gradient {
			gradient[i] = -g
		}
		return -l
	}, lbfgs.Limits{Store: 6, Bisect: true, Fall: ascentNats, Steps: ascentSteps, Evaluations: ascentGradients})
	return top, -lowest, gradients
}

// priorDraw draws from the prior and writes the unconstrained parameters to q.
func priorDraw(p Problem, q []float64, rng *rng.Rand) {
	z := make([]float64, p.Dim())
	for i := range z {
		u := rng.Float64()
		z[i] = num.Log(u) - num.Log1p(-u)
	}
	p.FromOdds(z, q)
}

// connected reports whether a and b belong to one mode: on the straight line between them, the log density falls by at
// most depth below the smaller of its values at a and b. It evaluates the density at a, at b and at up to linePoints
// points between them.
func connected(target nuts.Target, a, b []float64, depth float64) bool {
	at, grad := make([]float64, len(a)), make([]float64, len(a))
	low := min(target.LogDensity(a, grad), target.LogDensity(b, grad)) - depth
	for i := 1; i <= linePoints; i++ {
		w := float64(i) / (linePoints + 1)
		for k := range at {
			at[k] = a[k] + float64(w*(b[k]-a[k]))
		}
		if !(target.LogDensity(at, grad) >= low) {
			return false
		}
	}
	return true
}

// linePoints is the number of points between a and b at which connected evaluates the density.
const linePoints = 9

// laplace returns Laplace's approximation to the log integral of the density around a maximum q: the integral of a
// normal density with the same height and curvature. It computes the curvature from differences of the gradient. The
// standard deviation in each direction is taken as at most flattest.
func laplace(target nuts.Target, q []float64, logp float64) float64 {
	precision, diagonal := Differences(target, q), make([]float64, len(q))
	for i := range q {
		diagonal[i] = max(precision.Row(i)[i], 1/(flattest*flattest))
		precision.Row(i)[i] = diagonal[i]
	}
	l := logp + float64(num.LogSqrt2Pi*float64(len(q)))
	definite := precision.Cholesky()
	for i := range q {
		if definite {
			l -= num.Log(precision.Row(i)[i])
		} else { // q is no maximum in some direction: use the diagonal alone
			l -= float64(0.5 * num.Log(diagonal[i]))
		}
	}
	return l
}

// Differences returns minus the second derivatives of a log density, by differences of the gradient.
func Differences(target nuts.Target, q []float64) (precision num.Lower) {
	dim := len(q)
	precision = num.NewLower(dim)
	at, up, down := slices.Clone(q), make([]float64, dim), make([]float64, dim)
	for i := range q {
		at[i] = q[i] + hessianStep
		target.LogDensity(at, up)
		at[i] = q[i] - hessianStep
		target.LogDensity(at, down)
		at[i] = q[i]
		for j := range i + 1 {
			precision.Row(i)[j] = (down[j] - up[j]) / (2 * hessianStep)
		}
	}
	return precision
}

const (
	hessianStep = 1e-3 // step of the differences of the gradient
	flattest    = 3.0  // on the unconstrained scale, where logistic priors have a standard deviation of 1.8
)
