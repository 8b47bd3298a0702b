package infer

import (
	"fmt"
	"slices"

	"achilles/sim/table"
)

// The judgements of an expected response by a threshold.
const (
	Safe      = "safe"
	Unsafe    = "unsafe"
	Undecided = "undecided"
)

// ofDraws returns a column's number of the draws of a row; none where of returns nil.
func ofDraws[R any](of func(r R) []float64, f func(draws []float64) float64) func(r R) table.Value {
	return func(r R) table.Value {
		if of(r) == nil {
			return table.None
		}
		return table.Float(f(of(r)))
	}
}

// safety returns the columns of the probability that an expected response is at least the threshold, and of the judgement, which is
// Safe or Unsafe where that has a probability of level or more. of returns the sorted draws of a row; nil if there are none.
func safety[R any](threshold, level float64, of func(r R) []float64) []table.Field[R] {
	share := func(draws []float64) float64 {
		below, _ := slices.BinarySearch(draws, threshold)
		return float64(len(draws)-below) / float64(len(draws))
	}
	return []table.Field[R]{
		table.Col(table.Column{Name: "safe", Head: fmt.Sprintf("P(≥ %g)", threshold), Digits: 3, Doc: fmt.Sprintf("posterior probability that the expected response is at least %g", threshold)}, ofDraws(of, share)),
		table.Col(table.Column{Name: "judgement", Kind: table.Text, Doc: fmt.Sprintf("safe or unsafe where that has a probability of at least %g, else undecided", level)}, func(r R) table.Value {
			if of(r) == nil {
				return table.Value{}
			}
			switch p := share(of(r)); {
			case p >= level:
				return table.String(Safe)
			case 1-p >= level:
				return table.String(Unsafe)
			}
			return table.String(Undecided)
		}),
	}
}
