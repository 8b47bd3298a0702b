package adaptive

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/table"
)

// A step is one capability after some items.
type step struct {
	capability *[3]*Capability // by order: chosen, form, at random
	items      int
}

// difference returns the one between two subjects that the form finds with probability 0.8; None if it is larger than any there is.
func (s step) difference() table.Value {
	d := s.capability[1].Findable(s.items)
	if d > s.capability[1].Most {
		return table.None
	}
	return table.Float(d)
}

// CourseTable returns how well each capability is known after some numbers of items, from the courses of Study.Run. difference is the one between two
// groups for which subjects are counted, as a share of the width; 0: none.
func CourseTable(courses []Course, difference float64) *table.Table {
	var by [3]*Course
	for i := range courses {
		switch courses[i].Order {
		case Chosen:
			by[0] = &courses[i]
		case OfForm:
			by[1] = &courses[i]
		case AtRandom:
			by[2] = &courses[i]
		}
	}
	var rows []step
	for k := range by[0].Capabilities {
		of := new([3]*Capability)
		for o := range by {
			of[o] = &by[o].Capabilities[k]
		}
		for _, n := range milestones(by[0].Items, len(by[0].Capabilities) > 1) {
			rows = append(rows, step{of, n})
		}
	}
	sd := func(order int, name, head, doc string) table.Field[step] {
		return table.Col(table.Column{Name: name, Head: head, Digits: 3, Spread: "", Doc: "mean posterior SD, " + doc}, func(r step) table.Value { return table.Float(r.capability[order].SD[r.items-1]) })
	}
	findable := "Difference: between two subjects, found with probability 0.8 by the form (P(A > B) ≥ 0.975)."
	if !slices.ContainsFunc(rows, func(r step) bool { return r.difference() != table.None }) {
		findable = "No difference between two subjects is found with probability 0.8 by the form (P(A > B) ≥ 0.975)."
	}
	t := table.Table{Name: "course", Title: "How well capabilities are known after so many items", Key: []string{"capability", "items"},
		Foot: []string{"SD: mean posterior SD of simulated subjects, as a proportion of the capability's range or, where it has none, of the SD of subjects. Chosen: each item by the responses so far. Form: the same items for all, the most informative set. " + findable}}
	if difference > 0 {
		t.Foot[0] += fmt.Sprintf(" Per group: subjects in each of two groups that find a difference of %g between them.", difference)
	}
	fields := []table.Field[step]{
		table.Col(table.Column{Name: "capability", Kind: table.Text, Hidden: len(by[0].Capabilities) == 1}, func(r step) table.Value { return table.String(r.capability[0].Name) }),
		table.Col(table.Column{Name: "items", Kind: table.Count}, func(r step) table.Value { return table.Int(r.items) }),
		sd(0, "sd_chosen", "SD, chosen", "items chosen for each subject"),
		sd(1, "sd_form", "SD, form", "the same form for all"),
		sd(2, "sd_random", "SD, random", "items at random"),
		table.Col(table.Column{Name: "se", Head: "SE", Digits: 3, Weight: 2, Doc: "standard error of the SD with the form, from the number of simulated subjects"}, func(r step) table.Value { return table.Float(r.capability[1].Error[r.items-1]) }),
		table.Col(table.Column{Name: "reliability", Digits: 2, Weight: 1, Doc: "of the form: proportion of the variance of estimates that is not error"}, func(r step) table.Value {
			return table.Float(max(0, r.capability[1].known(r.capability[1].SD[r.items-1])))
		}),
		table.Col(table.Column{Name: "difference", Digits: 2, Doc: "difference between two subjects that the form finds with probability 0.8, in the unit of SD"}, step.difference),
	}
	if difference > 0 {
		fields = append(fields, table.Col(table.Column{Name: "per_group", Head: "per group", Kind: table.Count, Doc: fmt.Sprintf("subjects per group with which the form finds a difference of %g between two groups with probability 0.8", difference)}, func(r step) table.Value {
			n := r.capability[1].PerGroup(r.items, difference)
			if n == 0 {
				return table.None
			}
			return table.Int(n)
		}))
	}
	return table.Of(t, rows, fields)
}

// milestones returns the numbers of items of the rows: 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100 …, or a few of them, and the last.
func milestones(most int, few bool) (out []int) {
	steps := []float64{1, 1.5, 2, 3, 5, 7}
	if few {
		steps = []float64{1, 3}
	}
	for ten := 1; ; ten *= 10 {
		for _, n := range steps {
			x := n * float64(ten)
			if x != math.Floor(x) {
				continue
			}
			if int(x) >= most {
				return append(out, most)
			}
			out = append(out, int(x))
		}
	}
}

// Answers says after how many items, in each order, what was asked for is reached; 0: it was not asked for.
func Answers(courses []Course, sd, difference float64) (out []string) {
	say := func(what string, reached func(c *Course) int, enough func(x *Capability, sd float64) bool) {
		var parts []string
		end := "."
		for i := range courses {
			c := &courses[i]
			how := map[string]string{Chosen: "chosen for each subject", OfForm: "of the best form for all", AtRandom: "at random"}[c.Order]
			if n := reached(c); n > 0 {
				parts = append(parts, fmt.Sprintf("%s %s", num.Counted(n, "item"), how))
			} else {
				parts = append(parts, fmt.Sprintf("more than %d items %s", c.Items, how))
				if like := c.Like(enough); c.Order == AtRandom && like > c.Items {
					end = fmt.Sprintf("; about %d items like these would do.", like)
				}
			}
		}
		out = append(out, fmt.Sprintf("%s takes %s%s", what, strings.Join(parts, ", or "), end))
	}
	of := ""
	if len(courses[0].Capabilities) > 1 {
		of = " of every capability"
	}
	if sd > 0 {
		say(fmt.Sprintf("An SD of %g%s", sd, of), func(c *Course) int { return c.Reached(sd) }, func(_ *Capability, after float64) bool { return after <= sd })
	}
	if difference > 0 {
		say(fmt.Sprintf("A difference of %g between two subjects%s", difference, of), func(c *Course) int { return c.tells(difference) },
			func(x *Capability, sd float64) bool { return x.findable(sd) <= difference })
	}
	return out
}

// tells returns the least number of items after which a difference of every capability is found; 0: none.
func (c *Course) tells(difference float64) int {
	for n := 1; n <= c.Items; n++ {
		all := true
		for k := range c.Capabilities {
			all = all && c.Capabilities[k].Findable(n) <= difference
		}
		if all {
			return n
		}
	}
	return 0
}

// FormTable returns the items of a form in their order, with a label of each where there are labels.
func FormTable(items *record.Items, form []int, column string, strata []string) *table.Table {
	t := table.Table{Name: "form", Title: "The most informative set of items", Key: []string{"place"},
		Foot: []string{"The first is the best alone; each further one lowers the variances of capabilities most, given those before it."}}
	fields := []table.Field[int]{
		table.Col(table.Column{Name: "place", Kind: table.Count}, func(k int) table.Value { return table.Int(k + 1) }),
		table.Col(table.Column{Name: "item", Kind: table.Text}, func(k int) table.Value { return table.String(items.ID[form[k]]) }),
	}
	if strata != nil {
		fields = append(fields, table.Col(table.Column{Name: column, Kind: table.Text}, func(k int) table.Value { return table.Named(strata[form[k]]) }))
	}
	places := num.Indices(len(form))
	return table.Of(t, places, fields)
}
