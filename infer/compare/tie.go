package compare

import (
	"cmp"
	"slices"

	"achilles/sim/num"
	"achilles/sim/record"
)

// mostTies is how many items are named that would settle a tie.
const mostTies = 5

// leastInformation is what an item must promise to be named, in bits.
const leastInformation = 0.01

// ties names the items whose next response would tell most about which rival is right: the mutual information of rival
// and response, under the present weights. Of items that promise the same the first is named. None is named where no
// item of the battery would tell anything.
func ties(items *record.Items, p *predictive) []ItemInformation {
	var out []ItemInformation
	seen := map[float64]bool{}
	for i, id := range items.ID {
		information := entropy(p.mixed[i])
		for k, w := range p.weights {
			information -= float64(w * entropy(p.each[k][i]))
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

// apart names the two rivals of which an item tells most: those whose weights times the difference of their
// probabilities are largest.
func (p *predictive) apart(i int) []string {
	best, a, b := -1.0, 0, 0
	for j := range p.held {
		for k := range j {
			d := p.each[j][i] - p.each[k][i]
			if g := float64(p.weights[j] * p.weights[k] * d * d); g > best {
				best, a, b = g, k, j
			}
		}
	}
	return []string{p.held[a].Layout.Name, p.held[b].Layout.Name}
}

// entropy of a coin in bits.
func entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -(float64(p*num.Log(p)) + float64((1-p)*num.Log1p(-p))) / num.Log(2)
}
