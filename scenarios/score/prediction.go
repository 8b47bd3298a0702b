package score

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"achilles/infer"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/table"
)

// Predictions grade the predicted success probabilities of held-out binary responses.
type Predictions struct {
	Bins        int                   `json:"bins"`        // number of equal bins on [0, 1] for calibration and refinement; the last one includes 1
	Unpredicted int                   `json:"unpredicted"` // held-out scored binary responses without a prediction
	Subjects    map[string]Prediction `json:"subjects"`
	Pooled      *Prediction           `json:"pooled,omitempty"` // over all predicted responses of all subjects
}

// A Prediction grades forecasts of N held-out responses. Brier is the mean of (p − y)²; BrierBinned is Calibration +
// Refinement. The aggregate is a baseline that always forecasts the subject's success rate on its fit responses, which
// are those that are not held out. Intervals are estimate ± 1.96 jackknife standard errors over responses; they are
// absent if there is only one response.
type Prediction struct {
	ID          string  `json:"id,omitempty"` // opaque id; empty in Predictions.Pooled
	N           int     `json:"n"`
	SuccessRate float64 `json:"success_rate"` // share of successes among the held-out responses

	Brier               float64   `json:"brier"`
	BrierInterval       *Interval `json:"brier_interval,omitempty"`
	BrierBinned         float64   `json:"brier_binned"`
	Calibration         float64   `json:"calibration"`
	CalibrationInterval *Interval `json:"calibration_interval,omitempty"`
	Refinement          float64   `json:"refinement"`
	RefinementInterval  *Interval `json:"refinement_interval,omitempty"`

	// The grades of the aggregate are absent if a subject has no fit response, because then it has no success rate.
	BrierAggregate       *float64  `json:"brier_aggregate,omitempty"`
	CalibrationAggregate *float64  `json:"calibration_aggregate,omitempty"`
	RefinementAggregate  *float64  `json:"refinement_aggregate,omitempty"`
	Excess               *float64  `json:"excess,omitempty"` // Brier − BrierAggregate: negative if the layout predicts better
	ExcessInterval       *Interval `json:"excess_interval,omitempty"`

	// InterModel Vigorish over the aggregate (Domingue et al. 2024): 0 if the layout predicts as well, negative if worse.
	IMV         *float64  `json:"imv,omitempty"`
	IMVInterval *Interval `json:"imv_interval,omitempty"`

	Published *PublishedPrediction `json:"published,omitempty"`
}

// gradePrediction grades the predictions, if the result has any.
func gradePrediction(s *Scores, in Input, k *key) error {
	if in.Result.Predictions == nil {
		s.note("no predictions to grade: no response was held out, or the result was made without predictions")
		return nil
	}
	h := newHeldOut(in.Public, isBinary)
	out, pool := &Predictions{Bins: Bins, Subjects: map[string]Prediction{}}, h.pool()
	n, err := h.each(in.Result.Predictions, func(id string, f *forecasts) {
		p := f.grade()
		p.ID, p.Published = id, k.published.prediction(k.name(id))
		out.Subjects[k.name(id)] = p
		pool.append(f)
	})
	if n == 0 || err != nil {
		return err
	}
	s.Prediction = out
	all := pool.grade()
	out.Pooled, out.Unpredicted = &all, h.n-n
	if out.Unpredicted > 0 {
		s.note("%d held-out responses have no prediction and are not graded", out.Unpredicted)
	}
	return nil
}

func isBinary(m record.Measure) bool { return m.Family == record.Binary }

// A heldOut has the scored responses to some measures: the held-out ones, which grade predictions, and the means of the
// others.
type heldOut struct {
	data      *record.Dataset
	keep      func(record.Measure) bool
	kept      []bool // by measure
	n         int    // number of held-out responses
	predicted []bool // by response: whether a prediction was matched with it before
	base      []rate // by subject and measure: means of the fit responses, which are not held out; of binary ones and of counts among trials, success rates
}

// newHeldOut splits the scored responses to the measures for which keep is true into the held-out ones and the fit ones.
func newHeldOut(d *record.Dataset, keep func(record.Measure) bool) *heldOut {
	h := &heldOut{data: d, keep: keep, predicted: make([]bool, d.Responses.Len()), base: make([]rate, len(d.Subjects)*len(d.Manifest.Measures))}
	for _, m := range d.Manifest.Measures {
		h.kept = append(h.kept, keep(m))
	}
	for _, r := range d.Responses.All() {
		switch {
		case !h.kept[r.Measure] || r.Unscored != 0:
		case r.Split == record.HeldOut:
			h.n++
		default:
			b := h.baseOf(&r)
			b.n, b.sum = b.n+float64(max(1, r.Trials)), b.sum+r.Value
		}
	}
	return h
}

// baseOf returns the mean of the fit responses of a response's subject to its measure.
func (h *heldOut) baseOf(r *record.Response) *rate {
	return &h.base[int(r.Subject)*len(h.kept)+int(r.Measure)]
}

// find returns the held-out response that p predicts and its index, and false if there is none.
func (h *heldOut) find(p *infer.Prediction) (r record.Response, i int, ok bool) {
	d := h.data
	subject, ok1 := slices.BinarySearch(d.Subjects, p.Subject)
	item, ok2 := slices.BinarySearch(d.Items.ID, p.Item)
	if !ok1 || !ok2 {
		return r, 0, false
	}
	for i, r = range d.Responses.To(subject, item) {
		if int32(r.Trial) == p.Trial && int32(r.Repetition) == p.Repetition && d.Manifest.Measures[r.Measure].Name == p.Measure {
			return r, i, h.kept[r.Measure] && r.Unscored == 0 && r.Split == record.HeldOut
		}
	}
	return r, 0, false
}

// wants reports whether a prediction is of one of the measures. Predictions of measures that the dataset does not have count as
// binary, so that they are refused with the others that have no response.
func (h *heldOut) wants(p *infer.Prediction) bool {
	for i, m := range h.data.Manifest.Measures {
		if m.Name == p.Measure {
			return h.kept[i]
		}
	}
	return h.keep(record.Measure{Name: p.Measure, Family: record.Binary})
}

// each calls use for every subject that has predictions of the measures, in the order of the subjects, and returns the number of these
// predictions. It holds the predictions of one subject at a time.
func (h *heldOut) each(all iter.Seq2[[]infer.Prediction, error], use func(id string, f *forecasts)) (n int, err error) {
	for ps, err := range all {
		if err != nil {
			return n, err
		}
		f := &forecasts{}
		for i := range ps {
			if !h.wants(&ps[i]) {
				continue
			}
			if err := h.match(&ps[i], f); err != nil {
				return n, err
			}
			n++
		}
		if len(f.y) > 0 {
			use(ps[0].Subject, f)
		}
	}
	return n, nil
}

// match adds a prediction to f, with the held-out response that it predicts. It refuses a prediction that is not finite, has no such
// response, or occurs twice, and one of a binary response outside [0, 1].
func (h *heldOut) match(p *infer.Prediction, f *forecasts) error {
	r, at, ok := h.find(p)
	wrong := ""
	switch {
	case !ok:
		wrong = "no scored response is held out there"
	case isBinary(h.data.Manifest.Measures[r.Measure]) && !(p.P >= 0 && p.P <= 1):
		wrong = fmt.Sprintf("%v is not a probability", p.P)
	case math.IsNaN(p.P) || math.IsInf(p.P, 0):
		wrong = fmt.Sprintf("%v is not finite", p.P)
	case h.predicted[at]:
		wrong = "predicted twice"
	}
	if wrong != "" {
		return fmt.Errorf("score: inferred prediction of subject %s, item %s, trial %d, repetition %d, measure %s: %s",
			p.Subject, p.Item, p.Trial, p.Repetition, p.Measure, wrong)
	}
	h.predicted[at] = true
	f.add(p.P, h.baseOf(&r).mean()*float64(max(1, r.Trials)), r.Value)
	return nil
}

// pool returns forecasts with room for all answers.
func (h *heldOut) pool() *forecasts {
	column := func() []float64 { return make([]float64, 0, h.n) }
	return &forecasts{column(), column(), column()}
}

// A rate is a number of responses, or of trials, and the sum of their values.
type rate struct{ n, sum float64 }

// mean returns the mean, or NaN if there is no response.
func (r *rate) mean() float64 { return r.sum / r.n }

// forecasts has the predictions p, those of the aggregate (NaN if there is none) and the outcomes y.
type forecasts struct{ p, aggregate, y []float64 }

func (f *forecasts) add(p, aggregate, y float64) {
	f.p, f.aggregate, f.y = append(f.p, p), append(f.aggregate, aggregate), append(f.y, y)
}

func (f *forecasts) append(g *forecasts) {
	f.p, f.aggregate, f.y = append(f.p, g.p...), append(f.aggregate, g.aggregate...), append(f.y, g.y...)
}

// grade decomposes the Brier scores of the forecasts and of the aggregate.
func (f *forecasts) grade() Prediction {
	d := Decompose(f.p, f.y)
	g := Prediction{
		N: d.N, SuccessRate: num.Mean(f.y), Brier: d.Brier, BrierBinned: d.Binned, Calibration: d.Calibration, Refinement: d.Refinement,
		BrierInterval:       normalInterval(d.Brier, d.BrierSE, 0, 1),
		CalibrationInterval: normalInterval(d.Calibration, d.CalibrationSE, 0, 1),
		RefinementInterval:  normalInterval(d.Refinement, d.RefinementSE, 0, 1),
	}
	if !slices.ContainsFunc(f.aggregate, math.IsNaN) {
		f.compare(&g)
	}
	return g
}

// compare grades the aggregate on the same responses. Excess is the mean of the paired differences of squared errors.
func (f *forecasts) compare(g *Prediction) {
	a := Decompose(f.aggregate, f.y)
	g.BrierAggregate, g.CalibrationAggregate, g.RefinementAggregate = &a.Brier, &a.Calibration, &a.Refinement
	excess := f.excess()
	imv, se := vigorish(f.p, f.aggregate, f.y)
	g.IMV, g.IMVInterval = &imv, normalInterval(imv, se, -0.5, 1)
	m := excess.mean()
	g.Excess, g.ExcessInterval = &m, normalInterval(m, excess.meanSE(), -1, 1)
}

// excess returns the differences of the squared errors of the forecasts and of the aggregate.
func (f *forecasts) excess() sample {
	ours, theirs := squaredErrors(f.p, f.y), squaredErrors(f.aggregate, f.y)
	return sample{len(f.y), func(i int) float64 { return ours.at(i) - theirs.at(i) }}
}

// A predicted is a row of the table of predictions. The name of all subjects together is empty.
type predicted struct {
	name string
	Prediction
}

// published returns the published grades, which are all absent if there are none.
func (p predicted) published() *PublishedPrediction {
	if p.Published == nil {
		return &PublishedPrediction{}
	}
	return p.Published
}

// predictionTable returns the grades of the predictions of each subject, and of all together; nil if there are none.
func predictionTable(s *Scores) *table.Table {
	if s.Prediction == nil {
		return nil
	}
	var rows []predicted
	published := false
	for _, name := range s.Prediction.Names() {
		p := s.Prediction.Subjects[name]
		rows = append(rows, predicted{name, p})
		published = published || p.Published != nil
	}
	rows = append(rows, predicted{"", *s.Prediction.Pooled})
	t := table.Of(table.Table{
		Name: "prediction", Title: "Prediction of held-out responses: Brier scores", Key: []string{"subject"}, Worst: []string{"excess"},
		Foot: append([]string{"In brackets the 95 % interval, by jackknife over responses. Baseline: the subject's observed success rate in the training responses. Difference: Brier score − baseline, negative where the layout predicts better."}, s.from(published)...),
	}, rows, []table.Field[predicted]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(p predicted) table.Value { return table.Named(p.name) }),
		table.Col(table.Column{Name: "id", Kind: table.Text, Hidden: true}, func(p predicted) table.Value { return table.Named(p.ID) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Doc: "held-out responses"}, func(p predicted) table.Value { return table.Int(p.N) }),
		table.Col(table.Column{Name: "success_rate", Digits: 2, Weight: 2, Doc: "proportion of successes among the held-out responses"}, func(p predicted) table.Value { return table.Float(p.SuccessRate) }),
		table.Col(table.Column{Name: "brier", Head: "Brier score", Digits: 3, Low: "brier_low", High: "brier_high", Better: table.Less, Than: "brier_aggregate"}, func(p predicted) table.Value { return table.Float(p.Brier) }),
		table.Col(table.Column{Name: "brier_low"}, func(p predicted) table.Value { return low(p.BrierInterval) }),
		table.Col(table.Column{Name: "brier_high"}, func(p predicted) table.Value { return high(p.BrierInterval) }),
		table.Col(table.Column{Name: "brier_binned", Head: "in 10 bins", Digits: 3, Weight: 6, Doc: "Brier score of the forecasts in 10 bins: calibration loss + refinement loss"}, func(p predicted) table.Value { return table.Float(p.BrierBinned) }),
		table.Col(table.Column{Name: "calibration", Head: "calibration loss", Digits: 3, Low: "calibration_low", High: "calibration_high", Weight: 5}, func(p predicted) table.Value { return table.Float(p.Calibration) }),
		table.Col(table.Column{Name: "calibration_low"}, func(p predicted) table.Value { return low(p.CalibrationInterval) }),
		table.Col(table.Column{Name: "calibration_high"}, func(p predicted) table.Value { return high(p.CalibrationInterval) }),
		table.Col(table.Column{Name: "refinement", Head: "refinement loss", Digits: 3, Low: "refinement_low", High: "refinement_high", Weight: 5}, func(p predicted) table.Value { return table.Float(p.Refinement) }),
		table.Col(table.Column{Name: "refinement_low"}, func(p predicted) table.Value { return low(p.RefinementInterval) }),
		table.Col(table.Column{Name: "refinement_high"}, func(p predicted) table.Value { return high(p.RefinementInterval) }),
		table.Col(table.Column{Name: "brier_aggregate", Head: "baseline", Digits: 3, Doc: "Brier score of the subject's observed success rate as every forecast"}, func(p predicted) table.Value { return table.Maybe(p.BrierAggregate) }),
		table.Col(table.Column{Name: "calibration_aggregate", Hidden: true}, func(p predicted) table.Value { return table.Maybe(p.CalibrationAggregate) }),
		table.Col(table.Column{Name: "refinement_aggregate", Hidden: true}, func(p predicted) table.Value { return table.Maybe(p.RefinementAggregate) }),
		table.Col(table.Column{Name: "excess", Head: "difference", Digits: 3, Low: "excess_low", High: "excess_high", Weight: 1, Doc: "Brier score − baseline: negative where the layout predicts better"}, func(p predicted) table.Value { return table.Maybe(p.Excess) }),
		table.Col(table.Column{Name: "excess_low"}, func(p predicted) table.Value { return low(p.ExcessInterval) }),
		table.Col(table.Column{Name: "excess_high"}, func(p predicted) table.Value { return high(p.ExcessInterval) }),
		table.Col(table.Column{Name: "published_brier", Head: "published", Digits: 3, Weight: 3}, func(p predicted) table.Value { return table.Maybe(p.published().Brier) }),
		table.Col(table.Column{Name: "published_brier_aggregate", Head: "published baseline", Digits: 3, Weight: 3}, func(p predicted) table.Value { return table.Maybe(p.published().BrierAggregate) }),
		table.Col(table.Column{Name: "published_calibration", Head: "published calibration", Digits: 3, Weight: 6}, func(p predicted) table.Value { return table.Maybe(p.published().Calibration) }),
		table.Col(table.Column{Name: "published_calibration_aggregate", Hidden: true}, func(p predicted) table.Value { return table.Maybe(p.published().CalibrationAggregate) }),
		table.Col(table.Column{Name: "published_refinement", Head: "published refinement", Digits: 3, Weight: 6}, func(p predicted) table.Value { return table.Maybe(p.published().Refinement) }),
		table.Col(table.Column{Name: "published_refinement_aggregate", Hidden: true}, func(p predicted) table.Value { return table.Maybe(p.published().RefinementAggregate) }),
		table.Col(table.Column{Name: "imv", Head: "IMV", Digits: 3, Low: "imv_low", High: "imv_high", Weight: 4, Doc: "InterModel Vigorish over the baseline (Domingue et al. 2024)"}, func(p predicted) table.Value { return table.Maybe(p.IMV) }),
		table.Col(table.Column{Name: "imv_low"}, func(p predicted) table.Value { return low(p.IMVInterval) }),
		table.Col(table.Column{Name: "imv_high"}, func(p predicted) table.Value { return high(p.IMVInterval) }),
	})
	if s.Verdicts == nil { // with verdicts, predictions are model-averaged, but warnings are about the profile layout
		for i, r := range rows {
			t.Note(i, "subject", warnings(s, r.name, infer.FitRows, false, func(*Warning) bool { return true })...)
		}
	}
	return t
}

// Names returns the subjects in natural order.
func (p *Predictions) Names() []string {
	names := slices.Sorted(maps.Keys(p.Subjects))
	sortByName(names, func(n string) string { return n })
	return names
}
