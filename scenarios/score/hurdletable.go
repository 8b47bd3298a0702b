package score

import (
	"strings"

	"achilles/sim/table"
)

// A hurdled is a row of the table of hurdles: a hurdle of a miss, or what comes of all.
type hurdled struct {
	miss *Miss
	name string
	of   Cleared
}

// String returns the demand's name, value and unit.
func (d Demand) String() string { return strings.TrimSuffix(d.Name+" "+d.Value+" "+d.Unit, " ") }

// Words says what the item asks: its demands, or that it does not ask for the hurdle.
func (c *Cleared) Words() string {
	if !c.Asked {
		return "not asked"
	}
	var all []string
	for _, d := range c.Demands {
		all = append(all, d.String())
	}
	return strings.Join(all, ", ")
}

// hurdleTable returns the hurdles of the responses about which the profiles are most wrong; nil if there are none.
func hurdleTable(s *Scores) *table.Table {
	var rows []hurdled
	for i, why := range s.Why {
		if why == nil || why.Why != "" {
			continue
		}
		m := &s.Misses[i]
		for _, c := range why.Hurdles {
			rows = append(rows, hurdled{m, c.Name, c})
		}
		rows = append(rows, hurdled{m, "", Cleared{Asked: true, Mean: why.P, Low: why.Low, High: why.High, Truth: why.Truth}})
	}
	if rows == nil {
		return nil
	}
	return table.Of(table.Table{
		Name: "hurdles", Title: "Why: hurdles of the most wrong predictions", Key: []string{"subject", "item", "trial", "repetition", "hurdle"},
		Foot: []string{"Probability of clearing each hurdle, by the profile from all responses: posterior mean, in brackets the central 90 %. Without a hurdle: the probability of success, lapses included."},
	}, rows, []table.Field[hurdled]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(h hurdled) table.Value { return table.String(h.miss.Subject) }),
		table.Col(table.Column{Name: "id", Kind: table.Text, Hidden: true}, func(h hurdled) table.Value { return table.String(h.miss.ID) }),
		table.Col(table.Column{Name: "item", Kind: table.Text}, func(h hurdled) table.Value { return table.String(h.miss.Item) }),
		table.Col(table.Column{Name: "trial", Kind: table.Count, Hidden: true}, func(h hurdled) table.Value { return table.Int(h.miss.Trial) }),
		table.Col(table.Column{Name: "repetition", Kind: table.Count, Hidden: true}, func(h hurdled) table.Value { return table.Int(h.miss.Repetition) }),
		table.Col(table.Column{Name: "hurdle", Kind: table.Text}, func(h hurdled) table.Value { return table.Named(h.name) }),
		table.Col(table.Column{Name: "parameters", Kind: table.Text, Weight: 2}, func(h hurdled) table.Value { return table.Named(strings.Join(h.of.Parameters, ", ")) }),
		table.Col(table.Column{Name: "demand", Kind: table.Text, Weight: 1}, func(h hurdled) table.Value { return table.Named(h.of.Words()) }),
		table.Col(table.Column{Name: "mean", Digits: 2, Low: "q5", High: "q95"}, func(h hurdled) table.Value { return table.Float(h.of.Mean) }),
		table.Col(table.Column{Name: "q5"}, func(h hurdled) table.Value { return table.Float(h.of.Low) }),
		table.Col(table.Column{Name: "q95"}, func(h hurdled) table.Value { return table.Float(h.of.High) }),
		table.Col(table.Column{Name: "truth", Digits: 2, Doc: "at the true parameters"}, func(h hurdled) table.Value { return table.Maybe(h.of.Truth) }),
	})
}
