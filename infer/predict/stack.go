package predict

import (
	"context"
	"math"
	"strconv"

	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Stack predicts from the predictions of its parts (Wolpert 1992), and from what is known of the item: the number, mean, standard
// deviation, least and greatest of its responses. Boosted trees learn from predictions of responses that neither the parts nor these
// numbers have seen, fold by fold. Afterwards, the parts are fitted to all rows. Few rows do not bear many trees: there, trees begin with
// the mean prediction of the first parts, and are as many as cross-validation says, perhaps none.
type Stack struct {
	ID
	Parts   []Predictor
	Simple  int // number of the first parts, with whose mean the trees of at most Boost.MaxTune rows begin; 0: all
	Folds   int
	MaxRows int // largest number of rows of the trees and their folds; more are sampled at random
	Boost   Boost
}

// DefaultStack returns a Stack whose trees minimise the log loss, or the absolute error. Its parts are those of the caller.
func DefaultStack(id string, parts []Predictor, absolute bool) Stack {
	b := DefaultBoost("boost", nil)
	b.Absolute, b.Rounds, b.Rate, b.MinLeaf, b.MaxTune, b.MaxWork = absolute, 100, 0.1, 20, 5000, 8e6
	if !absolute { // smaller trees of fewer columns, and more of them
		b.Depth, b.Columns, b.MaxWork = 4, 0.5, 20e6
	}
	return Stack{ID: ID(id), Parts: parts, Folds: 5, MaxRows: 200_000, Boost: b}
}

// Fit fits all parts Folds + 1 times.
func (o Stack) Fit(ctx context.Context, train *table.Table, root uint64) (Model, error) {
	sample, fold := folds(train, o.Folds, o.MaxRows, root)
	var x [][]float64 // by column and row of the sample
	for k := range o.Folds {
		rows, rest := foldRows(fold, k)
		m, err := o.parts(ctx, sample.Subset(rows), rng.Derive(root, "fold", strconv.Itoa(k)))
		if err != nil {
			return nil, err
		}
		part := sample.Subset(rest)
		for c, column := range m.columns(part.Subject, part.Item) {
			if k == 0 {
				x = append(x, make([]float64, sample.Rows()))
			}
			for i, v := range column {
				x[c][rest[i]] = v
			}
		}
	}
	// Every response is an item, whose features are the columns.
	rows := &table.Table{Subjects: sample.Subjects, Items: make([]string, sample.Rows()), Subject: sample.Subject, Item: make([]int32, sample.Rows()), Value: sample.Value}
	for i := range rows.Item {
		rows.Item[i] = int32(i)
	}
	boost, from := o.Boost, (*beginning)(nil)
	if sample.Rows() > o.Boost.MaxTune {
		boost.Folds = 0 // many rows bear all trees
	} else {
		from = o.beginning(x, sample.Value)
		boost.Start = from.scores(x)
	}
	for c, column := range x {
		f := table.Feature{Name: strconv.Itoa(c), Value: column, Missing: make([]bool, len(column))}
		for i, v := range column {
			f.Missing[i] = math.IsNaN(v)
		}
		rows.Features, boost.Features = append(rows.Features, f), append(boost.Features, f.Name)
	}
	trees, err := boost.Fit(ctx, rows, rng.Derive(root, "boost"))
	if err != nil {
		return nil, err
	}
	m, err := o.parts(ctx, train, rng.Derive(root, "all"))
	if err != nil {
		return nil, err
	}
	m.trees, m.from = trees.(*boosted), from
	return m, nil
}

// parts fits every part.
func (o Stack) parts(ctx context.Context, t *table.Table, root uint64) (*stacked, error) {
	m := &stacked{about: aboutItems(t)}
	for _, p := range o.Parts {
		part, err := p.Fit(ctx, t, rng.Derive(root, p.Name()))
		if err != nil {
			return nil, err
		}
		m.part = append(m.part, part)
	}
	return m, nil
}

// A beginning makes the scores with which trees begin of the mean of the first columns.
type beginning struct {
	columns int
	link    *logLink // nil: the mean itself
}

// beginning fits the link to outcomes y, whose columns are x.
func (o Stack) beginning(x [][]float64, y []float64) *beginning {
	b := &beginning{columns: len(o.Parts)}
	if o.Simple > 0 {
		b.columns = o.Simple
	}
	if !o.Boost.Absolute {
		l := newLogLink(b.scores(x), y)
		b.link = &l
	}
	return b
}

func (b *beginning) scores(x [][]float64) []float64 {
	out := make([]float64, len(x[0]))
	for _, column := range x[:b.columns] {
		for i, v := range column {
			out[i] += v / float64(b.columns)
		}
	}
	if b.link != nil {
		for i, v := range out {
			out[i] = b.link.odds(v)
		}
	}
	return out
}

type stacked struct {
	part  []Model
	about [][]float64 // by number and item
	trees *boosted
	from  *beginning // nil: trees begin with a number
}

// columns returns the columns of responses: the predictions of the parts, then the numbers about the items.
func (m *stacked) columns(subject, item []int32) [][]float64 {
	var out [][]float64
	for _, part := range m.part {
		p := make([]float64, len(subject))
		part.Predict(subject, item, p)
		out = append(out, p)
	}
	for _, of := range m.about {
		x := make([]float64, len(item))
		for i, j := range item {
			x[i] = of[j]
		}
		out = append(out, x)
	}
	return out
}

// Predict evaluates the trees.
func (m *stacked) Predict(subject, item []int32, p []float64) {
	trees := *m.trees
	trees.columns = append([]column(nil), trees.columns...)
	columns := m.columns(subject, item)
	for c, x := range columns {
		trees.columns[c] = trees.columns[c].recoded(x)
	}
	if m.from != nil {
		trees.start = m.from.scores(columns)
	}
	row := make([]int32, len(p))
	for i := range row {
		row[i] = int32(i)
	}
	trees.Predict(subject, row, p)
}

// aboutItems returns the number of responses to each item, and their mean, standard deviation, least and greatest, NaN without any.
func aboutItems(t *table.Table) [][]float64 {
	out := num.Rows(5, len(t.Items))
	n, mean, sd, least, most := out[0], out[1], out[2], out[3], out[4]
	for i, v := range t.Value {
		j := t.Item[i]
		if n[j] == 0 {
			least[j], most[j] = v, v
		}
		n[j]++
		d := v - mean[j]
		mean[j] += d / n[j]
		sd[j] += float64(d * (v - mean[j]))
		least[j], most[j] = min(least[j], v), max(most[j], v)
	}
	for j := range n {
		if sd[j] = math.Sqrt(sd[j] / n[j]); n[j] == 0 {
			mean[j], least[j], most[j] = math.NaN(), math.NaN(), math.NaN()
		}
	}
	return out
}
