package predict

import (
	"context"
	"math"
	"slices"

	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A FactorAnalysis predicts scores in [0, 1], exact zeros and ones included, on their own scale. In standard deviations from the
// mean of all scores, the score of subject s on item j is
//
//	z_sj = μ_s + λ_s·f_j + ε_sj    with    f_j ~ N(0, I)  and  ε_sj ~ N(0, ψ_s)
//
// so that the scores of all subjects on an item are one draw from a normal distribution with the covariance λλᵀ + ψ. EM (Rubin
// and Thayer 1982) integrates the factors f of the items out. The loadings (μ_s, λ_s) have a normal prior around their mean over
// the subjects, with learnt variances. The prediction is the expected score, moved into [0, 1]. The model suits tables with many
// items and subjects that err alike.
type FactorAnalysis struct {
	ID
	Factors []int // candidates for the number of factors, ascending: the first whose fit to four fifths of the rows predicts the others better than the next does
	Steps   int   // number of steps of EM; a third to choose the number of factors
	MaxRows int   // largest number of rows by which the number of factors is chosen; more are sampled at random
}

// DefaultFactorAnalysis returns a FactorAnalysis with at most eight factors.
func DefaultFactorAnalysis(id string) FactorAnalysis {
	return FactorAnalysis{ID: ID(id), Factors: []int{1, 2, 3, 5, 8}, Steps: 60, MaxRows: 200_000}
}

// Fit chooses the number of factors and fits the model to all rows. It fails when ctx is done.
func (o FactorAnalysis) Fit(ctx context.Context, train *table.Table, root uint64) (Model, error) {
	best, least := o.Factors[0], math.Inf(1)
	if len(o.Factors) > 1 {
		sample, fold := folds(train, 5, o.MaxRows, root)
		rows, rest := foldRows(fold, 0)
		most, few := sample.Subset(rows), sample.Subset(rest)
		for _, k := range o.Factors {
			m, err := o.fit(ctx, most, k, (o.Steps+2)/3, root)
			if err != nil {
				return nil, err
			}
			loss := MSE.total(m, few)
			if loss >= least {
				break
			}
			best, least = k, loss
		}
	}
	m, err := o.fit(ctx, train, best, o.Steps, root)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (o FactorAnalysis) fit(ctx context.Context, t *table.Table, factors, steps int, root uint64) (*loadings, error) {
	m := newLoadings(t, factors, root)
	m.updateItems()
	for range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.updateSubjects()
		m.updateItems()
	}
	return m, nil
}

// loadings are the parameters of the subjects, and the posterior of the items' factors given these parameters.
type loadings struct {
	t        *table.Table
	mean, sd float64     // of all scores
	z        []float64   // standardised score of each row
	bounds   []int       // by subject: its first row; the last element is the number of rows
	byItem   [][]int32   // by item: its rows
	subject  [][]float64 // by subject: μ, then λ
	psi      []float64   // by subject: ψ
	centre   []float64   // prior mean of μ and λ
	spread   []float64   // prior variance of μ and λ
	factor   [][]float64 // by item: 1, then the posterior mean of f
	moment   []num.Lower // by item: posterior mean of (1, f)(1, f)ᵀ
}

func newLoadings(t *table.Table, factors int, root uint64) *loadings {
	w := factors + 1
	m := &loadings{t: t, mean: rate(t), bounds: t.Bounds(), byItem: make([][]int32, len(t.Items)), centre: make([]float64, w), spread: slices.Repeat([]float64{1}, w)}
	for _, v := range t.Value {
		m.sd += float64((v - m.mean) * (v - m.mean))
	}
	if m.sd = math.Sqrt(m.sd / float64(max(t.Rows(), 1))); m.sd < 1e-6 {
		m.sd = 1 // all scores are equal
	}
	for i, v := range t.Value {
		m.z = append(m.z, (v-m.mean)/m.sd)
		m.byItem[t.Item[i]] = append(m.byItem[t.Item[i]], int32(i))
	}
	r := rng.Stream(root, "factor analysis")
	for range t.Subjects {
		b := make([]float64, w)
		for k := range factors {
			b[k+1] = 0.3 * r.Norm()
		}
		b[1] += 0.5 // the first factor starts as the ease of items for all subjects
		m.subject, m.psi = append(m.subject, b), append(m.psi, 0.5)
	}
	for range t.Items {
		m.factor, m.moment = append(m.factor, make([]float64, w)), append(m.moment, num.NewLower(w))
	}
	return m
}

// updateItems computes the posterior of every item's factors: the step E.
func (m *loadings) updateItems() {
	w := len(m.centre)
	known, per := make([]num.Lower, len(m.subject)), make([][]float64, len(m.subject)) // by subject: λλᵀ/ψ and λ/ψ, which its rows add
	for s, b := range m.subject {
		known[s], per[s] = num.NewLower(w-1), make([]float64, w-1)
		for k, x := range b[1:] {
			per[s][k] = x / m.psi[s]
			addScaled(known[s].Row(k), b[1:], per[s][k])
		}
	}
	precision, column := num.NewLower(w-1), make([]float64, w-1)
	for j, f := range m.factor {
		clear(precision)
		clear(f)
		f[0] = 1
		for k := range column {
			precision.Row(k)[k] = 1
		}
		for _, i := range m.byItem[j] {
			s := m.t.Subject[i]
			addScaled(precision, known[s], 1)
			addScaled(f[1:], per[s], m.z[i]-m.subject[s][0])
		}
		factorise(precision)
		precision.SolveBoth(f[1:])
		for k, x := range f {
			row := m.moment[j].Row(k)
			clear(row)
			addScaled(row, f, x)
			if k == 0 {
				continue
			}
			clear(column)
			column[k-1] = 1
			precision.SolveBoth(column)
			addScaled(row[1:], column, 1)
		}
	}
}

// variancePrior is the prior of every variance: it counts as one more observation, with this square.
const variancePrior = 0.1

// updateSubjects maximises the expected log posterior over the subjects' parameters, and then over the prior: the step M.
func (m *loadings) updateSubjects() {
	w := len(m.centre)
	precision, moment, product, column := num.NewLower(w), num.NewLower(w), make([]float64, w), make([]float64, w)
	sum, square := make([]float64, w), make([]float64, w)
	for s, b := range m.subject {
		clear(moment)
		clear(product)
		residual := variancePrior
		for i := m.bounds[s]; i < m.bounds[s+1]; i++ {
			j, z := m.t.Item[i], m.z[i]
			addScaled(moment, m.moment[j], 1)
			addScaled(product, m.factor[j], z)
			residual += float64(z * z)
		}
		m.regress(s, moment, product, precision)
		residual += quadratic(moment, b) - 2*num.Dot(b, product)
		m.psi[s] = max(residual, variancePrior) / float64(m.bounds[s+1]-m.bounds[s]+1) // less by rounding alone
		for k := range w {
			clear(column)
			column[k] = 1
			precision.Solve(column)
			sum[k] += b[k]
			square[k] += float64(b[k]*b[k]) + num.Dot(column, column)
		}
	}
	n := float64(len(m.subject))
	for k := range w {
		m.centre[k] = sum[k] / n
		m.spread[k] = (max(square[k]-float64(sum[k]*m.centre[k]), 0) + variancePrior) / (n + 1)
	}
}

// regress sets the loadings of subject s to their posterior mean given the factors of the items, and precision to the Cholesky
// factor of their posterior precision. moment and product are the sums over the subject's rows of (1, f)(1, f)ᵀ and z(1, f).
func (m *loadings) regress(s int, moment num.Lower, product []float64, precision num.Lower) {
	b, psi := m.subject[s], m.psi[s]
	clear(precision)
	addScaled(precision, moment, 1/psi)
	for k := range b {
		precision.Row(k)[k] += 1 / m.spread[k]
		b[k] = m.centre[k]/m.spread[k] + product[k]/psi
	}
	factorise(precision)
	precision.SolveBoth(b)
}

// Predict sets p to the expected scores.
func (m *loadings) Predict(subject, item []int32, p []float64) {
	for i, s := range subject {
		p[i] = min(max(m.mean+float64(m.sd*num.Dot(m.subject[s], m.factor[item[i]])), 0), 1)
	}
}

// addScaled adds a·x to y, which may be shorter than x.
func addScaled(y, x []float64, a float64) { num.AddTo(y, a, x[:len(y)]) }

// quadratic returns xᵀAx, where a is the triangle of the symmetric matrix A.
func quadratic(a num.Lower, x []float64) (sum float64) {
	for k, v := range x {
		row := a.Row(k)
		sum += float64(v * (2*num.Dot(row, x) - float64(row[k]*v)))
	}
	return sum
}
