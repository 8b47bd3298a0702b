package predict

import (
	"context"
	"math"
	"slices"

	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Logistic is logistic regression with L2 penalties. All subjects share an intercept and the slopes of the features,
// and each subject has deviations from these. The shared slopes and the subjects' intercepts have one penalty, the
// subjects' slopes another. Cross-validation within the training rows picks both penalties by log loss.
type Logistic struct {
	ID
	Features  []string
	Penalties []float64 // candidates for the penalty of shared slopes and subjects' intercepts
	Slopes    []float64 // candidates for the penalty of the subjects' slopes; +Inf: subjects have no slopes of their own
	Folds     int       // folds of the cross-validation
	MaxTuning int       // largest number of rows in the cross-validation; more are sampled at random
}

// DefaultLogistic returns a Logistic whose candidates differ by a factor of ten.
func DefaultLogistic(id string, features []string) Logistic {
	return Logistic{ID: ID(id), Features: features, Penalties: []float64{0.1, 1, 10}, Slopes: []float64{0.3, 3, 30, math.Inf(1)}, Folds: 5, MaxTuning: 50_000}
}

// Fit chooses the penalties and maximises the penalised likelihood. It fails for a feature that is not in the table, and
// when ctx is done.
func (o Logistic) Fit(ctx context.Context, train *table.Table, root uint64) (Model, error) {
	fs, missing := train.Select(o.Features)
	if missing != "" {
		return nil, unknownFeature(missing)
	}
	d := newDesign(len(train.Items), fs)
	main, slope := o.Penalties[0], o.Slopes[0]
	if len(o.Penalties)*len(o.Slopes) > 1 {
		var err error
		if main, slope, err = o.tune(ctx, train, d, root); err != nil {
			return nil, err
		}
	}
	return newLogit(train, d, main, slope).fit(ctx)
}

// tune returns the pair of penalties with the least sum of log losses over the folds.
func (o Logistic) tune(ctx context.Context, train *table.Table, d *design, root uint64) (main, slope float64, err error) {
	train, fold := folds(train, o.Folds, o.MaxTuning, root)
	in, out, last := make([]*table.Table, o.Folds), make([]*table.Table, o.Folds), make([]*logitModel, o.Folds)
	for k := range o.Folds {
		rows, rest := foldRows(fold, k)
		in[k], out[k] = train.Subset(rows), train.Subset(rest)
	}
	best := math.Inf(1)
	for _, a := range o.Penalties {
		for _, b := range o.Slopes {
			loss := 0.0
			for k := range o.Folds {
				f := newLogit(in[k], d, a, b)
				if last[k] != nil {
					f.startAt(last[k]) // the maximum for the penalties before is near
				}
				if last[k], err = f.fit(ctx); err != nil {
					return 0, 0, err
				}
				loss += LogLoss.total(last[k], out[k])
			}
			if loss < best {
				main, slope, best = a, b, loss
			}
		}
	}
	return main, slope, nil
}

// folds assigns the rows at random to k folds, whose sizes differ by at most one. If the table has more than limit
// rows, it first draws limit rows at random. It returns the table of the rows that were used, and the fold of each.
func folds(t *table.Table, k, limit int, root uint64) (*table.Table, []int) {
	r := rng.Stream(root, "folds")
	if t.Rows() > limit {
		rows := make([]int32, 0, limit)
		for _, i := range r.Perm(t.Rows())[:limit] {
			rows = append(rows, int32(i))
		}
		slices.Sort(rows)
		t = t.Subset(rows)
	}
	fold := make([]int, t.Rows())
	for place, i := range r.Perm(t.Rows()) {
		fold[i] = place % k
	}
	return t, fold
}

// foldRows returns the rows outside fold k, and rest, the rows inside it.
func foldRows(fold []int, k int) (rows, rest []int32) {
	for i, f := range fold {
		if f == k {
			rest = append(rest, int32(i))
		} else {
			rows = append(rows, int32(i))
		}
	}
	return rows, rest
}

// A logitModel has the shared coefficients, and the deviations of every subject: either of its intercept alone, or of
// its intercept and slopes.
type logitModel struct {
	d      *design
	shared []float64
	own    []float64 // subjects × width
	width  int       // number of deviations of a subject
}

// Predict evaluates the regression.
func (m *logitModel) Predict(subject, item []int32, p []float64) {
	for i := range p {
		p[i] = num.Logistic(m.eta(int(subject[i]), m.d.row(int(item[i]))))
	}
}

func (m *logitModel) eta(subject int, x []float64) float64 {
	sum := 0.0
	for k, v := range x {
		sum += float64(v * m.shared[k])
	}
	for k, v := range m.own[subject*m.width : (subject+1)*m.width] {
		sum += float64(v * x[k])
	}
	return sum
}
