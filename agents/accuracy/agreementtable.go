package accuracy

import (
	"fmt"
	"math"

	"achilles/sim/num"
	"achilles/sim/table"
)

// A GroupAgreement is the Agreement of a named group.
type GroupAgreement struct {
	Name string
	Rule Rule
	*Agreement
}

// AgreementTable returns the agreements of groups as a table.
func AgreementTable(groups []GroupAgreement, level float64) *table.Table {
	columns := []table.Field[GroupAgreement]{
		table.Col(table.Column{Name: "group", Kind: table.Text}, func(g GroupAgreement) table.Value { return table.String(g.Name) }),
		table.Col(table.Column{Name: "rule", Kind: table.Text, Weight: 3}, func(g GroupAgreement) table.Value { return table.String(string(g.Rule)) }),
		table.Col(table.Column{Name: "members", Kind: table.Count, Weight: 3}, func(g GroupAgreement) table.Value { return table.Int(g.Members) }),
		table.Col(table.Column{Name: "items", Kind: table.Count, Weight: 3}, func(g GroupAgreement) table.Value { return table.Int(g.N) }),
		table.Col(table.Column{Name: "mean_member", Digits: 3, Weight: 4, Doc: "mean of the members' own proportions"}, func(g GroupAgreement) table.Value { return table.Float(g.Mean) }),
		table.Col(table.Column{Name: "best_member", Digits: 3, Weight: 4, Doc: "largest of the members' own proportions"}, func(g GroupAgreement) table.Value { return table.Float(g.Best) }),
	}
	for _, c := range []struct {
		column table.Column
		of     func(g GroupAgreement) Estimate
	}{
		{table.Column{Name: "independent", Doc: "accuracy of the vote if each member succeeded as often as it did, on items of its own, and wrong answers were drawn uniformly"}, func(g GroupAgreement) Estimate { return g.Independent }},
		{table.Column{Name: "same_successes", Doc: "with the same successes on the same items, and wrong answers drawn uniformly"}, func(g GroupAgreement) Estimate { return g.Same }},
		{table.Column{Name: "actual", Doc: "with the answers as they are"}, func(g GroupAgreement) Estimate { return g.Actual }},
		{table.Column{Name: "same_items", Doc: "proportion of the loss, independent − actual, because members fail on the same items"}, func(g GroupAgreement) Estimate { return g.Items }},
		{table.Column{Name: "same_answers", Doc: "proportion of the loss because members give the same wrong answer"}, func(g GroupAgreement) Estimate { return g.Answers }},
		{table.Column{Name: "alike", Doc: "of two members who are both wrong, how often they give the same answer"}, func(g GroupAgreement) Estimate { return g.SameWrong }},
	} {
		low, high := c.column.Name+"_low", c.column.Name+"_high"
		c.column.Digits, c.column.Low, c.column.High = 3, low, high
		columns = append(columns, table.Col(c.column, func(g GroupAgreement) table.Value { return table.Maybe(num.Finite(c.of(g).Value)) }),
			table.Col(table.Column{Name: low}, func(g GroupAgreement) table.Value { return table.Maybe(num.Finite(c.of(g).Low)) }),
			table.Col(table.Column{Name: high}, func(g GroupAgreement) table.Value { return table.Maybe(num.Finite(c.of(g).High)) }))
	}
	columns = append(columns, table.Col(table.Column{Name: "alike_by_chance", Digits: 3, Doc: "the same if wrong answers were drawn uniformly"}, func(g GroupAgreement) table.Value { return table.Maybe(num.Finite(g.SameWrongLuck.Value)) }))
	t := table.Of(table.Table{Name: "agreement", Title: "Anatomy of votes: why they are less accurate than those of independent members", Key: []string{"group"}}, groups, columns)
	for i, g := range groups {
		if math.IsNaN(g.Items.Value) {
			t.Note(i, "actual", "Proportions are not given, because the interval of the loss is not above 0.")
		}
	}
	t.Foot = []string{"Brackets: " + fmt.Sprintf("%v %%", 100*level) + " interval, bootstrap over items. Same successes: the members are right on the same items as in fact, and wrong answers are drawn uniformly."}
	return t
}
