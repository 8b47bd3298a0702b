package predict

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/infer/table"
	"achilles/sim/record"
)

// Layout predicts by a measurement layout: every subject's posterior is drawn from its own training responses alone, and
// a prediction is the layout's success probability of the item averaged over the draws. What an item asks comes from its
// demands, so that a harder item than any of the training is no other case.
//
// A subject without training responses is taken to be like those that have some: it gets the mean of their predictions.
type Layout struct {
	design *layout.Design
	at     int   // of the measure among those that the layout explains
	code   uint8 // of the measure in responses
	config posterior.Config
}

var _ Predictor = (*Layout)(nil)

// NewLayout returns the predictor of a layout that was bound to the items of the table, for one of its measures; measures
// are those that it was bound to. The error says that the layout does not explain the measure.
func NewLayout(design *layout.Design, measures []record.Measure, measure string) (*Layout, error) {
	explained := design.Measures()
	at := slices.Index(explained, measure)
	if at < 0 {
		return nil, fmt.Errorf("layout %s explains %v, not the measure %s that is analysed", design.Layout().Name, explained, measure)
	}
	code := slices.IndexFunc(measures, func(m record.Measure) bool { return m.Name == measure })
	if code < 0 {
		panic("predict: a layout that was bound to other measures")
	}
	return &Layout{design, at, uint8(code), layoutConfig()}, nil
}

// layoutConfig asks for a quarter of the usual draws: averaged over subjects and items, what more of them would add is in
// the fourth decimal of an error.
func layoutConfig() posterior.Config {
	c := posterior.Default()
	c.Draws = 250
	c.Proposals = 100 // the evidence is not used
	return c
}

// Name is the layout's own.
func (l *Layout) Name() string { return l.design.Layout().Name }

// Fit draws every subject's posterior.
func (l *Layout) Fit(ctx context.Context, train *table.Table, root uint64) (Model, error) {
	m := &layoutModel{design: l.design, p: make([][]float64, len(train.Subjects)), stranger: make([]float64, l.design.Rows())}
	bounds, known := train.Bounds(), 0.0
	for s, id := range train.Subjects {
		if bounds[s] == bounds[s+1] {
			continue
		}
		p, err := l.subject(ctx, train, bounds[s], bounds[s+1], root, id)
		if err != nil {
			return nil, fmt.Errorf("subject %s: %w", id, err)
		}
		m.p[s] = p
		known++
		for r, v := range p {
			m.stranger[r] += v
		}
	}
	for r := range m.stranger {
		if m.stranger[r] /= max(known, 1); known == 0 {
			m.stranger[r] = rate(train)
		}
	}
	return m, ctx.Err()
}

// subject is the mean success probability of every distinct row over the draws of one subject, whose rows of the table
// are from and up to to.
func (l *Layout) subject(ctx context.Context, t *table.Table, from, to int, root uint64, id string) ([]float64, error) {
	rs := make([]record.Response, 0, to-from)
	for i := from; i < to; i++ {
		rs = append(rs, record.Response{Item: t.Item[i], Measure: l.code, Value: t.Value[i]})
	}
	data, err := l.design.NewData(rs)
	if err != nil {
		return nil, err
	}
	post, err := l.posterior(ctx, data, root, id)
	if err != nil {
		return nil, err
	}
	rows := l.design.Rows()
	target, p, mean, n := l.design.NewTarget(data), make([]float64, rows*len(l.design.Measures())), make([]float64, rows), 0.0
	for _, chain := range post.Draws {
		for _, theta := range chain {
			target.Predict(theta, p)
			for r := range mean {
				mean[r] += p[l.at*rows+r]
			}
			n++
		}
	}
	for r := range mean {
		mean[r] = min(max(mean[r]/n, 0), 1) // an average of probabilities may leave [0, 1] by rounding
	}
	return mean, nil
}

// posterior takes chains that go on to disagree as they are: started all over the prior, they are the better prediction
// for it, and here nobody reads a parameter.
func (l *Layout) posterior(ctx context.Context, data *layout.Data, root uint64, id string) (*posterior.Posterior, error) {
	var names []string
	for _, p := range l.design.Parameters() {
		names = append(names, p.Name)
	}
	problem := func() posterior.Problem { return l.design.NewTarget(data) }
	post, err := posterior.Fit(ctx, problem, names, l.config, root, "layout", id)
	var unresolved *posterior.Unresolved
	if errors.As(err, &unresolved) {
		c := l.config
		c.Engine = posterior.NUTS
		return posterior.Fit(ctx, problem, names, c, root, "layout", id, "unresolved")
	}
	return post, err
}

// A layoutModel has the probability of each subject, nil for a stranger, on each distinct row of demands.
type layoutModel struct {
	design   *layout.Design
	p        [][]float64
	stranger []float64
}

// Predict looks the subject and the item's demands up.
func (m *layoutModel) Predict(subject, item []int32, p []float64) {
	for i := range p {
		of := m.p[subject[i]]
		if of == nil {
			of = m.stranger
		}
		p[i] = of[m.design.Row(int(item[i]))]
	}
}
