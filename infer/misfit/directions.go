package misfit

import (
	"math"
	"slices"

	"achilles/sim/num"
)

const (
	mostDirections = 24   // largest number of directions
	leastShare     = 0.02 // directions with a smaller share of the variance are left out
	mostRounds     = 30   // largest number of rounds of the power iteration
	spanDraws      = 200  // number of draws from which directions are computed
	wholly         = 0.8  // from this share on, the fit counts as removing all variance
)

// directions returns the principal components of the posterior's expectations, in units of the standard deviations of
// responses. A share from wholly on counts as 1. It holds about most numbers besides them.
func (r *residuals) directions(most int) (out []direction) {
	scale := make([]float64, len(r.mean))
	for c, v := range r.variance {
		scale[c] = math.Sqrt(r.count[c] / v)
	}
	draws := r.data.Draws
	deviate := func(m int, row []float64) { // writes the standardised deviation of a draw from the posterior mean
		for c, x := range r.expected.draw(m) {
			row[c] = (x - r.mean[c]) * scale[c]
		}
	}
	n := min(spanDraws, draws)
	units := span(n, len(scale), most, func(m int, row []float64) {
		deviate(m*draws/n, row)
		for c := range row {
			row[c] /= math.Sqrt(float64(n))
		}
	})
	along := make([]float64, len(units))
	covariance := num.Rows(len(units), len(units))
	row := make([]float64, len(scale))
	for m := range draws {
		deviate(m, row)
		for k, u := range units {
			along[k] = num.Dot(row, u)
			for l := range k + 1 {
				covariance[k][l] += float64(along[k]*along[l]) / float64(draws)
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
			num.AddTo(d.unit, mixes[k][l], u)
		}
		out = append(out, d)
	}
	return out
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
			num.AddTo(next, p, row)
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
	norm := length(x)
	if !(norm > 1e-12) {
		return false
	}
	for i := range x {
		x[i] /= norm
	}
	return true
}
