package chargrid

import (
	"math"
	"strconv"

	"achilles/infer/table"
	"achilles/sim/rng"
)

// A Fall says how steadily success falls as a numeric feature grows, of the subjects with some totals, and how steadily it would by chance.
type Fall struct {
	Feature     string
	Conformance float64 // see conformance; NaN if it is not defined
	// P is the probability that the conformance is as large or larger where the feature's values are dealt at random among the items with responses. It
	// needs no second subject, so that it holds of a single one. NaN without permutations, or without a conformance.
	P float64
}

// Falling returns the Fall of success over every numeric feature of a table, in their order. of names the subjects, for the random streams.
func Falling(t *table.Table, of string, p Totals, permutations int, root uint64) (out []Fall) {
	for _, m := range numeric(t) {
		f := Fall{m.feature.Name, conformance(m.pool(p)), math.NaN()}
		if permutations > 0 && !math.IsNaN(f.Conformance) {
			f.P = m.chance(f, of, p, permutations, root)
		}
		out = append(out, f)
	}
	return out
}

// chance returns P of a Fall. A deal in which all values of the feature have the same success counts as no fall.
func (m measured) chance(f Fall, of string, p Totals, permutations int, root uint64) float64 {
	var items []int
	for i, k := range m.of {
		if k >= 0 && p.N[i] > 0 {
			items = append(items, i)
		}
	}
	dealt, level := append([]int32(nil), m.of...), m
	level.of = dealt
	atLeast := 1
	for k := range permutations {
		r := rng.Stream(root, "falling", of, f.Feature, strconv.Itoa(k))
		for i := len(items) - 1; i > 0; i-- {
			j := r.IntN(i + 1)
			dealt[items[i]], dealt[items[j]] = dealt[items[j]], dealt[items[i]]
		}
		if c := conformance(level.pool(p)); c >= f.Conformance-1e-12 {
			atLeast++
		}
	}
	return float64(atLeast) / float64(permutations+1)
}
