package predict

import (
	"context"

	"achilles/infer/table"
)

// Traits are estimates of a fitted model for single subjects and items. A slice is nil if the model has no such
// estimates.
type Traits struct {
	Ability []Ability   // by subject
	Skills  [][]Ability // by skill and subject
	Subsets [][]Ability // by subset of the items and subject: expected success rates, but see embedding
	Printed []Ability   // overall, by the printed equation, where the released code of the model has another
	Vector  [][]float64 // by subject: its parameters in the first fit, the numbers that the model predicts from
	// Difficulty and Discrimination are by item, in the units of the model.
	Difficulty, Discrimination []float64
	// Infit of an item is the sum of its squared residuals divided by the sum of their expected values. Outfit is the mean of
	// the squared residuals, each divided by its expected value (Wright and Masters 1982). The model expects 1; above 1,
	// responses are noisier than it expects, below 1 more regular. Both are NaN for an item without responses.
	Infit, Outfit []float64
	Mask          [][]float64 // by item and skill: how much the item needs the skill
	Learnt        bool        // the model learnt the skills, which have no names
	Tried         []Tried     // ways to train that were compared; nil if there was one
	Negative      float64     // share of the items' slopes below 0: more ability, less success; NaN without slopes
}

// A Tried is a way to train a model that was compared with others by predictions of responses that were kept apart. What a kind of model has not,
// or has by default, is 0.
type Tried struct {
	Dimensions int     // number of abilities
	Slope      float64 // precision of the prior of the items' slopes
	Layer      int     // units of the first hidden layer
	Step       float64 // step size
	Loss       float64 // mean loss on the responses that were kept apart
	Chosen     bool
}

// An Ability is an estimate in the units of its model, with an interval; Low and High are NaN if the model has none.
type Ability struct{ Value, Low, High float64 }

// A Measurer is a Predictor whose models have traits. Measure fits a model as Fit does and returns its traits. level is
// the level of the intervals.
type Measurer interface {
	Predictor
	Measure(ctx context.Context, t *table.Table, level float64, root uint64) (Traits, error)
}
