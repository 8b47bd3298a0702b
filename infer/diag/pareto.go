package diag

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// pareto is a generalised Pareto distribution on the positive numbers. Its mean is infinite for a shape (k) of at least 1.
type pareto struct{ shape, scale float64 }

// fitPareto fits a distribution to exceedances xs, which are positive and ascending, by the empirical Bayes estimate of
// Zhang and Stephens (2009, Technometrics 51). It shrinks the shape towards ½ with the weight of ten exceedances
// (Vehtari, Simpson, Gelman, Yao and Gabry 2024, JMLR 25, appendix G). It returns false if the first quartile is 0, if
// an exceedance is not finite, or if the fit has no positive scale.
func fitPareto(xs []float64) (pareto, bool) {
	n := len(xs)
	quartile := xs[int(float64(n)/4+0.5)-1]
	if !(quartile > 0) || math.IsInf(xs[n-1], 1) {
		return pareto{}, false
	}
	grid := 30 + int(math.Sqrt(float64(n)))
	thetas, logs, factors := make([]float64, grid), make([]float64, grid), make([]float64, n)
	for j := range thetas {
		thetas[j] = 1/xs[n-1] + (1-math.Sqrt(float64(grid)/(float64(j)+0.5)))/(3*quartile)
		shape := shapeAt(thetas[j], xs, factors)
		logs[j] = float64(float64(n) * (num.Log(-thetas[j]/shape) - shape - 1))
	}
	theta := num.Dot(thetas, num.Softmax(logs))
	shape := shapeAt(theta, xs, factors)
	p := pareto{scale: -shape / theta}
	p.shape = (float64(shape*float64(n)) + 10*0.5) / (float64(n) + 10)
	return p, !math.IsNaN(p.shape) && p.scale > 0
}

// TailShape returns the larger of the Pareto shapes of the upper and the lower tail of draws, and the number of draws. Above
// KLimit of this number, their mean and SD settle so slowly that they say nothing: from 1/2 on a variance, from 1 on a mean is
// infinite (Vehtari et al. 2024, section 3). A tail is the outermost 3√n draws, a fifth of them at most; the shape is −Inf if they are
// too few, or all equal.
func TailShape(chains [][]float64) (shape float64, draws int) {
	xs := slices.Sorted(slices.Values(pool(chains)))
	n := len(xs)
	tail := int(math.Ceil(min(0.2*float64(n), 3*math.Sqrt(float64(n)))))
	shape = math.Inf(-1)
	if tail < leastTail || tail >= n {
		return shape, n
	}
	excess := make([]float64, tail)
	for _, sign := range []float64{1, -1} {
		for i := range excess {
			if sign > 0 {
				excess[i] = xs[n-tail+i] - xs[n-tail-1]
			} else {
				excess[i] = xs[tail] - xs[tail-1-i]
			}
		}
		if fit, ok := fitPareto(excess); ok {
			shape = max(shape, fit.shape)
		}
	}
	return shape, n
}

// shapeAt returns the shape that maximises the likelihood, given theta = −shape/scale. factors is scratch, as long as xs.
func shapeAt(theta float64, xs, factors []float64) float64 {
	const small = 1e-3 // below it the factors have too few digits
	if math.Abs(theta*xs[len(xs)-1]) < small {
		sum := 0.0
		for _, x := range xs {
			sum += num.Log1p(-theta * x)
		}
		return sum / float64(len(xs))
	}
	for i, x := range xs {
		factors[i] = 1 - float64(theta*x)
	}
	return num.LogProduct(factors) / float64(len(xs))
}

// quantile returns the value of the inverse of the distribution function at p in (0, 1).
func (d pareto) quantile(p float64) float64 {
	l := -num.Log1p(-p)
	if math.Abs(d.shape) < 1e-12 {
		return float64(d.scale * l)
	}
	return float64(d.scale*num.Expm1(d.shape*l)) / d.shape
}
