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

func newResiduals(d *Data) *residuals {
	r := &residuals{data: d, mean: make([]float64, len(d.Variance)), count: make([]float64, len(d.Variance))}
	for _, draw := range d.Mean {
		for c, x := range draw {
			r.mean[c] += x / float64(len(d.Mean))
		}
	}
	for _, v := range d.Variance {
		r.variance = append(r.variance, max(v, floor))
	}
	for i, resp := range d.Responses {
		c := d.Class[i]
		r.count[c]++
		r.observed = append(r.observed, resp.Value-r.mean[c])
	}
	for c, v := range r.variance {
		r.whole, r.share = append(r.whole, math.Sqrt(v*r.count[c])), append(r.share, math.Sqrt(v/r.count[c]))
	}
	r.taken = r.directions()
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
		for c, u := range d.unit {
			out[c] += float64(along[k] * u)
		}
	}
	for i := range residual {
		c := r.data.Class[i]
		residual[i] -= float64(out[c] * r.share[c])
	}
}

const (
	mostDirections = 24   // largest number of directions
	leastShare     = 0.02 // directions with a smaller share of the variance are left out
	mostRounds     = 30   // largest number of rounds of the power iteration
	spanDraws      = 200  // number of draws from which directions are computed
	wholly         = 0.8  // from this share on, the fit counts as removing all variance
)

// directions returns the principal components of the posterior's expectations, in units of the standard deviations of
// responses. A share from wholly on counts as 1.
func (r *residuals) directions() (out []direction) {
	rows := make([][]float64, len(r.data.Mean)) // [draw][class] standardised deviation from the posterior mean
	for m, draw := range r.data.Mean {
		rows[m] = make([]float64, len(draw))
		for c, x := range draw {
			rows[m][c] = (x - r.mean[c]) * math.Sqrt(r.count[c]/r.variance[c])
		}
	}
	units := span(rows)
	along := make([]float64, len(units))
	covariance := make([][]float64, len(units))
	for k := range covariance {
		covariance[k] = make([]float64, len(units))
	}
	for _, row := range rows {
		for k, u := range units {
			along[k] = num.Dot(row, u)
			for l := range k + 1 {
				covariance[k][l] += float64(along[k]*along[l]) / float64(len(rows))
				covariance[l][k] = covariance[k][l]
			}
		}
	}
	shares, mixes := num.Eigen(covariance)
	for k, share := range shares {
		if share < leastShare {
			continue
		}
		d := direction{unit: make([]float64, len(r.mean)), share: share}
		if share > wholly {
			d.share = 1
		}
		for l, u := range units {
			for c, x := range u {
				d.unit[c] += float64(mixes[k][l] * x)
			}
		}
		out = append(out, d)
	}
	return out
}

// span returns the leading principal components of some of the rows, by power iteration with deflation.
func span(rows [][]float64) (units [][]float64) {
	n := min(spanDraws, len(rows))
	some := make([][]float64, n)
	for m := range some {
		some[m] = slices.Clone(rows[m*len(rows)/n])
		for c := range some[m] {
			some[m][c] /= math.Sqrt(float64(n))
		}
	}
	for range mostDirections {
		unit, share := principal(some)
		if share < leastShare {
			return units
		}
		units = append(units, unit)
		for _, row := range some {
			p := num.Dot(row, unit)
			for c := range row {
				row[c] -= float64(p * unit[c])
			}
		}
	}
	return units
}

// principal returns the first principal component of rows and the sum of squares along it.
func principal(rows [][]float64) (unit []float64, share float64) {
	longest, most := rows[0], 0.0
	for _, row := range rows {
		if s := num.Dot(row, row); s > most {
			longest, most = row, s
		}
	}
	unit = slices.Clone(longest)
	if !normalise(unit) {
		return unit, 0
	}
	next := make([]float64, len(unit))
	for range mostRounds {
		clear(next)
		sum := 0.0
		for _, row := range rows {
			p := num.Dot(row, unit)
			sum += float64(p * p)
			for c, x := range row {
				next[c] += float64(p * x)
			}
		}
		unit, next = next, unit
		if !normalise(unit) {
			return unit, 0
		}
		if math.Abs(sum-share) < 1e-3*sum {
			return unit, sum
		}
		share = sum
	}
	return unit, share
}

// normalise scales x to length 1. It returns false if x is 0.
func normalise(x []float64) bool {
	length := math.Sqrt(num.Dot(x, x))
	if !(length > 1e-12) {
		return false
	}
	for i := range x {
		x[i] /= length
	}
	return true
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
