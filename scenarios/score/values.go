package score

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"achilles/infer"
	"achilles/sim/record"
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
func (s *Scores) gradeValues(in Input, k *key) error {
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
	g := Value{N: len(f.y), Mean: mean(f.y), RMSE: math.Sqrt(squaredErrors(f.p, f.y).mean()), MAE: meanAbsolute(f.p, f.y)}
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
	names := sortedKeys(v.Subjects)
	sortByName(names, func(n string) string { return n })
	return names
}

// ValueTables returns a table for each measure of numbers, with one row for each subject and one for all together, or nil
// if no such prediction is graded.
func (s *Scores) ValueTables() []byte {
	var out []byte
	for i, measure := range sortedKeys(s.Values) {
		if i > 0 {
			out = append(out, '\n')
		}
		v := s.Values[measure]
		t := textTable{title: fmt.Sprintf("Prediction of held-out responses: %s", measure)}
		t.head = []string{"subject", "n", "mean", "RMSE", "aggregate", "MAE", "aggregate", "MSE: ours − aggregate"}
		row := func(name string, g Value) []string {
			excess := ""
			if g.Excess != nil {
				excess = plusMinus(*g.Excess, g.ExcessInterval)
			}
			return []string{name, fmt.Sprint(g.N), fixed(g.Mean, 3), fixed(g.RMSE, 3), decimals(g.RMSEAggregate, 3), fixed(g.MAE, 3), decimals(g.MAEAggregate, 3), excess}
		}
		for _, name := range v.Names() {
			doubts := s.warnings(name, infer.FitRows, false, func(*Warning) bool { return true })
			t.rows = append(t.rows, row(name+t.marks(doubts), v.Subjects[name]))
		}
		t.rows = append(t.rows, row("all together", *v.Pooled))
		out = append(out, t.text()...)
	}
	return out
}

func (s *Scores) valueRows() [][]string {
	rows := [][]string{{"measure", "subject", "id", "n", "mean", "rmse", "mae", "rmse_aggregate", "mae_aggregate", "excess", "excess_low", "excess_high"}}
	for _, measure := range sortedKeys(s.Values) {
		row := func(name string, g Value) []string {
			return append([]string{measure, name, g.ID, fmt.Sprint(g.N), full(g.Mean), full(g.RMSE), full(g.MAE), optional(g.RMSEAggregate), optional(g.MAEAggregate), optional(g.Excess)}, ends(g.ExcessInterval)...)
		}
		v := s.Values[measure]
		for _, name := range v.Names() {
			rows = append(rows, row(name, v.Subjects[name]))
		}
		rows = append(rows, row("", *v.Pooled))
	}
	return rows
}
