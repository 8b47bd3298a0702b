package contrast

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/sim/num"
	"achilles/sim/table"
)

func text[R any](c table.Column, of func(r R) string) table.Field[R] {
	c.Kind = table.Text
	return table.Col(c, func(r R) table.Value { return table.Named(of(r)) })
}

func number[R any](c table.Column, of func(r R) float64) table.Field[R] {
	return table.Col(c, func(r R) table.Value { return table.Float(of(r)) })
}

func count[R any](c table.Column, of func(r R) int) table.Field[R] {
	c.Kind = table.Count
	return table.Col(c, func(r R) table.Value { return table.Int(of(r)) })
}

// what names what is compared: success of degrees of success, else the measure.
func (r *Responses) what() string {
	if r.scale == 1 {
		return "success"
	}
	return r.Measure
}

// Table returns the differences of all pairs, with what they were found to be.
func (r *Responses) Table(list []Difference, together []Together) *table.Table {
	groups := len(list) > 0 && r.byGroup()
	unit := r.unit()
	if groups {
		unit = "subject"
	}
	t := table.Table{Name: "pairs", Title: "Differences of " + r.what(), Key: []string{"a", "b"}, Worst: []string{"p_holm"}}
	fields := []table.Field[Difference]{
		text(table.Column{Name: "a", Head: "A"}, func(d Difference) string { return d.A }),
		text(table.Column{Name: "b", Head: "B"}, func(d Difference) string { return d.B }),
		count(table.Column{Name: "items", Weight: 2, Doc: "that both have taken"}, func(d Difference) int { return d.Items }),
		count(table.Column{Name: "clusters", Head: unit + "s", Weight: 2, Hidden: unit == "item", Doc: "that are taken as independent of each other"}, func(d Difference) int { return d.Clusters }),
		number(table.Column{Name: "difference", Head: "A − B", Digits: 3, Low: "low", High: "high", Doc: "mean of A − mean of B"}, func(d Difference) float64 { return d.Mean }),
		number(table.Column{Name: "low", Digits: 3, Doc: "lower end of the 95 % interval of this pair alone"}, func(d Difference) float64 { return d.Low }),
		number(table.Column{Name: "high", Digits: 3, Doc: "upper end of the 95 % interval of this pair alone"}, func(d Difference) float64 { return d.High }),
		number(table.Column{Name: "se", Head: "SE", Digits: 3, Weight: 4, Doc: "standard error of the difference"}, func(d Difference) float64 { return d.SE }),
		number(table.Column{Name: "p", Digits: 4, Test: true, Weight: 3, Doc: "p-value of this pair alone"}, func(d Difference) float64 { return d.P }),
		number(table.Column{Name: "p_holm", Head: "p (Holm)", Digits: 4, Test: true, Weight: 1, Doc: "p-value corrected for the number of pairs"}, func(d Difference) float64 { return d.Holm }),
		table.Col(table.Column{Name: "exact", Kind: table.Flag, Weight: 5, Doc: "whether p is of an exact test"}, func(d Difference) table.Value { return table.Bool(d.Exact) }),
		number(table.Column{Name: "findable", Digits: 3, Weight: 2, Doc: "difference that this many would find with probability 0.8"}, func(d Difference) float64 { return d.Findable }),
		text(table.Column{Name: "finding", Head: "higher", Doc: "which is higher"}, func(d Difference) string { return d.finding(unit) }),
		table.Col(table.Column{Name: "more", Head: "more " + unit + "s", Kind: table.Count, Doc: "further independent " + unit + "s that would find a difference of this size with probability 0.8"}, func(d Difference) table.Value {
			if d.More == 0 {
				return table.None
			}
			return table.Int(d.More)
		}),
	}
	t.Foot = r.foot(list, groups, together)
	apart := len(list)
	list = slices.DeleteFunc(slices.Clone(list), func(d Difference) bool { return d.Items == 0 })
	if apart -= len(list); apart > 0 {
		t.Foot = append(t.Foot, fmt.Sprintf("%s without an item in common, which nothing compares.", num.Counted(apart, "further pair")))
	}
	return table.Of(t, list, fields)
}

// Counts says in a sentence what was found of many pairs.
func Counts(list []Difference) string {
	differ, apart, same := 0, 0, 0
	for i := range list {
		switch d := &list[i]; {
		case d.Items == 0:
			apart++
		case d.Different == 0:
			same++
		case d.Found() != 0:
			differ++
		}
	}
	s := fmt.Sprintf("Of %s %s differ at 0.05 for all together (Holm 1979)", num.Counted(len(list), "pair"), num.Count(differ))
	if same > 0 {
		s += fmt.Sprintf(", %s have the same responses to every item", num.Count(same))
	}
	if apart > 0 {
		s += fmt.Sprintf(", %s have no item in common", num.Count(apart))
	}
	return s + fmt.Sprintf(", and %s cannot be distinguished.", num.Count(len(list)-differ-apart-same))
}

// unit is the word for what is taken as independent.
func (r *Responses) unit() string {
	if r.Unit == "item" {
		return r.Unit
	}
	return "cluster"
}

func (r *Responses) byGroup() bool {
	for _, g := range r.group {
		if g != "" {
			return true
		}
	}
	return false
}

// finding says in words what was found.
func (d *Difference) finding(unit string) string {
	switch {
	case d.Found() > 0:
		return d.A
	case d.Found() < 0:
		return d.B
	case d.Different == 0:
		return "tie: every " + unit + " the same"
	case math.IsNaN(d.P):
		return "cannot tell: one " + unit
	}
	return "cannot tell"
}

func (r *Responses) foot(list []Difference, groups bool, together []Together) (out []string) {
	pairs, exact := 0, 0
	for _, d := range list {
		if !math.IsNaN(d.P) {
			pairs++
			if d.Exact {
				exact++
			}
		}
	}
	what := "items as a sample of such items"
	if r.Unit != "item" {
		what = fmt.Sprintf("clusters, the values of %s, as a sample of such values", r.Unit)
	}
	how := "Paired by item, epochs averaged; intervals and p-values take the " + what + " and as independent of each other"
	few := "all ways to swap A and B within " + r.unit() + "s"
	if r.scale == 1 {
		few += " (McNemar's exact test of single responses)"
	}
	if groups {
		how = "Each subject counts by how much it is above the mean of both groups on the items that both have taken; intervals and p-values take subjects as a sample, and items as they are"
		few = "all ways to assign the subjects to the groups"
	}
	switch {
	case exact == pairs && pairs > 0:
		how += ". p-values are exact, of " + few
	case exact > 0:
		how += ". p-values are exact, of " + few + ", where few differ, else by Student's t"
	case pairs > 0:
		how += ". p-values are by Student's t"
	}
	out = append(out, how+".")
	out = append(out, fmt.Sprintf("In brackets the 95 %% interval of each pair alone. What is found holds at 0.05%s. Findable: the difference that this many would find with probability 0.8; more: how many further ones would find, with that probability, a difference as large as the one seen.", ofAll(pairs)))
	if len(together) > 0 {
		out = append(out, sayTogether(together))
	}
	return out
}

// sayTogether names the column within which differences go together most, and the others. A column of a design, whose values are all that
// there are, is told from a sample by the user alone.
func sayTogether(together []Together) string {
	together = slices.Clone(together)
	slices.SortStableFunc(together, func(a, b Together) int { return cmp.Compare(b.Inflation(), a.Inflation()) })
	var others []string
	for _, t := range together[1:] {
		others = append(others, t.Column)
	}
	also := ""
	if others != nil {
		also = "; likewise within " + listed(others)
	}
	t := together[0]
	return fmt.Sprintf("Differences go together within %s (correlation %.2f, SE %.2f%s). Where its values are a sample, such as passages, and not all that there are, these intervals are too narrow by about %.2g times. Rerun with --cluster %s.", t.Column, t.Correlation, t.SE, also, math.Sqrt(t.Inflation()), t.Column)
}

// RankTable returns ranks.
func RankTable(ranks []Rank) *table.Table {
	several := false
	for _, r := range ranks {
		several = several || r.Part > 1
	}
	t := table.Table{Name: "ranks", Title: "Ranks", Key: []string{"name"}, Foot: []string{"In brackets the ranks that no comparison rules out, with probability 0.95 for all ranks together."}}
	if several {
		t.Foot = append(t.Foot, "Ranks are within parts: those of different parts have no item in common.")
	}
	return table.Of(t, ranks, []table.Field[Rank]{
		text(table.Column{Name: "name", Head: "who"}, func(r Rank) string { return r.Name }),
		count(table.Column{Name: "part", Hidden: !several, Doc: "of those that common items connect"}, func(r Rank) int { return r.Part }),
		table.Col(table.Column{Name: "rank", Kind: table.Count, Low: "rank_low", High: "rank_high"}, func(r Rank) table.Value { return table.Int(r.Rank) }),
		count(table.Column{Name: "rank_low"}, func(r Rank) int { return r.Low }),
		count(table.Column{Name: "rank_high"}, func(r Rank) int { return r.High }),
		number(table.Column{Name: "above", Head: "above the others by", Digits: 3, Doc: "mean difference from those that it was compared with"}, func(r Rank) float64 { return r.Above }),
		text(table.Column{Name: "ties", Head: "not distinguished from", Prose: true, Doc: "those from whom the responses do not distinguish it"}, func(r Rank) string { return listed(r.Ties) }),
	})
}

// listed returns the first names and how many more there are.
func listed(names []string) string {
	const most = 6
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// GapTable returns differences of parameters of subjects, or of groups.
func GapTable(gaps []Gap, skipped int, groups bool) *table.Table {
	t := table.Table{Name: "capabilities", Title: "Differences of capabilities", Key: []string{"parameter", "a", "b"}, Worst: []string{"p_holm"},
		Foot: []string{fmt.Sprintf("In brackets the equal-tailed 95 %% interval of the posterior of each pair alone. What is found holds at 0.05%s; p: twice the posterior probability of the other sign, of a normal distribution where fewer than %d draws have it.", ofAll(len(gaps)), seldom)}}
	if groups {
		t.Foot = append(t.Foot, "Of groups, means are compared, and subjects are a sample of their group.")
	}
	if skipped > 0 {
		t.Foot = append(t.Foot, fmt.Sprintf("%s in different, unconnected parts are left out: only the prior would compare them.", num.Counted(skipped, "pair")))
	}
	return table.Of(t, gaps, []table.Field[Gap]{
		text(table.Column{Name: "parameter"}, func(g Gap) string { return g.Parameter }),
		text(table.Column{Name: "a", Head: "A"}, func(g Gap) string { return g.A }),
		text(table.Column{Name: "b", Head: "B"}, func(g Gap) string { return g.B }),
		number(table.Column{Name: "difference", Head: "A − B", Digits: 3, Low: "low", High: "high", Doc: "posterior mean"}, func(g Gap) float64 { return g.Mean }),
		number(table.Column{Name: "low", Digits: 3, Doc: "lower end of the equal-tailed 95 % interval"}, func(g Gap) float64 { return g.Low }),
		number(table.Column{Name: "high", Digits: 3, Doc: "upper end of the equal-tailed 95 % interval"}, func(g Gap) float64 { return g.High }),
		number(table.Column{Name: "probability", Head: "P(A > B)", Digits: 3, Weight: 2, Doc: "posterior probability that A has more"}, func(g Gap) float64 { return g.Above }),
		number(table.Column{Name: "p", Digits: 4, Test: true, Weight: 3, Doc: "twice the posterior probability of the other sign"}, func(g Gap) float64 { return g.P }),
		number(table.Column{Name: "p_holm", Head: "p (Holm)", Digits: 4, Test: true, Weight: 1, Doc: "p corrected for the number of differences"}, func(g Gap) float64 { return g.Holm }),
		text(table.Column{Name: "finding", Head: "higher", Doc: "which has more"}, func(g Gap) string {
			switch g.Sure() {
			case 1:
				return g.A
			case -1:
				return g.B
			}
			return "cannot tell"
		}),
	})
}

// ofAll says for how many pairs together.
func ofAll(pairs int) string {
	if pairs < 2 {
		return ""
	}
	return fmt.Sprintf(" for all %d pairs together (Holm 1979)", pairs)
}
