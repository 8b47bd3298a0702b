package figure

import (
	"cmp"

	"achilles/infer"
	"achilles/render/figure/chart"
	"achilles/scenarios/score"
	"achilles/sim/record"
)

func (m *Material) prediction() (out []Entry) {
	if m.Scores.Prediction == nil {
		return nil
	}
	if m.Result != nil && m.Public != nil {
		out = append(out, Entry{Name: "reliability", Title: "Reliability of the predictions", Section: SectionPrediction, Make: m.reliability,
			Caption: "Held-out responses of all subjects in ten bins of the predicted probability: how often they succeeded, with exact 95 % intervals."})
	}
	return append(out, Entry{Name: "brier", Title: "Brier score against success rate", Section: SectionPrediction, Make: m.brier,
		Caption: "Every subject's Brier score on held-out responses, with its 95 % interval, beside that of always forecasting its own success rate. Lower is better."})
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

// reliability draws the predictions in the bins that grading uses.
func (m *Material) reliability() chart.Figure {
	var n, p, y [score.Bins]float64
	m.outcomes(func(q *infer.Prediction, outcome float64) {
		b := min(int(q.P*score.Bins), score.Bins-1)
		n[b]++
		p[b] += q.P
		y[b] += outcome
	})
	var bins []chart.ReliabilityBin
	for b, k := range n {
		if k > 0 {
			i := score.ClopperPearson(int(y[b]), int(k), score.Level)
			bins = append(bins, chart.ReliabilityBin{Forecast: p[b] / k, Rate: y[b] / k, Low: i[0], High: i[1], N: int(k)})
		}
	}
	return chart.Reliability(bins)
}

// outcomes calls use with every prediction and the held-out binary response that it predicts. Predictions and
// responses must be sorted by subject, item, trial and repetition, where subjects and items are sorted by id.
func (m *Material) outcomes(use func(q *infer.Prediction, outcome float64)) {
	d, k := m.Public, 0
	compare := func(r *record.Response, q *infer.Prediction) int {
		return cmp.Or(cmp.Compare(d.Subjects[r.Subject], q.Subject), cmp.Compare(d.Items.ID[r.Item], q.Item), cmp.Compare(int32(r.Trial), q.Trial), cmp.Compare(int32(r.Repetition), q.Repetition))
	}
	for i := range m.Result.Predictions {
		q := &m.Result.Predictions[i]
		for k < len(d.Responses) && compare(&d.Responses[k], q) < 0 {
			k++
		}
		for j := k; j < len(d.Responses) && compare(&d.Responses[j], q) == 0; j++ { // one response for each measure
			r := &d.Responses[j]
			x := &d.Manifest.Measures[r.Measure]
			if x.Name == q.Measure && x.Family == record.Binary && r.Split == record.HeldOut && r.Unscored == 0 {
				use(q, r.Value)
			}
		}
	}
}
