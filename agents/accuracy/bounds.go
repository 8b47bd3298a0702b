package accuracy

import (
	"math"
	"slices"

	"achilles/sim/table"
)

// MajorityBounds returns the least and the largest probability that more than half of the voters are right, who are right with the
// probabilities p and may depend on each other in any way. Some dependence reaches each. With p ascending and k the smallest number of
// votes that is more than half, the largest is the least of 1 and, for j from 0 to k − 1, the sum of the n − j smallest probabilities
// divided by k − j (Rüger 1978); the least is 1 minus the largest probability of n − k + 1 errors.
func MajorityBounds(p []float64) (least, most float64) {
	n, k := len(p), len(p)/2+1
	wrong := make([]float64, n)
	for i, x := range p {
		wrong[i] = 1 - x
	}
	return 1 - mostOften(wrong, n-k+1), mostOften(p, k)
}

// mostOften returns the largest probability of k or more successes, over all dependences of trials that succeed with the probabilities p.
func mostOften(p []float64, k int) float64 {
	p = slices.Sorted(slices.Values(p))
	most := 1.0
	for j := range k {
		most = min(most, sum(p[:len(p)-j])/float64(k-j))
	}
	return most
}

// dependenceTable returns how accurate groups are however their members' errors depend on each other; nil without groups that vote by majority or
// plurality. A group that is right by strict majority is right by plurality, so that the least bounds both, and is
// reached by a plurality of an odd number of members; the largest holds only for the former.
func (s *Selection) dependenceTable() *table.Table {
	type row struct {
		group, task              string
		least, independent, most float64
	}
	var rows []row
	for i := range s.Candidates {
		g := &s.Candidates[i].Group
		if len(g.Members) < 2 || g.Rule != StrictMajority && g.Rule != PluralityVote {
			continue
		}
		for _, t := range s.Tasks {
			r := row{group: g.Name, task: t.Name}
			r.least, r.most = MajorityBounds(g.chances(t.Task))
			if g.Rule == PluralityVote {
				r.most = math.NaN()
			}
			var ok bool
			if r.independent, ok = g.Chance(t.Task); !ok {
				r.independent = math.NaN()
			}
			rows = append(rows, r)
		}
	}
	if rows == nil {
		return nil
	}
	return table.Of(table.Table{Name: "dependence", Title: "Accuracy of groups, however their members' errors depend on each other", Key: []string{"group", "task"},
		Foot: []string{"The smallest and largest accuracies that the members' own accuracies allow; for a plurality of an even number of members the smallest is a lower bound. –: unknown for a plurality."}}, rows, []table.Field[row]{
		table.Col(table.Column{Name: "group", Kind: table.Text}, func(r row) table.Value { return table.String(r.group) }),
		table.Col(table.Column{Name: "task", Kind: table.Text}, func(r row) table.Value { return table.String(r.task) }),
		table.Col(table.Column{Name: "least", Digits: 4}, func(r row) table.Value { return table.Float(r.least) }),
		table.Col(table.Column{Name: "independent", Digits: 4, Doc: "accuracy if members err independently"}, func(r row) table.Value { return table.Float(r.independent) }),
		table.Col(table.Column{Name: "most", Head: "largest", Digits: 4}, func(r row) table.Value { return table.Float(r.most) }),
	})
}
