package misfit

import (
	"cmp"
	"math"
	"slices"

	"achilles/sim/num"
)

// floor is the smallest variance of a response. A smaller variance is raised to it, because residuals are divided by
// standard deviations.
const floor = 1e-6

// residuals has the responses minus their posterior means, and the variance of sums of them under the model. Given the
// parameters, a weighted sum of residuals has variance Σ w²v, with v the variance of a response. Because the posterior
// was fitted to the same responses, the posterior variance of the sum of expectations is subtracted (exact for a normal
// posterior: the variance of Rao's score test with the prior's information).
type residuals struct {
	data     *Data
	expected *expectations
	observed []float64   // [response]
	mean     []float64   // [class] posterior mean
	variance []float64   // [class]
	count    []float64   // [class] number of responses
	whole    []float64   // [class] standard deviation of the sum of the residuals, √(variance·count)
	share    []float64   // [class] √(variance/count)
	taken    []direction // directions in which the fit removes variance
	loads    []float64   // [class, then direction] weight of the residual of a response in the sum along the direction
}

// A direction is a unit vector over the standardised sums of residuals by class, along which the posterior varies, and the
// share of the variance along it that the fit removes, in [0, 1].
type direction struct {
	unit  []float64 // [class]
	share float64
}

// newResiduals returns the residuals of the responses. It holds about most numbers for classes and draws.
func newResiduals(d *Data, most int) *residuals {
	r := &residuals{data: d, count: make([]float64, d.Classes)}
	r.expected, r.mean, r.variance = newExpectations(d, most)
	for c, v := range r.variance {
		r.variance[c] = max(v, floor)
	}
	for i, resp := range d.Responses {
		c := d.Class[i]
		r.count[c]++
		r.observed = append(r.observed, resp.Value-r.mean[c])
	}
	for c, v := range r.variance {
		r.whole, r.share = append(r.whole, math.Sqrt(v*r.count[c])), append(r.share, math.Sqrt(v/r.count[c]))
	}
	r.taken = r.directions(most)
	r.weigh()
	r.project()
	return r
}

// project makes residuals 0 along the directions whose variance the fit has removed wholly. What is left of the residuals
// along them is a bias by the prior. Near the bound of a parameter this bias is larger than the standard deviation that
// is left.
func (r *residuals) project() {
	along := make([]float64, len(r.taken))
	for i, x := range r.observed {
		r.addAlong(along, i, x)
	}
	for k, d := range r.taken {
		if d.share < 1 {
			along[k] = 0
		}
	}
	r.take(r.observed, along)
}

// addAlong adds x, the residual of response i, to the sum along every direction.
func (r *residuals) addAlong(along []float64, i int, x float64) {
	c := r.data.Class[i]
	scaled := x / r.whole[c]
	for k := range along {
		along[k] += float64(scaled * r.taken[k].unit[c])
	}
}

// take subtracts from the residuals the part that has these sums along the directions.
func (r *residuals) take(residual, along []float64) {
	out := make([]float64, len(r.mean)) // [class]
	for k, d := range r.taken {
		num.AddTo(out, along[k], d.unit)
	}
	for i := range residual {
		c := r.data.Class[i]
		residual[i] -= float64(out[c] * r.share[c])
	}
}

// fourth returns the fourth cumulant of a response, which is a Bernoulli or a normal variable.
func (r *residuals) fourth(i int) float64 {
	if !r.data.Binary[i] {
		return 0
	}
	v := r.variance[r.data.Class[i]]
	return float64(v * (1 - float64(6*v)))
}

// addLoads adds to sums [direction], x times, the weight of the residual of response i in the sum along each direction.
func (r *residuals) addLoads(sums []float64, i int, x float64) {
	n, c := len(r.taken), int(r.data.Class[i])
	for k, l := range r.loads[c*n:][:n] {
		sums[k] += float64(x * l)
	}
}

// weigh sets r.loads from the directions.
func (r *residuals) weigh() {
	for c, share := range r.share {
		for _, d := range r.taken {
			r.loads = append(r.loads, float64(d.unit[c]*share))
		}
	}
}

// sortFindings sorts findings by P, but with all material findings first: these decide a verdict and must not be cut off.
func sortFindings(all []Finding) {
	slices.SortStableFunc(all, func(a, b Finding) int {
		if a.Material != b.Material {
			if a.Material {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.P, b.P)
	})
}
