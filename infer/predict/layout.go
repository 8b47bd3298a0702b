package predict

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"achilles/infer/diag"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/record"
)

// LayoutPredictor predicts by a measurement layout. It draws every subject's posterior from the subject's own training
// responses alone, and averages the layout's success probability of an item over the draws. It knows an item only by
// its demands, so it also predicts items that are harder than all training items.
//
// For a subject without training responses, it predicts the mean of its predictions for the other subjects.
type LayoutPredictor struct {
	design *layout.Design
	at     int   // index of the predicted measure among those that the layout explains
	code   uint8 // value of record.Response.Measure for the predicted measure
	config posterior.Config
}

// NewLayoutPredictor returns the predictor of one measure by a layout. The layout must be bound to the items of the
// table and to these measures. It fails if the layout does not explain the measure.
func NewLayoutPredictor(design *layout.Design, measures []record.Measure, measure string) (*LayoutPredictor, error) {
	explained := design.Measures()
	at := slices.Index(explained, measure)
	if at < 0 {
		return nil, fmt.Errorf("layout %s explains %v, not the measure %s that is analysed", design.Layout().Name, explained, measure)
	}
	code := slices.IndexFunc(measures, func(m record.Measure) bool { return m.Name == measure })
	if code < 0 {
		panic("predict: a layout that was bound to other measures")
	}
	return &LayoutPredictor{design, at, uint8(code), layoutConfig()}, nil
}

// layoutConfig returns a configuration with a quarter of the usual draws. More draws would change only the fourth
// decimal of a mean error.
func layoutConfig() posterior.Config {
	c := posterior.Default()
	c.Draws = 250
	c.Proposals = 100 // the evidence is not used
	return c
}

// Name returns the name of the layout.
func (l *LayoutPredictor) Name() string { return l.design.Layout().Name }

// Fit draws every subject's posterior.
func (l *LayoutPredictor) Fit(ctx context.Context, train *table.Table, root uint64) (Model, error) {
	m := &layoutModel{design: l.design, p: make([][]float64, len(train.Subjects)), unseen: make([]float64, l.design.Rows())}
	bounds, known := train.Bounds(), 0.0
	for s, id := range train.Subjects {
		if bounds[s] == bounds[s+1] {
			continue
		}
		p, err := l.subject(ctx, train, bounds[s], bounds[s+1], root, id)
		if err != nil {
			return nil, fmt.Errorf("subject %s: %w", id, err)
		}
		if p == nil {
			continue
		}
		m.p[s] = p
		known++
		num.AddTo(m.unseen, 1, p)
	}
	for r := range m.unseen {
		if m.unseen[r] /= max(known, 1); known == 0 {
			m.unseen[r] = rate(train)
		}
	}
	return m, ctx.Err()
}

// subject returns the mean success probability, over the posterior draws of one subject, for every distinct row of
// demands. The subject's rows of the table have the indices i with from ≤ i < to.
func (l *LayoutPredictor) subject(ctx context.Context, t *table.Table, from, to int, root uint64, id string) ([]float64, error) {
	post, data, err := l.explained(ctx, t, from, to, root, id)
	if post == nil {
		return nil, err
	}
	rows := l.design.Rows()
	target, p, mean, n := l.design.NewTarget(data), make([]float64, rows*len(l.design.Measures())), make([]float64, rows), 0.0
	for _, chain := range post.Draws {
		for _, theta := range chain {
			target.Predict(theta, p)
			num.AddTo(mean, 1, p[l.at*rows:][:rows])
			n++
		}
	}
	for r := range mean {
		mean[r] = min(max(mean[r]/n, 0), 1) // an average of probabilities may leave [0, 1] by rounding
	}
	return mean, nil
}

// explained draws the posterior of the subject with rows from ≤ i < to. It returns nil for a subject whom the layout does not explain.
func (l *LayoutPredictor) explained(ctx context.Context, t *table.Table, from, to int, root uint64, id string) (*posterior.Posterior, *layout.Data, error) {
	rs := make([]record.Response, 0, to-from)
	for i := from; i < to; i++ {
		rs = append(rs, record.Response{Item: t.Item[i], Measure: l.code, Value: t.Value[i]})
	}
	data, err := l.design.NewData(rs)
	if err != nil {
		return nil, nil, err
	}
	post, err := l.posterior(ctx, data, root, id)
	if u := (*posterior.Unresolved)(nil); errors.As(err, &u) {
		return nil, nil, nil
	}
	return post, data, err
}

// Capabilities returns the names of the layout's capabilities.
func (l *LayoutPredictor) Capabilities() (names []string) {
	for _, i := range l.capabilities() {
		names = append(names, l.design.Parameters()[i].Name)
	}
	return names
}

// capabilities returns the indices of the capabilities among the parameters.
func (l *LayoutPredictor) capabilities() (at []int) {
	for i, p := range l.design.Parameters() {
		if p.Group == layout.Capability {
			at = append(at, i)
		}
	}
	return at
}

// Profiles returns, by capability and subject, the posterior means with equal-tailed intervals of this level: NaN for a subject without
// responses or whom the layout does not explain.
func (l *LayoutPredictor) Profiles(ctx context.Context, t *table.Table, level float64, root uint64) ([][]Ability, error) {
	at := l.capabilities()
	profiles := make([][]Ability, len(at))
	for k := range profiles {
		profiles[k] = make([]Ability, len(t.Subjects))
	}
	bounds := t.Bounds()
	for s, id := range t.Subjects {
		for k := range profiles {
			profiles[k][s] = Ability{math.NaN(), math.NaN(), math.NaN()}
		}
		if bounds[s] == bounds[s+1] {
			continue
		}
		post, _, err := l.explained(ctx, t, bounds[s], bounds[s+1], root, id)
		if err != nil {
			return nil, fmt.Errorf("subject %s: %w", id, err)
		}
		if post == nil {
			continue
		}
		for k, i := range at {
			draws := slices.Concat(diag.Column(post.Draws, i)...)
			slices.Sort(draws)
			mean, _ := num.Moments(draws)
			profiles[k][s] = Ability{mean, num.SortedQuantile(draws, 0.5-level/2), num.SortedQuantile(draws, 0.5+level/2)}
		}
	}
	return profiles, ctx.Err()
}

// posterior draws a subject's posterior. If the chains of both engines disagree, it uses the chains of NUTS: they start
// at points that are spread over the modes, so that their mean predicts well, and no parameter is reported here.
func (l *LayoutPredictor) posterior(ctx context.Context, data *layout.Data, root uint64, id string) (*posterior.Posterior, error) {
	names := l.design.Names()
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

// A layoutModel has the success probability of each subject on each distinct row of demands.
type layoutModel struct {
	design *layout.Design
	p      [][]float64 // by subject and row of demands; nil for a subject without training responses
	unseen []float64   // by row of demands: for subjects without training responses
}

// Predict sets p to the subjects' probabilities for the demands of the items.
func (m *layoutModel) Predict(subject, item []int32, p []float64) {
	for i := range p {
		of := m.p[subject[i]]
		if of == nil {
			of = m.unseen
		}
		p[i] = of[m.design.Row(int(item[i]))]
	}
}
