package compare

import (
	"achilles/infer/layout"
	"achilles/sim/record"
)

// newPredictiveOf has rivals with these weights and these success probabilities of the items.
func newPredictiveOf(items *record.Items, kept []*Fitted, weights []float64, each [][]float64) *predictive {
	p := &predictive{items: items, kept: kept, weights: weights, each: each, mixed: make([]float64, items.Len())}
	for k, w := range weights {
		for i := range p.mixed {
			p.mixed[i] += w * each[k][i]
		}
	}
	return p
}

// TiesOf are the items that tell most between rivals of these weights and success probabilities.
func TiesOf(items *record.Items, kept []*Fitted, weights []float64, each [][]float64) []ItemInformation {
	return ties(items, newPredictiveOf(items, kept, weights, each))
}

// StackingWeights is tested by hand.
var StackingWeights = stackingWeights

// NewLeaveOneOut has these leave-one-out log densities, one a response.
func NewLeaveOneOut(each ...float64) *LeaveOneOut { return &LeaveOneOut{each: each} }

// Compose returns the layout of the explanation with these components.
func Compose(parts ...*Rival) *layout.Layout { return compose(parts).Layout }

// LogPrior is the log prior probability of the explanation with these components.
func (b *Bound) LogPrior(set []int) float64 { return b.logPrior(set) }
