package compare

import (
	"cmp"
	"slices"

	"achilles/sim/num"
	"achilles/sim/record"
)

// mostTies is the largest number of items in Verdict.Ties.
const mostTies = 5

// leastInformation is the smallest expected information, in bits, of an item in Verdict.Ties.
const leastInformation = 0.01

// ties returns the items whose next response is most informative about which rival is right, by the mutual information of
// rival and response under the current weights. Of items with equal information it returns only the first.
func ties(items *record.Items, p *predictive) []ItemInformation {
	var out []ItemInformation
	seen := map[float64]bool{}
	for i, id := range items.ID {
		information := bits(p.mixed[i])
		for k, w := range p.weights {
			information -= float64(w * bits(p.each[k][i]))
		}
		if information < leastInformation || seen[information] {
			continue
		}
		seen[information] = true
		out = append(out, ItemInformation{Item: id, Information: information, Between: p.apart(i)})
	}
	slices.SortStableFunc(out, func(a, b ItemInformation) int { return cmp.Compare(b.Information, a.Information) })
	return out[:min(len(out), mostTies)]
}

// apart returns the two rivals that a response to item i tells apart best: the pair with the largest product of both weights
// and the squared difference of success probabilities.
func (p *predictive) apart(i int) []string {
	best, a, b := -1.0, 0, 0
	for j := range p.kept {
		for k := range j {
			d := p.each[j][i] - p.each[k][i]
			if g := float64(p.weights[j] * p.weights[k] * d * d); g > best {
				best, a, b = g, k, j
			}
		}
	}
	return []string{p.kept[a].Layout.Name, p.kept[b].Layout.Name}
}

// bits returns the entropy, in bits, of a binary response with success probability p.
func bits(p float64) float64 { return num.BinaryEntropy(p) / num.Log(2) }
