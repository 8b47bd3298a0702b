package compare

import (
	"slices"

	"achilles/infer/layout"
	"achilles/sim/record"
)

// newPredictiveOf returns a predictive of rivals with the given weights and success probabilities, each[rival][item].
func newPredictiveOf(items *record.Items, kept []*Fitted, weights []float64, each [][]float64) *predictive {
	p := &predictive{kept: kept, weights: weights, each: each, mixed: make([]float64, items.Len())}
	for k, w := range weights {
		for i := range p.mixed {
			p.mixed[i] += w * each[k][i]
		}
	}
	return p
}

// TiesOf returns the items that tell rivals with the given weights and success probabilities, each[rival][item], apart best.
func TiesOf(items *record.Items, kept []*Fitted, weights []float64, each [][]float64) []ItemInformation {
	return ties(items, newPredictiveOf(items, kept, weights, each))
}

// StackingWeights exports stackingWeights.
var StackingWeights = stackingWeights

// NewLeaveOneOut returns a LeaveOneOut with the given leave-one-out log densities, one for each response.
func NewLeaveOneOut(each ...float64) *LeaveOneOut { return &LeaveOneOut{each: each} }

// Compose returns the layout of the explanation with these components.
func Compose(parts ...*Rival) *layout.Layout { return compose(parts, false).Layout }

// LogPrior returns the log prior probability of the explanation with these components.
func (b *Bound) LogPrior(set []int) float64 { return b.logPrior(set) }

// A Screened is a set of components that was screened and not fitted, and the estimated log of its prior × evidence.
type Screened struct {
	Set       []int
	LogWeight float64
}

// Unvisited returns the estimated posterior probability of explanations that were screened and not fitted, beside fits with
// the given log weights.
func (b *Bound) Unvisited(fitted []float64, left ...Screened) float64 {
	s := &search{Bound: b}
	for _, w := range fitted {
		s.fits = append(s.fits, &Fitted{logPrior: w})
	}
	for _, x := range left {
		s.leave(candidate{set: x.Set, expected: x.LogWeight - 1, mean: 1})
	}
	sum := 0.0
	for _, u := range s.left() {
		sum += u.Weight
	}
	return sum
}

// NewUnvisited returns an explanation that was not fitted, with these components, the last of which was added.
func NewUnvisited(weight, matters float64, set ...int) Unvisited {
	return Unvisited{Weight: weight, Matters: matters, set: set, added: set[len(set)-1]}
}

// FloorAt returns the index of the parameter that is the floor, or −1.
func (r *Rival) FloorAt() int {
	return slices.IndexFunc(r.Layout.Parameters, func(p layout.Parameter) bool { return p.Name == r.floor })
}

// StrongAt returns the index of the parameter strong, or −1.
func (r *Rival) StrongAt() int {
	return slices.IndexFunc(r.Layout.Parameters, func(p layout.Parameter) bool { return p.Name == strong })
}
