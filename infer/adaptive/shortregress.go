package adaptive

import (
	"math"

	"achilles/sim/num"
)

// A regression predicts a subject's mean response to the items that were not chosen from its responses to the chosen ones. It
// is a Gaussian process (Rasmussen and Williams 2006, chapter 2). Its covariance function has a linear part, and a part that
// falls with the difference between the responses of two subjects.
type regression struct {
	chosen []int       // indices of the items
	x      [][]float64 // responses of the subjects to the chosen items, less the items' means
	centre []float64   // means of the chosen items
	mean   float64     // mean over the subjects of what is predicted
	kernel kernel
	solved []float64 // K⁻¹(y − mean), where y has what is predicted, by subject, and K its covariance matrix
	factor num.Lower // Cholesky factor of K
}

// A kernel is the covariance function of the process. linear and near are the variances of its two parts, and noise is that of
// independent noise. width is the mean squared difference between the responses of two subjects at which the part near has
// fallen to 1/e.
type kernel struct{ linear, near, width, noise float64 }

func (k kernel) at(x, y []float64) float64 {
	product, distance := 0.0, 0.0
	for i, v := range x {
		product += float64(v * y[i])
		distance += float64((v - y[i]) * (v - y[i]))
	}
	n := float64(len(x))
	return float64(k.linear*product/n) + float64(k.near*num.Exp(-distance/float64(n*k.width)))
}

// kernels returns the candidates of newRegression. Their linear variance is always 1, because only the ratios between the three
// variances matter to a prediction.
func kernels() (out []kernel) {
	for _, near := range []float64{0.03, 0.3} {
		for _, width := range []float64{0.1, 0.4} {
			for _, noise := range []float64{0.01, 0.03, 0.1} {
				out = append(out, kernel{1, near, width, noise})
			}
		}
	}
	return out
}

// newRegression fits the process to all subjects of the matrix. Of the candidates, it takes the kernel with the least sum of
// squared errors if each subject is left out in turn and predicted from the others.
func newRegression(m *matrix, chosen []int, candidates []kernel) *regression {
	r := &regression{chosen: chosen}
	asked := make([]bool, len(m.mean))
	for _, j := range chosen {
		asked[j] = true
		r.centre = append(r.centre, m.mean[j])
	}
	y := make([]float64, len(m.x))
	for s, row := range m.x {
		y[s] = rest(row, asked)
		r.mean += y[s] / float64(len(m.x))
		r.x = append(r.x, r.responses(row))
	}
	for s := range y {
		y[s] -= r.mean
	}
	least := math.Inf(1)
	for _, k := range candidates {
		if loss, solved, factor := r.try(k, y); loss < least {
			least, r.kernel, r.solved, r.factor = loss, k, solved, factor
		}
	}
	return r
}

// rest returns the mean response to the items that are not asked, or 0 if there are none.
func rest(row []float64, asked []bool) float64 {
	sum, n := 0.0, 0.0
	for j, v := range row {
		if !asked[j] {
			n++
			sum += v
		}
	}
	return sum / max(n, 1)
}

// responses returns the responses to the chosen items, less the items' means.
func (r *regression) responses(row []float64) []float64 {
	x := make([]float64, len(r.chosen))
	for k, j := range r.chosen {
		x[k] = row[j] - r.centre[k]
	}
	return x
}

// try returns the sum of squared errors if each subject is left out in turn, computed from the inverse of K (Rasmussen and
// Williams, 5.12), and the fields solved and factor of the regression with this kernel. The loss is +Inf if K is singular.
func (r *regression) try(k kernel, y []float64) (loss float64, solved []float64, factor num.Lower) {
	n := len(y)
	factor = num.NewLower(n)
	for i := range n {
		row := factor.Row(i)
		for j := range row {
			row[j] = k.at(r.x[i], r.x[j])
		}
		row[i] += k.noise
	}
	if !factor.Cholesky() {
		return math.Inf(1), nil, nil
	}
	solved = append([]float64(nil), y...)
	factor.SolveBoth(solved)
	column := make([]float64, n)
	for i := range n {
		clear(column)
		column[i] = 1
		factor.Solve(column)
		e := solved[i] / num.Dot(column, column)
		loss += float64(e * e)
	}
	return loss, solved, factor
}

// predict returns the expected mean response to the items that were not chosen. variance is proportional to the variance of
// that mean.
func (r *regression) predict(row []float64) (value, variance float64) {
	if r.solved == nil {
		return r.mean, 1
	}
	x := r.responses(row)
	k := make([]float64, len(r.x))
	value = r.mean
	for s, other := range r.x {
		k[s] = r.kernel.at(x, other)
		value += float64(k[s] * r.solved[s])
	}
	variance = r.kernel.at(x, x) + r.kernel.noise
	r.factor.Solve(k)
	for _, v := range k {
		variance -= float64(v * v)
	}
	return value, max(variance, r.kernel.noise)
}
