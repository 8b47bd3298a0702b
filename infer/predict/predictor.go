// Package predict predicts the success of a subject on an item from features and earlier responses, with models from the
// overall success rate to item response models, and grades all of them on the same splits.
package predict

import (
	"context"

	"achilles/infer/table"
)

// A Predictor is a kind of model. Name says which in tables and files; Fit learns from the given rows alone and must not
// depend on anything but them and the root seed. A subject or an item of the table may have no row.
type Predictor interface {
	Name() string
	Fit(ctx context.Context, train *table.Table, root uint64) (Model, error)
}

// A Model gives in p[i] the probability that subject[i] succeeds on item[i], in [0, 1].
// The indices are those of the table that it was fitted to.
type Model interface {
	Predict(subject, item []int32, p []float64)
}
