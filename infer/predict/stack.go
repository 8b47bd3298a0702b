package predict

import (
	"context"
	"strconv"

	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Stack predicts from the predictions of its parts (Wolpert 1992). It is a logistic regression on their log odds, and
// on the squares and products of these log odds. The regression learns from predictions of responses that the parts were not
// fitted to, fold by fold. Afterwards, the parts are fitted to all rows.
type Stack struct {
	ID      string
	Parts   []Predictor
	Folds   int
	MaxRows int // largest number of rows of the regression and its folds; more are sampled at random
}

var _ Predictor = Stack{}

// Name identifies the model.
func (o Stack) Name() string { return o.ID }

// stackPenalty is the ridge penalty of all coefficients except the intercept. The regressors are made of log odds divided by
// four.
const stackPenalty = 1

// Fit fits all parts Folds + 1 times.
func (o Stack) Fit(ctx context.Context, train *table.Table, root uint64) (Model, error) {
	sample, fold := folds(train, o.Folds, o.MaxRows, root)
	d := &design{width: stackWidth(len(o.Parts)), blocks: 1, x: make([]float64, sample.Rows()*stackWidth(len(o.Parts)))}
	for k := range o.Folds {
		rows, rest := foldRows(fold, k)
		m, err := o.parts(ctx, sample.Subset(rows), rng.Derive(root, "fold", strconv.Itoa(k)))
		if err != nil {
			return nil, err
		}
		part := sample.Subset(rest)
		for i, x := range m.rows(part.Subject, part.Item) {
			copy(d.row(int(rest[i])), x)
		}
	}
	// The regression has one subject, and every response is an item whose features are the parts' predictions.
	rows := &table.Table{Subjects: []string{""}, Items: make([]string, sample.Rows()), Subject: make([]int32, sample.Rows()), Item: make([]int32, sample.Rows()), Value: sample.Value}
	for i := range rows.Item {
		rows.Item[i] = int32(i)
	}
	regression := newLogit(rows, d, stackPenalty, 0)
	regression.width, regression.own = 0, nil
	fitted, err := regression.fit(ctx)
	if err != nil {
		return nil, err
	}
	m, err := o.parts(ctx, train, rng.Derive(root, "all"))
	if err != nil {
		return nil, err
	}
	m.coefficient = fitted.shared
	return m, nil
}

// parts fits every part.
func (o Stack) parts(ctx context.Context, t *table.Table, root uint64) (*stacked, error) {
	m := &stacked{}
	for _, p := range o.Parts {
		part, err := p.Fit(ctx, t, rng.Derive(root, p.Name()))
		if err != nil {
			return nil, err
		}
		m.part = append(m.part, part)
	}
	return m, nil
}

type stacked struct {
	part        []Model
	coefficient []float64
}

// stackWidth returns the number of regressors: an intercept, n log odds, and their squares and products.
func stackWidth(n int) int { return 1 + n + n*(n+1)/2 }

// rows returns the regressors of responses.
func (m *stacked) rows(subject, item []int32) [][]float64 {
	odds := make([][]float64, len(m.part))
	for k, part := range m.part {
		odds[k] = make([]float64, len(subject))
		part.Predict(subject, item, odds[k])
		for i, p := range odds[k] {
			odds[k][i] = logit(min(max(p, 0.001), 0.999)) / 4
		}
	}
	out := make([][]float64, len(subject))
	for i := range out {
		x := make([]float64, 0, stackWidth(len(m.part)))
		x = append(x, 1)
		for k := range odds {
			x = append(x, odds[k][i])
		}
		for k := range odds {
			for l := range k + 1 {
				x = append(x, odds[k][i]*odds[l][i])
			}
		}
		out[i] = x
	}
	return out
}

// Predict evaluates the regression.
func (m *stacked) Predict(subject, item []int32, p []float64) {
	for i, x := range m.rows(subject, item) {
		z := 0.0
		for k, v := range x {
			z += float64(v * m.coefficient[k])
		}
		p[i] = num.Logistic(z)
	}
}
