package shortform

import (
	"math"

	"achilles/sim/num"
)

// A regression predicts the mean over the items that are not asked from the responses to those that are: a Gaussian process
// (Rasmussen and Williams 2006, chapter 2) with a linear part and one that depends on how near two subjects' responses are.
type regression struct {
	chosen []int
	x      [][]float64 // responses of the subjects to the chosen items, less the items' means
	centre []float64   // means of the chosen items
	mean   float64     // of the target
	kernel kernel
	solved []float64 // K⁻¹(y − mean)
	factor num.Lower // of K
}

// A kernel has the variances of its parts and the mean squared difference of two responses
// at which subjects are no longer near.
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

// kernels are the candidates. Only the ratio of the parts to the noise matters to a prediction.
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

// newRegression fits the process to all subjects of the matrix, with the candidate of the least squared error when each
// subject is left out in turn.
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

// rest is the mean over the items that are not asked, 0 if there is none.
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

// try returns the squared error of leaving each subject out in turn, by the inverse of K (Rasmussen and Williams, 5.12).
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
	factor.Solve(solved)
	factor.SolveTransposed(solved)
	column := make([]float64, n)
	for i := range n {
		clear(column)
		column[i] = 1
		factor.Solve(column)
		inverse := 0.0
		for _, v := range column {
			inverse += float64(v * v)
		}
		e := solved[i] / inverse
		loss += float64(e * e)
	}
	return loss, solved, factor
}

// predict returns the expected mean over the items that are not asked, and a number that is proportional to its variance.
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
