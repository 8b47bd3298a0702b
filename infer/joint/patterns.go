package joint

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"achilles/sim/num"
)

// A pattern is what some units have answered alike.
type pattern struct {
	units    []int32
	products []int32 // of the shared products, whose product is the likelihood of the pattern
	box              // the nodes that matter for it
}

// A sharing lists products of the likelihoods of outcomes of which many patterns have some in common: number i is product parent[i], or 1 if
// that is −1, times the likelihood of an outcome. With binary responses of 15 others there are 2^8 + 2^7 products, whatever the number of
// patterns.
type sharing struct{ parent, outcome []int32 }

// collapse collects units with the same outcomes, and the products of which their likelihoods consist: the outcomes of a few of the others,
// subjects or items, after another. of says to which of the others an outcome belongs.
func collapse(outcomes [][]int, of []int) (patterns []pattern, s sharing) {
	known := num.Numbering[string]{}
	var distinct [][]int
	for u, list := range outcomes {
		list = slices.Clone(list)
		slices.SortFunc(list, func(a, b int) int { return cmp.Or(of[a]-of[b], a-b) })
		var key []byte
		for _, o := range list {
			key = binary.AppendUvarint(key, uint64(o))
		}
		p := known.Of(string(key))
		if p == len(patterns) {
			patterns, distinct = append(patterns, pattern{}), append(distinct, list)
		}
		patterns[p].units = append(patterns[p].units, int32(u))
	}
	others := slices.Max(of) + 1
	parts := (others-1)/max(1, bits.Len(uint(len(patterns)))-2) + 1
	each := (others-1)/parts + 1
	products := num.Numbering[[2]int32]{}
	for p, list := range distinct {
		for at := 0; at < len(list); {
			part, now := of[list[at]]/each, int32(-1)
			for ; at < len(list) && of[list[at]]/each == part; at++ {
				step := [2]int32{now, int32(list[at])}
				next := products.Of(step)
				if next == len(s.parent) {
					s.parent, s.outcome = append(s.parent, now), append(s.outcome, step[1])
				}
				now = int32(next)
			}
			patterns[p].products = append(patterns[p].products, now)
		}
	}
	return patterns, s
}
