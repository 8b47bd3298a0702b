package score

import (
	"iter"
	"maps"
	"math"
	"slices"

	"achilles/infer"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/table"
)

// Values grade the predicted means of held-out responses to one measure of numbers: real, unit or count.
type Values struct {
	Unpredicted int              `json:"unpredicted"` // held-out scored responses without a prediction
	Subjects    map[string]Value `json:"subjects"`
	Pooled      *Value           `json:"pooled,omitempty"` // over all predicted responses of all subjects
}

// A Value grades predictions p of N held-out responses y. RMSE is √mean (p − y)², MAE is mean |p − y|. The aggregate is
// a baseline that always predicts the mean of the subject's fit responses, of counts among known numbers of trials its rate times
// the trials; its grades are absent if there are none.
// Excess is the mean of the paired differences of squared errors, negative if the layout predicts better; its interval is
// estimate ± 1.96 standard errors over responses, and absent if there is only one.
type Value struct {
	ID             string    `json:"id,omitempty"` // opaque id; empty in Values.Pooled
	N              int       `json:"n"`
	Mean           float64   `json:"mean"` // of the held-out responses
	RMSE           float64   `json:"rmse"`
	MAE            float64   `json:"mae"`
	RMSEAggregate  *float64  `json:"rmse_aggregate,omitempty"`
	MAEAggregate   *float64  `json:"mae_aggregate,omitempty"`
	Excess         *float64  `json:"excess,omitempty"`
	ExcessInterval *Interval `json:"excess_interval,omitempty"`
}

// gradeValues grades the predictions of measures of numbers. The mean of categories says nothing, so that choices are not
// graded.
func gradeValues(s *Scores, in Input, k *key) error {
	if in.Result.Predictions == nil {
		return nil
	}
	for _, m := range in.Public.Manifest.Measures {
		if isBinary(m) {
			continue
		}
		h := newHeldOut(in.Public, func(other record.Measure) bool { return other.Name == m.Name })
		if m.Family == record.Choice {
			some, err := h.some(in.Result.Predictions)
			if err != nil {
				return err
			}
			if some {
				s.note("predictions of the choices %s are not graded", m.Name)
			}
			continue
		}
		v, err := valuesOf(in, k, h)
		if err != nil {
			return err
		}
		if v == nil {
			continue
		}
		if s.Values == nil {
			s.Values = map[string]*Values{}
		}
		s.Values[m.Name] = v
		if v.Unpredicted > 0 {
			s.note("%d held-out responses of %s have no prediction and are not graded", v.Unpredicted, m.Name)
		}
	}
	return nil
}

// some reports whether there are predictions of the measures.
func (h *heldOut) some(all iter.Seq2[[]infer.Prediction, error]) (bool, error) {
	for ps, err := range all {
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(ps, func(p infer.Prediction) bool { return h.wants(&p) }) {
			return true, nil
		}
	}
	return false, nil
}

// valuesOf grades the predictions of one measure. It returns nil if there are none.
func valuesOf(in Input, k *key, h *heldOut) (*Values, error) {
	v, pool := &Values{Subjects: map[string]Value{}}, h.pool()
	n, err := h.each(in.Result.Predictions, func(id string, f *forecasts) {
		g := f.values()
		g.ID = id
		v.Subjects[k.name(id)] = g
		pool.append(f)
	})
	if n == 0 || err != nil {
		return nil, err
	}
	all := pool.values()
	v.Pooled, v.Unpredicted = &all, h.n-n
	return v, nil
}

// values grades the forecasts as predictions of numbers.
func (f *forecasts) values() Value {
	g := Value{N: len(f.y), Mean: num.Mean(f.y), RMSE: math.Sqrt(squaredErrors(f.p, f.y).mean()), MAE: meanAbsolute(f.p, f.y)}
	if slices.ContainsFunc(f.aggregate, math.IsNaN) {
		return g
	}
	rmse, mae := math.Sqrt(squaredErrors(f.aggregate, f.y).mean()), meanAbsolute(f.aggregate, f.y)
	g.RMSEAggregate, g.MAEAggregate = &rmse, &mae
	excess := f.excess()
	m := excess.mean()
	g.Excess, g.ExcessInterval = &m, normalInterval(m, excess.meanSE(), math.Inf(-1), math.Inf(1))
	return g
}

func meanAbsolute(p, y []float64) float64 {
	return sample{len(p), func(i int) float64 { return math.Abs(p[i] - y[i]) }}.mean()
}

// Names returns the subjects in natural order.
func (v *Values) Names() []string {
	names := slices.Sorted(maps.Keys(v.Subjects))
	sortByName(names, func(n string) string { return n })
	return names
}

// A valued is a row of the table of predictions of numbers. The name of all subjects together is empty.
type valued struct {
	measure, name string
	Value
}

// valueTable returns the grades of predictions of numbers, by measure and subject; nil if there are none.
func valueTable(s *Scores) *table.Table {
	var rows []valued
	for _, measure := range slices.Sorted(maps.Keys(s.Values)) {
		v := s.Values[measure]
		for _, name := range v.Names() {
			rows = append(rows, valued{measure, name, v.Subjects[name]})
		}
		rows = append(rows, valued{measure, "", *v.Pooled})
	}
	if rows == nil {
		return nil
	}
	t := table.Of(table.Table{
		Name: "values", Title: "Prediction of held-out responses: errors of predicted means", Key: []string{"measure", "subject"},
		Foot: []string{"In brackets the 95 % interval, by the normal approximation over responses. Baseline: the mean of the subject's training responses. Difference: mean squared error − that of the baseline, negative where the layout predicts better."},
	}, rows, []table.Field[valued]{
		table.Col(table.Column{Name: "measure", Kind: table.Text}, func(v valued) table.Value { return table.String(v.measure) }),
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(v valued) table.Value { return table.Named(v.name) }),
		table.Col(table.Column{Name: "id", Kind: table.Text, Hidden: true}, func(v valued) table.Value { return table.Named(v.ID) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Doc: "held-out responses"}, func(v valued) table.Value { return table.Int(v.N) }),
		table.Col(table.Column{Name: "mean", Digits: 3, Weight: 2, Doc: "of the held-out responses"}, func(v valued) table.Value { return table.Float(v.Mean) }),
		table.Col(table.Column{Name: "rmse", Head: "RMSE", Digits: 3, Better: table.Less, Than: "rmse_aggregate"}, func(v valued) table.Value { return table.Float(v.RMSE) }),
		table.Col(table.Column{Name: "mae", Head: "MAE", Digits: 3, Weight: 3, Better: table.Less, Than: "mae_aggregate", Doc: "mean absolute error"}, func(v valued) table.Value { return table.Float(v.MAE) }),
		table.Col(table.Column{Name: "rmse_aggregate", Head: "baseline RMSE", Digits: 3, Doc: "RMSE of the baseline (mean of the subject's training responses)"}, func(v valued) table.Value { return table.Maybe(v.RMSEAggregate) }),
		table.Col(table.Column{Name: "mae_aggregate", Head: "baseline MAE", Digits: 3, Weight: 3, Doc: "MAE of the baseline (mean of the subject's training responses)"}, func(v valued) table.Value { return table.Maybe(v.MAEAggregate) }),
		table.Col(table.Column{Name: "excess", Head: "difference", Digits: 3, Low: "excess_low", High: "excess_high", Weight: 1, Doc: "mean squared error − that of the baseline: negative where the layout predicts better"}, func(v valued) table.Value { return table.Maybe(v.Excess) }),
		table.Col(table.Column{Name: "excess_low"}, func(v valued) table.Value { return low(v.ExcessInterval) }),
		table.Col(table.Column{Name: "excess_high"}, func(v valued) table.Value { return high(v.ExcessInterval) }),
	})
	for i, r := range rows {
		t.Note(i, "subject", warnings(s, r.name, infer.FitRows, false, func(*Warning) bool { return true })...)
	}
	return t
}
