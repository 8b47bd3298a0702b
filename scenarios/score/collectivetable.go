package score

import (
	"strings"

	"achilles/sim/table"
)

// A collectiveRow is a row of the table of collectives.
type collectiveRow struct {
	name string
	Collective
}

// ifIndependent returns a value of what the collective would do if its members erred independently; None if that is not known.
func ifIndependent(of func(i *Independent) table.Value) func(r collectiveRow) table.Value {
	return func(r collectiveRow) table.Value {
		if r.Independent == nil {
			return table.None
		}
		return of(r.Independent)
	}
}

// collectiveTable returns what each collective did, beside what it would do if its members erred independently.
func collectiveTable(s *Scores) *table.Table {
	var rows []collectiveRow
	truth := false
	for _, name := range s.CollectiveNames() {
		g := s.Collectives[name]
		rows = append(rows, collectiveRow{name, g})
		truth = truth || g.TrueMajority != nil
	}
	t := table.Of(table.Table{
		Name: "collectives", Title: "Collectives: proportion of right answers", Key: []string{"collective"},
		Print: []string{"collective", "rule", "size", "n", "mean_member", "best_member", "actual", "independent", "se", "z", "majority", "plurality", "true_majority", "true_plurality", "published"},
	}, rows, []table.Field[collectiveRow]{
		table.Col(table.Column{Name: "collective", Kind: table.Text}, func(r collectiveRow) table.Value { return table.String(r.name) }),
		table.Col(table.Column{Name: "id", Kind: table.Text}, func(r collectiveRow) table.Value { return table.String(r.ID) }),
		table.Col(table.Column{Name: "rule", Kind: table.Text, Weight: 1}, func(r collectiveRow) table.Value { return table.String(string(r.Rule)) }),
		table.Col(table.Column{Name: "members", Kind: table.Text}, func(r collectiveRow) table.Value { return table.String(strings.Join(r.Members, "; ")) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Weight: 5, Doc: "scored responses"}, func(r collectiveRow) table.Value { return table.Int(r.N) }),
		table.Col(table.Column{Name: "mean_member", Digits: 3, Weight: 2, Doc: "mean of the members' own proportions"}, func(r collectiveRow) table.Value { return table.Float(r.Mean) }),
		table.Col(table.Column{Name: "best_member", Digits: 3, Weight: 1, Doc: "largest of the members' own proportions"}, func(r collectiveRow) table.Value { return table.Float(r.Best) }),
		table.Col(table.Column{Name: "actual", Digits: 3, Doc: "as the rule decides over the members' actual answers"}, func(r collectiveRow) table.Value { return table.Float(r.Actual) }),
		table.Col(table.Column{Name: "independent", Head: "expected", Digits: 3, Low: "low", High: "high", Doc: "expected if the members erred independently"}, ifIndependent(func(i *Independent) table.Value { return table.Float(i.Share) })),
		table.Col(table.Column{Name: "low"}, ifIndependent(func(i *Independent) table.Value { return low(i.Interval) })),
		table.Col(table.Column{Name: "high"}, ifIndependent(func(i *Independent) table.Value { return high(i.Interval) })),
		table.Col(table.Column{Name: "se", Head: "SE", Digits: 4, Weight: 6, Doc: "standard error of an expected proportion that is simulated"}, ifIndependent(func(i *Independent) table.Value { return table.Maybe(i.SE) })),
		table.Col(table.Column{Name: "z", Digits: 1, Doc: "(actual − expected)/SD of a proportion of n responses"}, ifIndependent(func(i *Independent) table.Value { return table.Maybe(i.Z) })),
		table.Col(table.Column{Name: "majority", Digits: 3, Weight: 4, Doc: "expected under independence, by majority (more than half correct)"}, ifIndependent(func(i *Independent) table.Value { return table.Float(i.Majority) })),
		table.Col(table.Column{Name: "plurality", Digits: 3, Weight: 4, Doc: "expected under independence, by plurality (most votes win)"}, ifIndependent(func(i *Independent) table.Value { return table.Maybe(i.Plurality) })),
		table.Col(table.Column{Name: "true_majority", Digits: 3, Weight: 5}, func(r collectiveRow) table.Value { return table.Maybe(r.TrueMajority) }),
		table.Col(table.Column{Name: "true_plurality", Digits: 3, Weight: 5}, func(r collectiveRow) table.Value { return table.Maybe(r.TruePlurality) }),
		table.Col(table.Column{Name: "published", Digits: 2, Weight: 1}, func(r collectiveRow) table.Value { return table.Maybe(r.Published) }),
		table.Col(table.Column{Name: "size", Head: "members", Kind: table.Count, Weight: 3}, func(r collectiveRow) table.Value { return table.Int(len(r.Members)) }),
	})
	for i, r := range rows {
		if r.Independent != nil && r.SE != nil {
			t.Note(i, "independent", "Simulated, because there is no formula for the rule.")
		}
	}
	t.Foot = []string{
		"Expected: under independence, by the collective's rule, with success probabilities from the members' posteriors; brackets: 95 % interval over posterior draws. z: (actual − expected)/SD of the proportion; values far from 0 indicate dependent errors.",
		"Majority, plurality: expected if more than half had to be right, and if most votes won (never less).",
	}
	if truth {
		t.Foot = append(t.Foot, "True: the same by the members' true abilities.")
	}
	if s.CTest != nil {
		if t.Title += ", weighted by complexity"; s.CTest.Note != "" {
			t.Foot = append(t.Foot, "Published: "+strings.TrimSuffix(s.CTest.Note, ".")+".")
		}
	}
	return t
}
