package predict

import (
	"context"

	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Blend averages the log odds of its parts with equal weights. It has nothing to tune.
type Blend struct {
	ID
	Parts []Predictor
}

// Fit fits every part.
func (b Blend) Fit(ctx context.Context, train *table.Table, root uint64) (Model, error) {
	m := make(blended, len(b.Parts))
	for i, p := range b.Parts {
		var err error
		if m[i], err = p.Fit(ctx, train, rng.Derive(root, "blend", p.Name())); err != nil {
			return nil, err
		}
	}
	return m, nil
}

type blended []Model

// Predict averages the log odds of the parts.
func (m blended) Predict(subject, item []int32, p []float64) {
	sum, q := make([]float64, len(p)), make([]float64, len(p))
	for _, part := range m {
		part.Predict(subject, item, q)
		for i, v := range q {
			sum[i] += logit(v)
		}
	}
	for i, z := range sum {
		p[i] = num.Logistic(z / float64(len(m)))
	}
}
