package misfit

import (
	"cmp"
	"math"
	"slices"

	"achilles/sim/num"
)

// floor keeps variances off 0, where standardised residuals are not defined.
const floor = 1e-6

// residuals are responses less their posterior mean, and what their spread is under the model. A posterior that was fitted to
// the responses has taken up a part of their deviations: of the variance Σ w²v of a weighted sum of residuals, v the variance of
// a response given the parameters, the posterior variance of the sum of expectations has gone (exact for normal posteriors; it
// is the variance of Rao's score test with the prior's information).
type residuals struct {
	data     *Data
	observed []float64   // [response]
	mean     []float64   // [class] posterior mean
	variance []float64   // [class]
	count    []float64   // [class] responses
	taken    []direction // what the fit can take up
}

// A direction is a combination of the classes in which the posterior varies: a unit vector of the sums of residuals by class,
// each over its standard deviation, and the share of the variance there that the fit takes up, in [0, 1].
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
	r.taken = r.directions()
	r.project()
	return r
}

// project takes what the fit has taken up wholly out of the residuals. A posterior mean leaves a rest there, which the prior
// pulls to one side: close to the bound of a parameter it is large beside the variance that is left.
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

// addAlong adds a residual of response i to the sums along the directions.
func (r *residuals) addAlong(along []float64, i int, x float64) {
	c := r.data.Class[i]
	scaled := x / math.Sqrt(r.variance[c]*r.count[c])
	for k := range along {
		along[k] += float64(scaled * r.taken[k].unit[c])
	}
}

// take takes sums along the directions out of residuals.
func (r *residuals) take(residual, along []float64) {
	out := make([]float64, len(r.mean)) // [class]
	for k, d := range r.taken {
		for c, u := range d.unit {
			out[c] += float64(along[k] * u)
		}
	}
	for i := range residual {
		c := r.data.Class[i]
		residual[i] -= float64(out[c] * math.Sqrt(r.variance[c]/r.count[c]))
	}
}

const (
	mostDirections = 24   // that are looked for
	leastShare     = 0.02 // of the variance, for a direction to count
	mostRounds     = 30   // of the power iteration
	spanDraws      = 200  // that the span of the directions is found with
	wholly         = 0.8  // the share from which on the fit takes all up
)

// directions are the principal components of the posterior's expectations, in units of the standard deviations of responses. A
// share above 1, where a posterior is not normal or by chance, counts as 1, and so does one from wholly on.
func (r *residuals) directions() (out []direction) {
	rows := make([][]float64, len(r.data.Mean)) // [draw][class] off the mean, scaled
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
			along[k] = dot(row, u)
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

// span gives unit vectors that most of the rows' variance lies along, by power iteration with deflation on some of the rows.
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
			p := dot(row, unit)
			for c := range row {
				row[c] -= float64(p * unit[c])
			}
		}
	}
	return units
}

// principal is the first principal component of rows and the sum of squares along it.
func principal(rows [][]float64) (unit []float64, share float64) {
	longest, most := rows[0], 0.0
	for _, row := range rows {
		if s := dot(row, row); s > most {
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
			p := dot(row, unit)
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

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// normalise scales x to length 1; false where it has none.
func normalise(x []float64) bool {
	length := math.Sqrt(dot(x, x))
	if !(length > 1e-12) {
		return false
	}
	for i := range x {
		x[i] /= length
	}
	return true
}

// fourth is the fourth cumulant of a response: that of a Bernoulli variable, or of a normal one.
func (r *residuals) fourth(i int) float64 {
	if !r.data.Binary[i] {
		return 0
	}
	v := r.variance[r.data.Class[i]]
	return float64(v * (1 - float64(6*v)))
}

// load is the weight of response i in direction k: what its residual adds there.
func (r *residuals) load(i, k int) float64 {
	c := r.data.Class[i]
	return float64(r.taken[k].unit[c] * math.Sqrt(r.variance[c]/r.count[c]))
}

// sortFindings sorts material findings first: they decide a verdict and must not be cut off. Then by P.
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
