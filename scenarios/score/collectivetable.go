package score

import (
	"slices"
	"strconv"
	"strings"
)

// CollectiveTable returns a table with one row for each collective, or nil if there are none.
func (s *Scores) CollectiveTable() []byte {
	if s.Collectives == nil {
		return nil
	}
	t := textTable{title: "Collectives: share of right answers, as the members' actual answers decide and by formula, as if they erred independently [95 %: posterior draws]"}
	if s.CTest != nil {
		t.title = strings.Replace(t.title, "answers,", "answers, weighted by complexity,", 1)
	}
	t.head = []string{"collective", "rule", "members", "mean member", "best member", "actual", "formula", "95 %", "z", "majority", "plurality"}
	truth, published := s.columnsOfCollectives()
	if truth {
		t.head = append(t.head, "true majority", "true plurality")
	}
	if published {
		t.head = append(t.head, "published")
	}
	for _, name := range s.CollectiveNames() {
		g := s.Collectives[name]
		row := []string{name, string(g.Rule), strconv.Itoa(len(g.Members)), fixed(g.Mean, 3), fixed(g.Best, 3), fixed(g.Actual, 3)}
		if i := g.Independent; i != nil {
			row = append(row, i.text(), span(i.Interval, 2), decimals(i.Z, 1), fixed(i.Majority, 3), decimals(i.Plurality, 3))
		} else {
			row = append(row, "–", "–", "", "–", "–")
		}
		if truth {
			row = append(row, decimals(g.TrueMajority, 3), decimals(g.TruePlurality, 3))
		}
		t.rows = append(t.rows, append(row, decimals(g.Published, 2)))
	}
	t.foot = append(t.foot, "formula: of the collective's own rule, or simulated (~), with the members' chances by their posteriors; z: actual − formula, in standard deviations of so many responses",
		"majority, plurality: if more than half had to be right, if most votes won (never less)")
	if truth {
		t.foot = append(t.foot, "true: the same by the members' true abilities")
	}
	if s.CTest != nil && s.CTest.Note != "" {
		t.foot = append(t.foot, "published: "+s.CTest.Note)
	}
	return t.text()
}

// text returns the share with three decimals, after ~ if it is simulated.
func (i *Independent) text() string {
	if i.SE != nil {
		return "~" + fixed(i.Share, 3)
	}
	return fixed(i.Share, 3)
}

// columnsOfCollectives returns whether any group has a true majority, and whether any has a published value.
func (s *Scores) columnsOfCollectives() (truth, published bool) {
	for _, g := range s.Collectives {
		truth, published = truth || g.TrueMajority != nil, published || g.Published != nil
	}
	return truth, published
}

func (s *Scores) collectiveRows() [][]string {
	rows := [][]string{{"collective", "id", "rule", "members", "n", "mean_member", "best_member", "actual", "independent", "low", "high", "se", "z", "majority", "plurality", "true_majority", "true_plurality", "published"}}
	for _, name := range s.CollectiveNames() {
		g := s.Collectives[name]
		row := []string{name, g.ID, string(g.Rule), strings.Join(g.Members, "; "), strconv.Itoa(g.N), full(g.Mean), full(g.Best), full(g.Actual)}
		if i := g.Independent; i != nil {
			row = append(append(append(row, full(i.Share)), ends(i.Interval)...), optional(i.SE), optional(i.Z), full(i.Majority), optional(i.Plurality))
		} else {
			row = append(row, slices.Repeat([]string{""}, 7)...)
		}
		rows = append(rows, append(row, optional(g.TrueMajority), optional(g.TruePlurality), optional(g.Published)))
	}
	return rows
}
