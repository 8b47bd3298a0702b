package table

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// reliability returns the share of the variance of subjects' mean residuals that chance does not explain: of passes and failures as much as their
// rates give, of other values the mean square of what items and subjects leave, as in Hoyt (1941, Psychometrika 6). ok is false if there are too
// few subjects, or responses.
func (t *Table) reliability(m margins) (r float64, ok bool) {
	sum, noise, n := make([]float64, len(t.Subjects)), make([]float64, len(t.Subjects)), 0.0
	for k, v := range t.Value {
		p := m.item[t.Item[k]].mean()
		sum[t.Subject[k]] += v - p
		noise[t.Subject[k]] += float64(p * (1 - p))
	}
	if !t.Binary {
		left, free := 0.0, float64(t.Rows()+1)
		for k, v := range t.Value {
			s, i := t.Subject[k], t.Item[k]
			e := v - m.item[i].mean() - sum[s]/m.subject[s].n
			left += float64(e * e)
		}
		for _, all := range [][]margin{m.subject, m.item} {
			for _, x := range all {
				free -= min(x.n, 1)
			}
		}
		if free < 1 {
			return 0, false
		}
		for s, x := range m.subject {
			noise[s] = x.n * left / free
		}
	}
	var x, xx, chance float64
	for s := range sum {
		if k := m.subject[s].n; k > 0 {
			mean := sum[s] / k
			n, x, xx, chance = n+1, x+mean, xx+float64(mean*mean), chance+noise[s]/float64(k*k)
		}
	}
	v := (xx - float64(x*x)/n) / (n - 1)
	if n < fewestSubjects || !(v > 0) {
		return 0, false
	}
	return 1 - chance/n/v, true
}

// fewestInOrder is the number of items, not all of which have the same responses, from which their order is remarkable.
const fewestInOrder = 4

// perfectOrder is about a table of passes and failures without a gap in which nobody passes an item and fails an easier one (Guttman 1944). Items that
// everybody or nobody passes do not count.
func (t *Table) perfectOrder(m margins) (none Finding) {
	n := float64(len(t.Subjects))
	if !t.Binary || slices.ContainsFunc(m.subject, func(x margin) bool { return x.n != float64(len(t.Items)) }) {
		return none
	}
	passed := map[float64]bool{} // by how many, of items that say something
	live := 0
	for _, x := range m.item {
		if x.n != n {
			return none
		}
		if x.sum > 0 && x.sum < n {
			live++
			passed[x.sum] = true
		}
	}
	if live < fewestInOrder || len(passed) < fewestInOrder {
		return none
	}
	hardest, easiest := make([]float64, len(t.Subjects)), make([]float64, len(t.Subjects)) // of the passed, and of the failed, by how many pass it
	for s := range hardest {
		hardest[s], easiest[s] = math.Inf(1), math.Inf(-1)
	}
	for k, v := range t.Value {
		s, x := t.Subject[k], m.item[t.Item[k]].sum
		if v == 1 {
			hardest[s] = min(hardest[s], x)
		} else {
			easiest[s] = max(easiest[s], x)
		}
	}
	for s := range hardest {
		if hardest[s] <= easiest[s] {
			return none
		}
	}
	return Finding{
		Kind: PerfectOrder, What: "items that are passed in one order without exception: " + num.Counted(len(passed), "step"), Count: live, Of: len(t.Items),
		Meaning: "nobody passes an item and fails an easier one (a Guttman scale): the order is known, and how far items and subjects lie apart is the prior's",
	}
}
