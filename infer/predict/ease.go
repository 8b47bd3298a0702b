package predict

import (
	"context"
	"math"
	"slices"

	"achilles/infer/table"
	"achilles/sim/num"
)

// An EASE predicts a response from the subject's responses to all other items by a linear regression in closed form (Steck 2019,
// "Embarrassingly shallow autoencoders for sparse data"). X has the residuals of the responses after the means of items and subjects. With
// P = (XᵀX + λI)⁻¹, the weight of item i for item j is −P_ij/P_jj, which is the conditional mean if subjects are draws from a normal
// distribution with the precision P. A missing response is 0 at first, and moves in every round to what its weights predict, and on as in
// successive over-relaxation (Young 1954), but in the last round.
// If there are more items than subjects, subjects take the place of items.
type EASE struct {
	ID
	Ridges []float64 // candidates for λ, ascending, in mean diagonal elements of XᵀX: the first whose fit to four fifths of the rows predicts the others better than the next does
	Rounds int
	Widest int // largest number of items, or of subjects if these are fewer, whose regressions are computed; with more, means alone predict
}

// DefaultEASE returns an EASE with six rounds.
func DefaultEASE(id string) EASE {
	return EASE{ID: ID(id), Ridges: []float64{0.4, 1, 3, 12, 50}, Rounds: 6, Widest: 1000}
}

// relaxation is the factor of over-relaxation. With any below 2 the imputation converges for given weights; with this one six rounds get where
// some twenty get without.
const relaxation = 1.8

// maxCells is the largest number of subjects × items.
const maxCells = 20_000_000

// Fit chooses λ and predicts the missing responses. In a binary table the fifth of the rows by which λ was chosen also makes probabilities of
// its predictions (Platt 1999). It fails when ctx is done.
func (o EASE) Fit(ctx context.Context, train *table.Table, root uint64) (Model, error) {
	if len(o.Ridges) == 1 {
		return o.fitEither(ctx, train, o.Ridges[0])
	}
	_, fold := folds(train, 5, train.Rows(), root)
	rows, rest := foldRows(fold, 0)
	in, held := train.Subset(rows), train.Subset(rest)
	best, least, link := 0.0, math.Inf(1), logLink{}
	for _, ridge := range o.Ridges {
		m, err := o.fitEither(ctx, in, ridge)
		if err != nil {
			return nil, err
		}
		loss := MSE.total(m, held)
		if loss >= least {
			break
		}
		best, least = ridge, loss
		if train.Binary {
			link = newLogLink(scores(m, held), held.Value)
		}
	}
	m, err := o.fitEither(ctx, train, best)
	if err != nil || !train.Binary {
		return m, err
	}
	return linked{m, link}, nil
}

func (o EASE) fitEither(ctx context.Context, t *table.Table, ridge float64) (scorer, error) {
	if len(t.Items) > len(t.Subjects) {
		m, err := o.fit(ctx, turn(t), ridge)
		return turned{m}, err
	}
	return o.fit(ctx, t, ridge)
}

func (o EASE) fit(ctx context.Context, t *table.Table, ridge float64) (*completed, error) {
	m := newCompleted(t)
	items, subjects := len(t.Items), len(t.Subjects)
	if items > o.Widest || subjects*items > maxCells || t.Rows() == 0 {
		return m, ctx.Err()
	}
	x, known := make([]float64, subjects*items), make([]float64, subjects*items)
	for i, v := range t.Value {
		at := int(t.Subject[i])*items + int(t.Item[i])
		known[at]++
		x[at] += (v - m.expected(t.Subject[i], t.Item[i]) - x[at]) / known[at]
	}
	var p [][]float64
	for round := range o.Rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p = precision(x, items, ridge)
		step := relaxation
		if round == o.Rounds-1 {
			step = 1
		}
		for s := range subjects {
			row := x[s*items : (s+1)*items]
			for j := range row {
				if known[s*items+j] == 0 {
					row[j] -= step * num.DotInFour(p[j], row) / p[j][j] // a step of Gauss and Seidel
				}
			}
		}
	}
	y := make([]float64, items)
	for s := range subjects { // where there is a response, another one is predicted from all others
		row := x[s*items : (s+1)*items]
		copy(y, row)
		for j := range row {
			if known[s*items+j] > 0 {
				row[j] = y[j] - num.DotInFour(p[j], y)/p[j][j]
			}
		}
	}
	m.x = x
	return m, nil
}

// precision returns P of the residuals x, row by row.
func precision(x []float64, items int, ridge float64) [][]float64 {
	gram, trace := num.NewLower(items), 0.0
	c := make([]float64, 4)
	for block := range slices.Chunk(slices.Collect(slices.Chunk(x, items)), len(c)) { // four subjects at a time
		for a := range items {
			for k, row := range block {
				c[k] = row[a]
			}
			addSum(gram.Row(a), block, c)
		}
	}
	for j := range items {
		trace += gram.Row(j)[j]
	}
	for j := range items {
		gram.Row(j)[j] += max(ridge*trace/float64(items), 1e-9)
	}
	factorise(gram)
	return inverse(gram, items)
}

// inverse returns A⁻¹, row by row, where l is the Cholesky factor of the n × n matrix A.
func inverse(l num.Lower, n int) [][]float64 {
	lower, out := make([][]float64, n), make([][]float64, n) // lower has L⁻¹, row by row
	c := make([]float64, n)
	for i := range n {
		row := l.Row(i)
		lower[i], out[i] = make([]float64, n), make([]float64, n)
		for k := range row {
			c[k] = -row[k] / row[i]
		}
		for from := 0; from < i; from += 4 {
			to := min(from+4, i)
			addSum(lower[i][:to], lower[from:to], c[from:to])
		}
		lower[i][i] = 1 / row[i]
	}
	for from := 0; from < n; from += 4 { // A⁻¹ is the sum of the rows' products with themselves
		to := min(from+4, n)
		for a := range to {
			for k, row := range lower[from:to] {
				c[k] = row[a]
			}
			addSum(out[a][:a+1], lower[from:to], c)
		}
	}
	for a := range n {
		for b := range a {
			out[b][a] = out[a][b]
		}
	}
	return out
}

// addSum adds the sum of c[k]·x[k] to y, which may be shorter than each x[k]: four at a time, so that y is read and written less often.
func addSum(y []float64, x [][]float64, c []float64) {
	for ; len(x) >= 4; x, c = x[4:], c[4:] {
		c0, c1, c2, c3 := c[0], c[1], c[2], c[3]
		x0, x1, x2, x3 := x[0][:len(y)], x[1][:len(y)], x[2][:len(y)], x[3][:len(y)]
		for k := range y {
			y[k] += (float64(c0*x0[k]) + float64(c1*x1[k])) + (float64(c2*x2[k]) + float64(c3*x3[k]))
		}
	}
	for k, row := range x {
		addScaled(y, row, c[k])
	}
}

// A completed table has the mean of all responses and, moved towards it, those of items and subjects, and all residuals after these.
type completed struct {
	all           float64
	subject, item []float64 // deviations
	x             []float64 // residuals by subject and item; nil: none
}

// meanPrior is the number of responses, at the mean of all, that are added to those of an item or a subject.
const meanPrior = 1

func newCompleted(t *table.Table) *completed {
	m := &completed{all: rate(t), subject: make([]float64, len(t.Subjects)), item: make([]float64, len(t.Items))}
	n := make([]float64, len(t.Items))
	for i, v := range t.Value {
		m.item[t.Item[i]] += v - m.all
		n[t.Item[i]]++
	}
	for j := range n {
		m.item[j] /= n[j] + meanPrior
	}
	n = make([]float64, len(t.Subjects))
	for i, v := range t.Value {
		m.subject[t.Subject[i]] += v - m.all - m.item[t.Item[i]]
		n[t.Subject[i]]++
	}
	for s := range n {
		m.subject[s] /= n[s] + meanPrior
	}
	return m
}

func (m *completed) expected(s, j int32) float64 { return m.all + m.subject[s] + m.item[j] }

// score returns the expectation by the means plus the residual.
func (m *completed) score(s, j int32) float64 {
	z := m.expected(s, j)
	if m.x != nil {
		z += m.x[int(s)*len(m.item)+int(j)]
	}
	return z
}

// Predict moves the scores into [0, 1].
func (m *completed) Predict(subject, item []int32, p []float64) {
	for i, s := range subject {
		p[i] = min(max(m.score(s, item[i]), 0), 1)
	}
}

// turn returns a table in which subjects are items and items are subjects, without features.
func turn(t *table.Table) *table.Table {
	rows := num.Indices(t.Rows())
	slices.SortStableFunc(rows, func(a, b int) int { return int(t.Item[a]) - int(t.Item[b]) })
	out := &table.Table{Subjects: t.Items, Items: t.Subjects, Binary: t.Binary}
	for _, i := range rows {
		out.Subject, out.Item, out.Value = append(out.Subject, t.Item[i]), append(out.Item, t.Subject[i]), append(out.Value, t.Value[i])
	}
	return out
}

// A turned model was fitted to a table that turn returned.
type turned struct{ *completed }

func (m turned) score(s, j int32) float64 { return m.completed.score(j, s) }

// Predict exchanges subjects and items.
func (m turned) Predict(subject, item []int32, p []float64) { m.completed.Predict(item, subject, p) }
