package chargrid

import (
	"math"
	"strconv"

	"achilles/sim/rng"
)

// A Robustness says how little success depends on an irrelevant feature if the relevant features are equal. The spread
// of a cell of the relevant space is the largest difference between the success rates in the bins of the irrelevant
// feature; it needs responses in at least two bins. Spread is the mean over the cells that have a spread, and Value is 1
// − Spread. Chance alone makes a spread too: Expected is the mean of Spread over random permutations of the irrelevant
// values among the items of each cell. P is the share of permutations, the observed order included, with at least the
// observed Spread.
type Robustness struct {
	Feature       string
	Value, Spread float64
	Expected, P   float64
	Cells         int    // number of cells that have a spread
	Reason        string // why the numbers are NaN; empty if they are not
}

// Robust compares the bins of an irrelevant axis within the cells of a space. p has the totals of a set of
// subjects, whose name is of. Expected and P are NaN if permutations is below 1.
func (s *Space) Robust(a *Axis, of string, p Totals, permutations int, root uint64) Robustness {
	r := Robustness{Feature: a.Feature, Value: math.NaN(), Spread: math.NaN(), Expected: math.NaN(), P: math.NaN()}
	cells := make([][]int, s.Cells) // for each cell the items with responses that have the irrelevant feature
	for i, c := range s.Cell {
		if c >= 0 && a.Bin[i] >= 0 && p.N[i] > 0 {
			cells[c] = append(cells[c], i)
		}
	}
	bin := append([]int32(nil), a.Bin...)
	if r.Spread, r.Cells = spread(cells, bin, len(a.Labels), p); r.Cells == 0 {
		r.Spread, r.Reason = math.NaN(), "no cell has responses at two values of the feature"
		return r
	}
	r.Value = 1 - r.Spread
	if permutations < 1 {
		return r
	}
	sum, atLeast := 0.0, 1.0
	for k := range permutations {
		g := rng.Stream(root, "robustness", of, a.Feature, strconv.Itoa(k))
		for _, items := range cells {
			for i := len(items) - 1; i > 0; i-- {
				j := g.IntN(i + 1)
				bin[items[i]], bin[items[j]] = bin[items[j]], bin[items[i]]
			}
		}
		v, _ := spread(cells, bin, len(a.Labels), p)
		sum += v
		if v >= r.Spread-1e-12 {
			atLeast++
		}
	}
	r.Expected, r.P = sum/float64(permutations), atLeast/float64(permutations+1)
	return r
}

// spread returns the mean spread of the cells with responses in at least two bins, and the number of these cells. The
// spread of a cell is the largest difference between its bins' success rates.
func spread(cells [][]int, bin []int32, bins int, p Totals) (mean float64, used int) {
	n, sum := make([]float64, bins), make([]float64, bins)
	for _, items := range cells {
		clear(n)
		clear(sum)
		for _, i := range items {
			n[bin[i]] += p.N[i]
			sum[bin[i]] += p.Sum[i]
		}
		low, high, filled := math.Inf(1), math.Inf(-1), 0
		for b := range n {
			if n[b] > 0 {
				filled++
				low, high = min(low, sum[b]/n[b]), max(high, sum[b]/n[b])
			}
		}
		if filled > 1 {
			mean, used = mean+high-low, used+1
		}
	}
	return mean / float64(max(used, 1)), used
}
