package adaptive

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// ShortForms are settings of short forms of a test: a few items from which the total score of a new subject is predicted. What is needed is
// learnt from other subjects, who have responded to all items.
type ShortForms struct {
	Items    []int    // numbers of items of the short forms
	Folds    int      // number of random folds of subjects; the subjects of one fold at a time count as new
	Families []string // prefixes of subjects' names, one for each family; then one family at a time counts as new; may be empty
	Level    float64  // level of the intervals, in (0, 1)
	Rivals   []predict.Predictor
	Root     uint64
}

// A ShortForm says how well one model predicts the totals of new subjects from short forms of one length.
type ShortForm struct {
	New       string // "subject" or "family": whether new subjects are a fold or a family
	Way       string // how the items were selected: "chosen" or "random" for all, or "adaptive" for each subject, not of a new family
	Items     int
	Model     string
	Subjects  int
	Within    float64 // share of subjects whose total is predicted to within two percentage points
	RMSE      float64 // of the total, as a share of the items
	Covered   float64 // share of subjects whose total lies in the interval; NaN if the model has none
	HalfWidth float64 // mean half width of the interval; NaN if the model has none
}

// near is the largest error with which a predicted total, as a share of the items, counts as right.
const near = 0.02

// Names of two predictions; all others are made by the rivals and have their names.
const (
	ours = "short_form" // the regression on the responses to the short form
	item = "item"       // the mean response of the other subjects to the items that are not in the short form
)

// Evaluate predicts the totals of new subjects from their responses to a short form, whose items are chosen from the responses
// of the other subjects, drawn at random, or, for each new subject, chosen one after the other by its own responses too. Each fold of subjects
// is new once, and each family once. Rivals are fitted to all responses of the other subjects, and to the responses of the new ones to the
// short form, if that is the same for all. No items are chosen for each subject of a new family: what responds like them is left out.
func (s ShortForms) Evaluate(ctx context.Context, t *table.Table) ([]ShortForm, error) {
	var out []ShortForm
	for _, group := range []string{"subject", "family"} {
		folds := s.folds(t, group)
		for _, way := range []string{"chosen", "random", "adaptive"} {
			for _, n := range s.Items {
				if folds == nil || n >= len(t.Items) || way == "adaptive" && group == "family" { // of a new family none responds like those before
					continue
				}
				g := &grader{ShortForms: s, t: t, models: map[string]*tally{}}
				for f := range slices.Max(folds) + 1 {
					if err := g.fold(ctx, folds, f, way, n, group); err != nil {
						return nil, err
					}
				}
				for _, name := range g.order {
					r := g.models[name].result()
					r.New, r.Way, r.Items, r.Model = group, way, n, name
					out = append(out, r)
				}
			}
		}
	}
	return out, nil
}

// folds returns the fold of every subject. group is "subject", for random folds, or "family", for a fold for each family; −1
// means that a subject is in no family. It returns nil if there are fewer than two folds or fewer than four subjects.
func (s ShortForms) folds(t *table.Table, group string) []int {
	fold := make([]int, len(t.Subjects))
	if group == "subject" {
		r := rng.Stream(s.Root, "short form", "folds")
		for place, i := range r.Perm(len(fold)) {
			fold[i] = place % s.Folds
		}
	} else {
		for i, id := range t.Subjects {
			fold[i] = slices.IndexFunc(s.Families, func(prefix string) bool { return strings.HasPrefix(id, prefix) })
		}
	}
	if len(fold) < 4 || slices.Max(fold) < 1 {
		return nil
	}
	return fold
}

// A grader compares predicted totals with true ones.
type grader struct {
	ShortForms
	t      *table.Table
	order  []string          // names of the models, in the order of their first prediction
	models map[string]*tally // by name
}

// A tally has the number of new subjects of a model, those with an error of at most near, the sum of squared errors, the
// number of totals inside their interval, and the sum of the intervals' half widths.
type tally struct{ n, within, square, covered, half float64 }

func (g *grader) add(name string, predicted, total, half float64) {
	c := g.models[name]
	if c == nil {
		c = &tally{}
		g.models[name] = c
		g.order = append(g.order, name)
	}
	d := predicted - total
	c.n++
	c.square += float64(d * d)
	c.half += half
	if math.Abs(d) <= near {
		c.within++
	}
	if math.Abs(d) <= half {
		c.covered++
	}
}

func (c *tally) result() ShortForm {
	r := ShortForm{Subjects: int(c.n), Within: c.within / c.n, RMSE: math.Sqrt(c.square / c.n), Covered: c.covered / c.n, HalfWidth: c.half / c.n}
	if math.IsNaN(r.HalfWidth) {
		r.Covered = math.NaN()
	}
	return r
}

// fold predicts the totals of the subjects of fold f from short forms of n items.
func (g *grader) fold(ctx context.Context, folds []int, f int, way string, n int, group string) error {
	var old, fresh []int
	for s, k := range folds {
		if k == f {
			fresh = append(fresh, s)
		} else {
			old = append(old, s)
		}
	}
	if len(old) < 2 || len(fresh) == 0 {
		return ctx.Err()
	}
	m, others := newMatrix(g.t, old), newMatrix(g.t, fresh)
	if way == "adaptive" {
		again := byKinds(n)
		g.ours(m, others, again(m), again, inner(old, folds, group), group)
		return ctx.Err()
	}
	var items []int
	if way == "chosen" {
		items = choose(m, n)
	} else {
		r := rng.Stream(g.Root, "short form", "random", strconv.Itoa(f), strconv.Itoa(n))
		items = r.Perm(len(g.t.Items))[:n]
	}
	asked := which(items, len(g.t.Items))
	r := newRegression(m, items, kernels())
	g.ours(m, others, r.predictor(asked), func(in *matrix) predictor {
		items, asked := items, asked
		if way == "chosen" {
			items = choose(in, n)
			asked = which(items, len(g.t.Items))
		}
		return newRegression(in, items, []kernel{r.kernel}).predictor(asked)
	}, inner(old, folds, group), group)
	for s, row := range others.x {
		base, share, total := totals(row, others.known[s], asked)
		g.add(item, base+float64(share*r.mean), total, math.NaN())
	}
	return g.rivals(ctx, folds, f, asked)
}

// which returns, of so many items, which are among some.
func which(some []int, items int) []bool {
	out := make([]bool, items)
	for _, j := range some {
		out[j] = true
	}
	return out
}

// A predictor says which items a new subject with some responses is asked, whose mean response to the others it predicts from those to
// these. variance is proportional to the variance of that mean.
type predictor func(row []float64, known []bool) (asked []bool, value, variance float64)

// predictor returns the predictor that asks everybody the same.
func (r *regression) predictor(asked []bool) predictor {
	return func(row []float64, _ []bool) ([]bool, float64, float64) {
		value, variance := r.predict(row)
		return asked, value, variance
	}
}

// byKinds returns a function that makes the predictor that chooses n items for each subject.
func byKinds(n int) func(*matrix) predictor {
	return func(m *matrix) predictor {
		k := newKinds(m)
		return func(row []float64, known []bool) ([]bool, float64, float64) {
			items, weight := k.take(row, known, n)
			value, variance := k.predict(row, items, weight)
			return which(items, len(row)), value, variance
		}
	}
}

// ours predicts the totals of the new subjects by a predictor made from the matrix of the others. The width of the intervals comes from
// the errors, for these others, of predictors that are made again without those they predict.
func (g *grader) ours(m, fresh *matrix, predict predictor, again func(*matrix) predictor, inner []int, group string) {
	width := g.width(m, again, inner, group)
	for s, row := range fresh.x {
		asked, value, variance := predict(row, fresh.known[s])
		base, share, total := totals(row, fresh.known[s], asked)
		g.add(ours, base+float64(share*value), total, float64(share*width*math.Sqrt(variance)))
	}
}

// totals returns the total of a subject, which is the mean of its known responses, and its two parts: base is the sum of the
// responses to asked items divided by the number of all responses, and share is the share of the responses to other items.
func totals(row []float64, known, asked []bool) (base, share, total float64) {
	n := 0.0
	for j, v := range row {
		if !known[j] {
			continue
		}
		n++
		total += v
		if asked[j] {
			base += v
		} else {
			share++
		}
	}
	n = max(n, 1)
	return base / n, share / n, total / n
}

// innerFolds is the number of random folds in width.
const innerFolds = 5

// inner returns the fold of width of each old subject, given their indices: where families are new and two or more others are known,
// each of those is one, and −1 means that a subject is in none.
func inner(old, folds []int, group string) []int {
	out, known := make([]int, len(old)), map[int]bool{}
	for k, s := range old {
		if out[k] = folds[s]; folds[s] >= 0 {
			known[folds[s]] = true
		}
	}
	if group == "family" && len(known) > 1 {
		return out
	}
	for k := range out {
		out[k] = k % innerFolds
	}
	return out
}

// width returns the half width of an interval in units of the square root of the predicted variance (normalised split conformal
// prediction, Lei et al. 2018). Each fold of the matrix is left out in turn: a predictor is made without it, and its errors are divided by
// the square roots of their variances. Where families are new the folds are families.
func (g *grader) width(m *matrix, again func(*matrix) predictor, folds []int, group string) float64 {
	errors := make([][]float64, slices.Max(folds)+1)
	for f := range errors {
		in, out := m.without(folds, f)
		if len(in.x) == 0 || len(out.x) == 0 {
			continue
		}
		predict := again(in)
		for s, row := range out.x {
			asked, value, variance := predict(row, out.known[s])
			errors[f] = append(errors[f], (value-rest(row, asked))/math.Sqrt(variance))
		}
	}
	if group == "family" {
		return familyWidth(errors, g.Level)
	}
	return g.quantile(slices.Concat(errors...))
}

// quantile returns the quantile of absolute errors that an exchangeable one exceeds with a probability of at most one less the level.
func (g *grader) quantile(errors []float64) float64 {
	sorted := make([]float64, len(errors))
	for i, e := range errors {
		sorted[i] = math.Abs(e)
	}
	slices.Sort(sorted)
	return num.SortedQuantile(sorted, min(1, g.Level*float64(len(sorted)+1)/float64(len(sorted))))
}

// rivals adds the totals that the rivals predict for new subjects: the responses to asked items and the predictions for the
// other items, averaged over the responses.
func (g *grader) rivals(ctx context.Context, folds []int, f int, asked []bool) error {
	split := predict.By(g.t, "", func(i int) (bool, bool) {
		fresh := folds[g.t.Subject[i]] == f
		return !fresh || asked[g.t.Item[i]], fresh && !asked[g.t.Item[i]]
	})
	train, test := g.t.Subset(split.Train), g.t.Subset(split.Test)
	for _, p := range g.Rivals {
		model, err := p.Fit(ctx, train, rng.Derive(g.Root, "short form", p.Name(), strconv.Itoa(f)))
		if err != nil {
			return err
		}
		q := make([]float64, test.Rows())
		model.Predict(test.Subject, test.Item, q)
		predicted, total, n := make([]float64, len(folds)), make([]float64, len(folds)), make([]float64, len(folds))
		for i, s := range test.Subject {
			predicted[s] += q[i]
			total[s] += test.Value[i]
			n[s]++
		}
		for i, s := range train.Subject {
			predicted[s] += train.Value[i]
			total[s] += train.Value[i]
			n[s]++
		}
		for s, k := range folds {
			if k == f {
				g.add(p.Name(), predicted[s]/max(n[s], 1), total[s]/max(n[s], 1), math.NaN())
			}
		}
	}
	return nil
}
