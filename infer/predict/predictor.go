// Package predict predicts the success of a subject on an item from features and earlier responses, with models from the
// overall success rate to item response models, and grades all of them on the same splits.
package predict

import (
	"context"

	"achilles/infer/table"
)

// A Predictor is a kind of model. Name returns its name in tables and files. Fit learns from the rows of train. The
// model must depend only on these rows and on the root seed. Subjects and items of the table may have no row.
type Predictor interface {
	Name() string
	Fit(ctx context.Context, train *table.Table, root uint64) (Model, error)
}

// ID is the name of a model.
type ID string

// Name identifies the model.
func (id ID) Name() string { return string(id) }

// A Checked is a Predictor that trains until its predictions for the rows of check no longer improve. If check is nil,
// FitChecked does the same as Fit.
type Checked interface {
	Predictor
	FitChecked(ctx context.Context, train, check *table.Table, root uint64) (Model, error)
}

// A Model is a fitted Predictor. Predict sets p[i] to the probability that subject[i] succeeds on item[i]; all three slices
// have the same length, and the indices are those of the table that the model was fitted to.
type Model interface {
	Predict(subject, item []int32, p []float64)
}
