package score

import (
	"fmt"
	"math"
	"slices"

	"achilles/infer"
	"achilles/sim/record"
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
func (s *Scores) gradePrediction(in Input, k *key) error {
	if len(in.Result.Predictions) == 0 {
		s.note("no predictions to grade: no response was held out, or the result was made without predictions")
		return nil
	}
	if err := s.gradeValues(in, k); err != nil {
		return err
	}
	ps := predictionsOf(in, isBinary)
	if len(ps) == 0 {
		return nil
	}
	h := newHeldOut(in.Public, isBinary)
	bySubject, err := h.match(ps)
	if err != nil {
		return err
	}
	s.Prediction = &Predictions{Bins: Bins, Unpredicted: h.n - len(ps), Subjects: map[string]Prediction{}}
	pool := &forecasts{}
	for _, id := range in.Public.Subjects { // sorted, so that sums do not depend on the order of a map
		if f := bySubject[id]; f != nil {
			p := f.grade()
			p.ID, p.Published = id, k.published.prediction(k.name(id))
			s.Prediction.Subjects[k.name(id)] = p
			pool.append(f)
		}
	}
	all := pool.grade()
	s.Prediction.Pooled = &all
	if n := s.Prediction.Unpredicted; n > 0 {
		s.note("%d held-out responses have no prediction and are not graded", n)
	}
	return nil
}

func isBinary(m record.Measure) bool { return m.Family == record.Binary }

// predictionsOf returns the predictions of the measures for which keep is true. Predictions of measures that the dataset
// does not have count as binary, so that they are refused with the others that have no response.
func predictionsOf(in Input, keep func(record.Measure) bool) (out []infer.Prediction) {
	measures := map[string]record.Measure{}
	for _, m := range in.Public.Manifest.Measures {
		measures[m.Name] = m
	}
	kept := func(p infer.Prediction) bool {
		m, ok := measures[p.Measure]
		if !ok {
			m = record.Measure{Name: p.Measure, Family: record.Binary}
		}
		return keep(m)
	}
	all := in.Result.Predictions
	n := slices.IndexFunc(all, func(p infer.Prediction) bool { return !kept(p) })
	if n < 0 {
		return all // usual, and a copy would double the memory
	}
	out = slices.Clone(all[:n])
	for _, p := range all[n:] {
		if kept(p) {
			out = append(out, p)
		}
	}
	return out
}

// A heldOut has the scored responses to some measures: the held-out ones, which grade predictions, and the means of the
// others.
type heldOut struct {
	data      *record.Dataset
	kept      []bool // by measure
	n         int    // number of held-out responses
	predicted []bool // by response: whether a prediction was matched with it before
	base      []rate // by subject and measure: means of the fit responses, which are not held out; of binary ones and of counts among trials, success rates
}

// newHeldOut splits the scored responses to the measures for which keep is true into the held-out ones and the fit ones.
func newHeldOut(d *record.Dataset, keep func(record.Measure) bool) *heldOut {
	h := &heldOut{data: d, predicted: make([]bool, d.Responses.Len()), base: make([]rate, len(d.Subjects)*len(d.Manifest.Measures))}
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

// match pairs every prediction with its held-out response and returns the pairs by opaque id of the subject. It refuses
// a prediction that is not finite, has no such response, or occurs twice, and one of a binary response outside [0, 1].
func (h *heldOut) match(ps []infer.Prediction) (map[string]*forecasts, error) {
	bySubject := map[string]*forecasts{}
	for i := range ps {
		p := &ps[i]
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
			return nil, fmt.Errorf("score: inferred prediction of subject %s, item %s, trial %d, repetition %d, measure %s: %s",
				p.Subject, p.Item, p.Trial, p.Repetition, p.Measure, wrong)
		}
		h.predicted[at] = true
		if bySubject[p.Subject] == nil {
			bySubject[p.Subject] = &forecasts{}
		}
		bySubject[p.Subject].add(p.P, h.baseOf(&r).mean()*float64(max(1, r.Trials)), r.Value)
	}
	return bySubject, nil
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
		N: d.N, SuccessRate: mean(f.y), Brier: d.Brier, BrierBinned: d.Binned, Calibration: d.Calibration, Refinement: d.Refinement,
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
	excess := squaredErrors(f.p, f.y)
	for i, sq := range squaredErrors(f.aggregate, f.y) {
		excess[i] -= sq
	}
	imv, se := vigorish(f.p, f.aggregate, f.y)
	g.IMV, g.IMVInterval = &imv, normalInterval(imv, se, -0.5, 1)
	m := mean(excess)
	g.Excess, g.ExcessInterval = &m, normalInterval(m, meanSE(excess), -1, 1)
}
