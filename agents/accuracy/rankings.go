package accuracy

import (
	"errors"
	"fmt"
	"slices"

	"achilles/sim/rng"
	"achilles/sim/table"
)

// ElectRankings returns the answers, in ascending order, that are elected from the members' rankings, by a rule that needs them (Ranks) or by
// first places alone. Answers that a ranking leaves out are behind the others and level with each other: they share the points of the remaining
// places, and none is before another. An empty ranking counts for nothing. It panics for a rule with weights or of one member.
func (r Rule) ElectRankings(rankings [][]int, answers int) []int {
	rankings = slices.DeleteFunc(slices.Clone(rankings), func(x []int) bool { return len(x) == 0 })
	switch {
	case len(rankings) == 0:
		return nil
	case r == PluralityVote || r == StrictMajority:
		first := make([]int, len(rankings))
		for i, x := range rankings {
			first[i] = x[0]
		}
		return r.Elect(first, nil, 0, answers, nil)
	case r == BordaCount || r == HarmonicCount:
		return highest(r.points(rankings, answers))
	case r == Maximin || r == Copeland:
		return highest(r.duels(rankings, answers))
	}
	panic("accuracy: a rule that does not elect from rankings")
}

// points returns the points of every answer by its places.
func (r Rule) points(rankings [][]int, answers int) []float64 {
	at := make([]float64, answers) // by place
	for place := range at {
		if at[place] = float64(answers - 1 - place); r == HarmonicCount {
			at[place] = 1 / float64(place+1)
		}
	}
	points := make([]float64, answers)
	for _, ranking := range rankings {
		shared := 0.0
		if left := answers - len(ranking); left > 0 {
			for _, x := range at[len(ranking):] {
				shared += x / float64(left)
			}
		}
		named := make([]bool, answers)
		for place, a := range ranking {
			points[a] += at[place]
			named[a] = true
		}
		for a := range points {
			if !named[a] {
				points[a] += shared
			}
		}
	}
	return points
}

// duels returns the score of every answer by how many members rank it before each other one.
func (r Rule) duels(rankings [][]int, answers int) []float64 {
	ahead := make([][]float64, answers) // ahead[a][b]: number of members that rank a before b
	for i := range ahead {
		ahead[i] = make([]float64, answers)
	}
	for _, ranking := range rankings {
		for place, a := range ranking {
			for b := range answers {
				if !slices.Contains(ranking[:place+1], b) {
					ahead[a][b]++
				}
			}
		}
	}
	score := make([]float64, answers)
	for a := range score {
		if r == Maximin {
			score[a] = float64(len(rankings))
		}
		for b := range score {
			switch d := ahead[a][b] - ahead[b][a]; {
			case a == b:
			case r == Maximin:
				score[a] = min(score[a], ahead[a][b])
			case d > 0:
				score[a]++
			case d == 0:
				score[a] += 0.5
			}
		}
	}
	return score
}

// A RuleAccuracy says how often a group would have been right by a rule.
type RuleAccuracy struct {
	Rule Rule
	Estimate
}

// ByRule returns how often the members' rankings (their votes, if there are no rankings) give the right answer by every rule that needs no
// weights, with intervals of a level from a bootstrap over the ballots. After a tie the right answer counts with the chance of being drawn. It
// fails with fewer than two ballots.
func ByRule(ballots []Ballot, level float64, root uint64) (list []RuleAccuracy, err error) {
	if len(ballots) < 2 {
		return nil, errors.New("the accuracy of rules needs at least two items")
	}
	const replicates = 1000
	for _, r := range Rules() {
		if r == WeightedVote || r == BestMember {
			continue
		}
		right := make([]float64, len(ballots))
		for i := range ballots {
			right[i] = Share(r.ElectRankings(ballots[i].rankings(), ballots[i].Options), ballots[i].Right)
		}
		random := rng.Stream(root, "rules") // the same items for every rule, so that intervals compare
		drawn := make([]float64, replicates)
		for k := range drawn {
			for range right {
				drawn[k] += right[random.IntN(len(right))] / float64(len(right))
			}
		}
		list = append(list, RuleAccuracy{r, estimate(sum(right)/float64(len(right)), drawn, level)})
	}
	return list, nil
}

// rankings returns the members' rankings; without any, the answer of each alone.
func (b *Ballot) rankings() [][]int {
	if b.Rankings != nil {
		return b.Rankings
	}
	out := make([][]int, len(b.Votes))
	for i, v := range b.Votes {
		if v >= 0 {
			out[i] = []int{v}
		}
	}
	return out
}

// RulesTable returns what ByRule says as a table.
func RulesTable(list []RuleAccuracy, level float64) *table.Table {
	return table.Of(table.Table{Name: "rules", Title: "Accuracy of the group by each rule", Key: []string{"rule"},
		Foot: []string{fmt.Sprintf("Brackets: %v %% interval, bootstrap over items. Answers that a ranking leaves out are behind the others, level with each other.", 100*level)}}, list, []table.Field[RuleAccuracy]{
		table.Col(table.Column{Name: "rule", Kind: table.Text}, func(r RuleAccuracy) table.Value { return table.String(string(r.Rule)) }),
		table.Col(table.Column{Name: "accuracy", Digits: 3, Low: "low", High: "high"}, func(r RuleAccuracy) table.Value { return table.Float(r.Value) }),
		table.Col(table.Column{Name: "low"}, func(r RuleAccuracy) table.Value { return table.Float(r.Low) }),
		table.Col(table.Column{Name: "high"}, func(r RuleAccuracy) table.Value { return table.Float(r.High) }),
	})
}
