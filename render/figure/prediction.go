package figure

import (
	"cmp"
	"iter"
	"sort"

	"achilles/infer"
	"achilles/render/figure/chart"
	"achilles/scenarios/score"
	"achilles/sim/num"
	"achilles/sim/record"
)

func prediction(m *Material) (out []Entry) {
	if m.Scores.Prediction == nil {
		return nil
	}
	if m.Result != nil && m.Public != nil {
		const caption = "Held-out responses in ten bins of predicted probability: observed success rate with exact 95 % interval, and the 95 % binomial band expected under perfect calibration."
		out = append(out, Entry{Name: "reliability", Title: "Calibration plot", Section: SectionPrediction, Make: m.reliability, Caption: caption},
			Entry{Name: "reliabilities", Title: "Calibration plots by subject", Section: m.eachIn(SectionPrediction), Make: m.reliabilities, Caption: caption + cut(m)})
		for _, name := range m.Scores.Prediction.Names() {
			id := m.Scores.Prediction.Subjects[name].ID
			out = append(out, Entry{Name: "reliability-" + name, Title: "Calibration plot of " + name, Each: "SUBJECT", Caption: caption, Make: func() chart.Figure { return chart.Reliability(m.bins()[id].bins()) }})
		}
	}
	return append(out, Entry{Name: "brier", Title: "Brier score against success rate", Section: m.eachIn(SectionPrediction), Make: m.brier,
		Caption: "Every subject's Brier score on held-out responses, with its 95 % interval, beside that of always forecasting its own success rate. Lower is better." + thinned(len(m.Scores.Prediction.Subjects), "subjects")})
}

func (m *Material) brier() chart.Figure {
	var out []chart.BrierPoint
	for _, name := range m.Scores.Prediction.Names() {
		p := m.Scores.Prediction.Subjects[name]
		s := chart.BrierPoint{Label: name, Rate: p.SuccessRate, Ours: p.Brier, Aggregate: p.BrierAggregate, Low: p.Brier, High: p.Brier}
		if p.BrierInterval != nil {
			s.Low, s.High = p.BrierInterval[0], p.BrierInterval[1]
		}
		out = append(out, s)
	}
	return chart.Brier(out)
}

// forecasts has, for each of the bins that grading uses, the number of forecasts, the sum of their probabilities, and
// the number of successes.
type forecasts struct{ n, p, successes [score.Bins]float64 }

func (f *forecasts) add(p, outcome float64) {
	b := min(int(p*score.Bins), score.Bins-1)
	f.n[b]++
	f.p[b] += p
	f.successes[b] += outcome
}

// bins returns the bins that have forecasts. It returns nil if f is nil.
func (f *forecasts) bins() (out []chart.ReliabilityBin) {
	if f == nil {
		return nil
	}
	for b, k := range f.n {
		if k > 0 {
			i := score.ClopperPearson(int(f.successes[b]), int(k), score.Level)
			q := chart.ReliabilityBin{Forecast: f.p[b] / k, Rate: f.successes[b] / k, Low: i[0], High: i[1], N: int(k)}
			q.BandLow, q.BandHigh = binomialBand(q.N, q.Forecast, score.Level)
			out = append(out, q)
		}
	}
	return out
}

// binomialBand returns the central interval of the share of successes in n trials that each succeed with probability p.
// The interval has the probability level.
func binomialBand(n int, p, level float64) (low, high float64) {
	quantile := func(u float64) float64 { // least k with P(X ≤ k) ≥ u; P(X ≤ k) is the beta distribution function at 1 − p
		k := sort.Search(n, func(k int) bool { return num.BetaCDF(1-p, float64(n-k), float64(k+1)) >= u })
		return float64(k) / float64(n)
	}
	return quantile((1 - level) / 2), quantile((1 + level) / 2)
}

func (m *Material) reliability() chart.Figure {
	var all forecasts
	outcomes(m, func(q *infer.Prediction, outcome float64) { all.add(q.P, outcome) })
	return chart.Reliability(all.bins())
}

// bins returns the forecasts of every subject, by opaque id.
func (m *Material) bins() map[string]*forecasts {
	of := map[string]*forecasts{}
	outcomes(m, func(q *infer.Prediction, outcome float64) {
		if of[q.Subject] == nil {
			of[q.Subject] = &forecasts{}
		}
		of[q.Subject].add(q.P, outcome)
	})
	return of
}

func (m *Material) reliabilities() chart.Figure {
	of := m.bins()
	var panels []chart.ReliabilityPanel
	for _, name := range first(m.Scores.Prediction.Names()) {
		if bins := of[m.Scores.Prediction.Subjects[name].ID].bins(); bins != nil {
			panels = append(panels, chart.ReliabilityPanel{Name: name, Bins: bins})
		}
	}
	return chart.Reliabilities(panels)
}

// predictions yields all predictions, and stops at an error, which Err has.
func predictions(m *Material) iter.Seq[*infer.Prediction] {
	return func(yield func(*infer.Prediction) bool) {
		if m.Result.Predictions == nil {
			return
		}
		for of, err := range m.Result.Predictions {
			fail(m, err)
			for i := range of {
				if !yield(&of[i]) {
					return
				}
			}
		}
	}
}

// outcomes calls use with every prediction and the outcome of the held-out binary response that it predicts.
// Predictions and responses must be sorted by subject, item, trial and repetition, where subjects and items are sorted
// by id.
func outcomes(m *Material, use func(q *infer.Prediction, outcome float64)) {
	d, k := m.Public, 0
	all := &d.Responses
	compare := func(r record.Response, q *infer.Prediction) int {
		return cmp.Or(cmp.Compare(d.Subjects[r.Subject], q.Subject), cmp.Compare(d.Items.ID[r.Item], q.Item), cmp.Compare(int32(r.Trial), q.Trial), cmp.Compare(int32(r.Repetition), q.Repetition))
	}
	for q := range predictions(m) {
		for k < all.Len() && compare(all.At(k), q) < 0 {
			k++
		}
		for j := k; j < all.Len() && compare(all.At(j), q) == 0; j++ { // one response for each measure
			r := all.At(j)
			x := &d.Manifest.Measures[r.Measure]
			if x.Name == q.Measure && x.Family == record.Binary && r.Split == record.HeldOut && r.Unscored == 0 {
				use(q, r.Value)
			}
		}
	}
}
