package power

import (
	"cmp"
	"fmt"
	"slices"

	"achilles/battery"
	"achilles/sim/rng"
	"achilles/sim/table"
)

// Reliable is the probability from which on a pair of subjects counts as distinguished.
const Reliable = 0.95

// ofFamily is a row of the table of families.
type ofFamily struct {
	Subject
	Rival
	p      float64 // that the items distinguish the subject from the rival
	needed int     // number of items from which on p is Reliable; 0: there is none
}

var familyColumns = []table.Field[ofFamily]{
	table.Col(table.Column{Name: "subject", Kind: table.Text}, func(r ofFamily) table.Value { return table.String(r.Name) }),
	table.Col(table.Column{Name: "family", Head: "agent type", Kind: table.Text}, func(r ofFamily) table.Value { return table.String(r.Subject.Family) }),
	table.Col(table.Column{Name: "evidence", Head: "nats", Digits: 1, Doc: "expected log Bayes factor from one response to each item"}, func(r ofFamily) table.Value { return table.Float(r.Evidence) }),
	table.Col(table.Column{Name: "p", Head: "P", Digits: 2, Doc: "probability that the items distinguish the two"}, func(r ofFamily) table.Value { return table.Float(r.p) }),
	table.Col(table.Column{Name: "needed", Head: "items", Kind: table.Count, Weight: 1, Doc: "number of items needed for probability 0.95"}, func(r ofFamily) table.Value {
		if r.needed == 0 {
			return table.None
		}
		return table.Int(r.needed)
	}),
	table.Col(table.Column{Name: "wrong", Head: "wrong explanation, at its pass rates", Kind: table.Text, Prose: true}, func(r ofFamily) table.Value { return table.String(r.Rival.Family + ", " + r.String()) }),
}

// Families returns a table with the wrong explanation that responds most like each subject with a family, and the probability that
// so many items distinguish the two. It has no rows if no subject has a family. The error says that the battery lacks
// a feature that defines families.
func Families(subjects []Subject, b *battery.Battery, items int, root uint64) (*table.Table, error) {
	subjects = slices.DeleteFunc(slices.Clone(subjects), func(x Subject) bool { return x.Family == "" })
	var rows []ofFamily
	few := 0
	if len(subjects) > 0 {
		shapes, err := Shapes(b)
		if err != nil {
			return nil, err
		}
		compositions, err := Compositions(b, shapes)
		if err != nil {
			return nil, err
		}
		for _, x := range subjects {
			near := BestWrong(x, shapes, compositions)
			if near.Evidence < Told {
				few++
			}
			r := rng.Stream(root, "power", "families", x.Name)
			told := Tell(x.P, [][]float64{near.P()}, b.Items.Len(), &r)[0]
			row := ofFamily{x, near, told[items-1], 0}
			if n, ok := Needed(told, Reliable); ok {
				row.needed = n
			}
			rows = append(rows, row)
		}
	}
	return table.Of(table.Table{Name: "families", Title: "Wrong explanation that responds most like each subject", Key: []string{"subject"}, Foot: []string{
		fmt.Sprintf("Nats: expected log Bayes factor from one response to each of %d items. P: probability that %d items distinguish the two. Items: number needed for P = %.2f.", b.Items.Len(), items, Reliable),
		fmt.Sprintf("Of %d subjects %d cannot be distinguished from a wrong explanation by one response to each of %d items (below %d nats, odds of 20 to 1).", len(subjects), few, b.Items.Len(), Told),
	}}, rows, familyColumns), nil
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
