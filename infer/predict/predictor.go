// Package predict predicts the success of a subject on an item from features and earlier responses, with models from the
// overall success rate to item response models, and grades all of them on the same splits.
package predict

import (
	"context"

	"achilles/infer/table"
)

// A Predictor is a kind of model. Name is its name in tables and files. Fit learns from the rows of train: the model must
// depend on them and the root seed only. Subjects and items of the table may have no row.
type Predictor interface {
	Name() string
	Fit(ctx context.Context, train *table.Table, root uint64) (Model, error)
}

// A Checked predictor trains until the rows of check are no longer predicted better. A nil check is like Fit.
type Checked interface {
	Predictor
	FitChecked(ctx context.Context, train, check *table.Table, root uint64) (Model, error)
}

// A Model is a fitted Predictor. Predict sets p[i] to the probability that subject[i] succeeds on item[i]; all three slices
// have the same length, and the indices are those of the table that the model was fitted to.
type Model interface {
	Predict(subject, item []int32, p []float64)
}
