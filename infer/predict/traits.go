package predict

import (
	"context"

	"achilles/infer/table"
)

// Traits are what a fitted model says of subjects and items one by one. A slice is nil where the model has no such thing.
type Traits struct {
	Ability []Ability // of every subject
	Skills  [][]Ability
	// Difficulty and Discrimination of every item, in the units of the model.
	Difficulty, Discrimination []float64
	Mask                       [][]float64 // weight of every skill in every item
	Negative                   float64     // share of the items' slopes that are below 0: more ability, less success; NaN if the model has no slopes
}

// An Ability is an estimate in the units of its model, with an interval; Low and High are NaN if the model has none.
type Ability struct{ Value, Low, High float64 }

// A Measurer is a Predictor whose models have traits. Measure fits one as Fit does; level is that of the intervals.
type Measurer interface {
	Predictor
	Measure(ctx context.Context, t *table.Table, level float64, root uint64) (Traits, error)
}
