package embedding

import (
	"achilles/infer/predict"
	"achilles/infer/table"
)

// A Model is a fitted Predictor.
type Model struct {
	kind      Kind
	published bool
	t         *table.Table // the training rows
	mask      [][]float64
	plan      plan
	fits      []*fit
	tried     []predict.Tried
}

// Predict averages the probabilities of the fits, which had different starting values. For subjects and items without training
// responses, a model that was trained until it converged predicts what it expects of others (see fillUnseen).
func (m *Model) Predict(subject, item []int32, p []float64) {
	m.predict(subject, item, p)
	if !m.published {
		m.fillUnseen(subject, item, p)
	}
}

func (m *Model) predict(subject, item []int32, p []float64) {
	clear(p)
	one := make([]float64, len(p))
	for _, f := range m.fits {
		f.predict(subject, item, one)
		for i, q := range one {
			p[i] += q / float64(len(m.fits))
		}
	}
	for i, q := range p {
		p[i] = min(max(q, 0), 1) // an average of probabilities may leave [0, 1] by rounding
	}
}
