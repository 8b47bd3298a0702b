package power

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"achilles/agents"
	"achilles/battery"
	"achilles/scenarios/score"
	"achilles/sim/table"
)

// Reliable is the probability from which on a pair of subjects counts as distinguished.
const Reliable = 0.95

// Classified returns a table with a row per subject: how often simulated runs of so many items are classified correctly.
func Classified(list []Predicted, items int) *table.Table {
	foot := []string{"Correct: proportion of runs classified correctly, with its 95 % interval. Probability: mean posterior probability of the agent type."}
	if len(list) > 0 {
		foot[0] = fmt.Sprintf("Simulated runs per subject: %d, of %d items each. ", list[0].Runs, items) + foot[0]
	}
	return table.Of(table.Table{Name: "classified", Title: "Predicted classification of each subject", Key: []string{"subject"}, Foot: foot}, list, append([]table.Field[Predicted]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(r Predicted) table.Value { return table.String(r.Name) }),
		table.Col(table.Column{Name: "type", Head: "agent type", Kind: table.Text}, func(r Predicted) table.Value { return table.String(r.Family) }),
	}, append(proportion(func(r Predicted) Predicted { return r }),
		table.Col(table.Column{Name: "probability", Digits: 2, Doc: "mean posterior probability of the agent type", Weight: 1}, func(r Predicted) table.Value { return table.Float(r.Weight) }),
		table.Col(table.Column{Name: "wrong", Head: "wrong classifications", Kind: table.Text, Prose: true}, func(r Predicted) table.Value { return table.String(r.mistakes()) }),
	)...))
}

// ByType returns a table with a row per agent type, of Predicted of its subjects together.
func ByType(list []Predicted) *table.Table {
	type group struct {
		Predicted
		subjects int
	}
	var rows []group
	for _, f := range agents.Families() {
		g := group{Predicted: Predicted{Subject: Subject{Family: f}, Wrong: map[string]int{}}}
		for _, p := range list {
			if p.Family != f {
				continue
			}
			g.subjects, g.Correct, g.Runs = g.subjects+1, g.Correct+p.Correct, g.Runs+p.Runs
			for name, n := range p.Wrong {
				g.Wrong[name] += n
			}
		}
		if g.subjects > 0 {
			rows = append(rows, g)
		}
	}
	return table.Of(table.Table{Name: "types", Title: "Predicted classification by agent type", Key: []string{"type"}}, rows, append([]table.Field[group]{
		table.Col(table.Column{Name: "type", Head: "agent type", Kind: table.Text}, func(r group) table.Value { return table.String(r.Family) }),
		table.Col(table.Column{Name: "subjects", Kind: table.Count}, func(r group) table.Value { return table.Int(r.subjects) }),
	}, append(proportion(func(r group) Predicted { return r.Predicted }),
		table.Col(table.Column{Name: "wrong", Head: "wrong classifications", Kind: table.Text, Prose: true}, func(r group) table.Value { return table.String(r.mistakes()) }),
	)...))
}

// proportion returns the columns of the proportion of correct classifications.
func proportion[T any](of func(T) Predicted) []table.Field[T] {
	end := func(k int) func(T) table.Value {
		return func(r T) table.Value {
			p := of(r)
			return table.Float(score.ClopperPearson(p.Correct, p.Runs, score.Level)[k])
		}
	}
	return []table.Field[T]{
		table.Col(table.Column{Name: "correct", Digits: 2, Low: "low", High: "high"}, func(r T) table.Value { p := of(r); return table.Float(float64(p.Correct) / float64(p.Runs)) }),
		table.Col(table.Column{Name: "low", Digits: 2}, end(0)), table.Col(table.Column{Name: "high", Digits: 2}, end(1)),
	}
}

// mistakes returns the wrong classifications with their numbers, the most frequent first.
func (p *Predicted) mistakes() string {
	names := slices.SortedFunc(maps.Keys(p.Wrong), func(a, b string) int { return cmp.Or(p.Wrong[b]-p.Wrong[a], cmp.Compare(a, b)) })
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, p.Wrong[name])
	}
	return strings.Join(names, ", ")
}

// most is the largest number of pairs in Undistinguished.
const most = 10

// A pair of subjects has the smaller of the probabilities of the two to be distinguished from the other.
type pair struct {
	a, b string
	p    float64
}

// Undistinguished returns a table with the pairs of subjects that so many items distinguish with the smallest probabilities, below
// Reliable. p is from Pairs.
func Undistinguished(subjects []Subject, p [][]float64, items int) *table.Table {
	var rows []pair
	for i := range subjects {
		for k := range i {
			if least := min(p[i][k], p[k][i]); least < Reliable {
				rows = append(rows, pair{subjects[k].Name, subjects[i].Name, least})
			}
		}
	}
	slices.SortStableFunc(rows, func(x, y pair) int { return cmp.Compare(x.p, y.p) })
	n := len(subjects) * (len(subjects) - 1) / 2
	t := table.Table{Name: "pairs", Key: []string{"subject", "other"},
		Title: fmt.Sprintf("%d items distinguish %d of %d pairs of subjects with probability %.2f or more", items, n-len(rows), n, Reliable)}
	if len(rows) > most {
		t.Foot = []string{fmt.Sprintf("And %d more pairs.", len(rows)-most)}
		rows = rows[:most]
	}
	return table.Of(t, rows, []table.Field[pair]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(r pair) table.Value { return table.String(r.a) }),
		table.Col(table.Column{Name: "other", Kind: table.Text}, func(r pair) table.Value { return table.String(r.b) }),
		table.Col(table.Column{Name: "p", Head: "P", Digits: 2, Doc: "probability that the items distinguish the two"}, func(r pair) table.Value { return table.Float(r.p) }),
	})
}

// byShortcut is a row of the table of shortcuts.
type byShortcut struct {
	battery.Passed
	paradigm string
	share    battery.Share
	nats     float64
}

// Shortcuts returns a table with the proportion of the items of b that test object permanence which each shortcut passes, by
// paradigm, and the evidence against it (see Against). paradigms and list are from b.ByShortcuts.
func Shortcuts(b *battery.Battery, paradigms []string, list []battery.Passed) (*table.Table, error) {
	var rows []byShortcut
	of := 0
	for _, p := range list {
		nats, err := Against(b, p.Shortcut)
		if err != nil {
			return nil, err
		}
		for k, share := range p.Hidden {
			rows = append(rows, byShortcut{p, paradigms[k], share, nats})
		}
		of = p.All.Of
	}
	return table.Of(table.Table{Name: "shortcuts", Title: fmt.Sprintf("Proportion of the %d items that test object permanence which each shortcut passes", of), Key: []string{"shortcut", "paradigm"},
		Foot: []string{"Nats: expected log Bayes factor of a subject with object permanence against a fraudster with the shortcut."},
		View: &table.View{Down: "shortcut", Across: "paradigm", Cell: "passed", Once: []string{"all", "nats"}},
	}, rows, []table.Field[byShortcut]{
		table.Col(table.Column{Name: "shortcut", Kind: table.Text}, func(r byShortcut) table.Value { return table.String(r.Shortcut) }),
		table.Col(table.Column{Name: "paradigm", Kind: table.Text}, func(r byShortcut) table.Value { return table.String(r.paradigm) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Doc: "items"}, func(r byShortcut) table.Value { return table.Int(r.share.Of) }),
		table.Col(table.Column{Name: "passed", Digits: 2}, func(r byShortcut) table.Value { return table.Float(r.share.Rate()) }),
		table.Col(table.Column{Name: "all", Digits: 2, Doc: "over all paradigms"}, func(r byShortcut) table.Value { return table.Float(r.All.Rate()) }),
		table.Col(table.Column{Name: "nats", Digits: 1}, func(r byShortcut) table.Value { return table.Float(r.nats) }),
	}), nil
}
