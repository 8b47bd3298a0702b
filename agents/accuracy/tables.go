package accuracy

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/sim/table"
)

// A chance is a row of the table of chances: a candidate and a task.
type chance struct {
	*Candidate
	task   string
	p, se  float64 // se is NaN if p is exact
	enough string
}

// A bound is a row of the table of bounds: a candidate and a probability to be right.
type bound struct {
	name, p       string
	hardest, mean float64 // NaN if there is no closed form
}

// A crossing is a row of the table of crossings.
type crossing struct{ first, second, at string }

// Tables returns the tasks with the ability that each needs, how often each candidate is right on each task, the difficulties of classes, the
// abilities that count where agents have several, bounds of the accuracy of groups and, for each number of answers, up to which difficulty candidates reach a probability to be right, and where one comes to be better than another.
// list and chosen are from Assess.
func (s *Selection) Tables(list []Assessment, chosen int) []*table.Table {
	out := append([]*table.Table{s.taskTable(), s.chanceTable(list, chosen)}, s.further()...)
	for _, t := range s.numbersOfAnswers() {
		out = append(out, s.boundTable(t), s.crossingTable(t))
	}
	return out
}

func (s *Selection) taskTable() *table.Table {
	return table.Of(table.Table{Name: "tasks", Title: fmt.Sprintf("Tasks, each of which needs an accuracy of %v", s.Accuracy), Key: []string{"task"}}, s.Tasks, []table.Field[NamedTask]{
		table.Col(table.Column{Name: "task", Kind: table.Text}, func(t NamedTask) table.Value { return table.String(t.Name) }),
		table.Col(table.Column{Name: "difficulty", Digits: -1}, func(t NamedTask) table.Value { return table.Float(t.Difficulty) }),
		table.Col(table.Column{Name: "answers", Kind: table.Count}, func(t NamedTask) table.Value { return table.Int(t.Answers) }),
		table.Col(table.Column{Name: "ability", Head: "minimum ability", Digits: 2, Doc: "∞: none is enough"}, func(t NamedTask) table.Value { return table.Float(Needed(s.Accuracy, t.Task)) }),
	})
}

func (s *Selection) chanceTable(list []Assessment, chosen int) *table.Table {
	var rows []chance
	for i := range s.Candidates {
		for k, p := range list[i].Chance {
			r := chance{&s.Candidates[i], s.Tasks[k].Name, p, math.NaN(), ""}
			if list[i].Error != nil {
				r.se = list[i].Error[k]
			}
			switch {
			case i == chosen:
				r.enough = "chosen"
			case list[i].Enough:
				r.enough = "enough"
			}
			rows = append(rows, r)
		}
	}
	return table.Of(table.Table{Name: "chances", Title: "Accuracy on each task", Key: []string{"candidate", "task"},
		View: &table.View{Down: "candidate", Across: "task", Cell: "p", Below: []string{"se"}, Once: []string{"rule", "cost", "enough"}, First: true},
	}, rows, []table.Field[chance]{
		table.Col(table.Column{Name: "candidate", Kind: table.Text}, func(r chance) table.Value { return table.String(r.Name) }),
		table.Col(table.Column{Name: "rule", Kind: table.Text}, func(r chance) table.Value {
			if len(r.Members) == 1 {
				return table.String("alone")
			}
			return table.String(string(r.Rule))
		}),
		table.Col(table.Column{Name: "cost", Digits: -1}, func(r chance) table.Value { return table.Float(r.Cost) }),
		table.Col(table.Column{Name: "task", Kind: table.Text}, func(r chance) table.Value { return table.String(r.task) }),
		table.Col(table.Column{Name: "p", Digits: 4}, func(r chance) table.Value { return table.Float(r.p) }),
		table.Col(table.Column{Name: "se", Head: "SE", Digits: 4, Doc: "standard error of what is simulated"}, func(r chance) table.Value { return table.Float(r.se) }),
		table.Col(table.Column{Name: "enough", Head: "result", Doc: "enough: on every task; chosen: the cheapest of these", Kind: table.Text}, func(r chance) table.Value { return table.Named(r.enough) }),
	})
}

// levels are the probabilities of a right answer for which bounds are given, in addition to the accuracy that is needed.
var levels = []float64{0.5, 0.6, 0.7, 0.8}

func (s *Selection) boundTable(t Task) *table.Table {
	wanted := slices.Clone(levels)
	if !slices.Contains(wanted, s.Accuracy) {
		wanted = append(wanted, s.Accuracy)
		slices.Sort(wanted)
	}
	var rows []bound
	for i := range s.Candidates {
		c := &s.Candidates[i]
		r := bound{name: c.Name}
		var ok bool
		if r.mean, ok = c.Mean(s.To, t); !ok {
			r.mean = math.NaN()
		}
		for _, p := range wanted {
			if r.hardest, ok = c.Hardest(p, t); !ok {
				r.hardest = math.NaN()
			}
			r.p = fmt.Sprint(p)
			rows = append(rows, r)
		}
	}
	return table.Of(table.Table{Name: s.named("bounds", t), Title: nameOf(t) + ": right with at least this probability up to which difficulty", Key: []string{"candidate", "p"},
		Foot: []string{fmt.Sprintf("∞: at any difficulty. –: there is no closed form. Mean: over difficulties up to %v.", s.To)},
		View: &table.View{Down: "candidate", Across: "p", Cell: "hardest", Once: []string{"mean"}},
	}, rows, []table.Field[bound]{
		table.Col(table.Column{Name: "candidate", Kind: table.Text}, func(r bound) table.Value { return table.String(r.name) }),
		table.Col(table.Column{Name: "p", Kind: table.Text, Doc: "probability to be right"}, func(r bound) table.Value { return table.String(r.p) }),
		table.Col(table.Column{Name: "hardest", Digits: 2, Doc: "largest difficulty"}, func(r bound) table.Value { return table.Float(r.hardest) }),
		table.Col(table.Column{Name: "mean", Digits: 4, Doc: "mean probability to be right"}, func(r bound) table.Value { return table.Float(r.mean) }),
	})
}

func (s *Selection) crossingTable(t Task) *table.Table {
	var groups []*Group
	for i := range s.Candidates {
		groups = append(groups, &s.Candidates[i].Group)
	}
	var rows []crossing
	for _, c := range Crossings(groups, t, s.To) {
		var at []string
		for _, d := range c.At {
			at = append(at, fmt.Sprintf("%.2f", d))
		}
		rows = append(rows, crossing{groups[c.First].Name, groups[c.Second].Name, strings.Join(at, ", ")})
	}
	return table.Of(table.Table{Name: s.named("crossings", t), Title: fmt.Sprintf("%s: crossings of accuracy by difficulty, below %v", nameOf(t), s.To), Key: []string{"before", "after"}}, rows, []table.Field[crossing]{
		table.Col(table.Column{Name: "before", Kind: table.Text, Doc: "right more often before the first difficulty"}, func(r crossing) table.Value { return table.String(r.first) }),
		table.Col(table.Column{Name: "after", Kind: table.Text, Doc: "right more often after it"}, func(r crossing) table.Value { return table.String(r.second) }),
		table.Col(table.Column{Name: "at", Head: "at difficulty", Kind: table.Text, Doc: "where the order of the two changes"}, func(r crossing) table.Value { return table.String(r.at) }),
	})
}

// numbersOfAnswers returns one task for each combination of a number of answers and weights.
func (s *Selection) numbersOfAnswers() (list []Task) {
	for _, t := range s.Tasks {
		if !slices.ContainsFunc(list, func(o Task) bool {
			return o.Answers == t.Answers && o.guess() == t.guess() && slices.Equal(o.Weights, t.Weights)
		}) {
			list = append(list, t.Task)
		}
	}
	slices.SortStableFunc(list, func(a, b Task) int { return a.Answers - b.Answers })
	return list
}

// nameOf returns a name for all tasks with the number of answers and the weights of t.
func nameOf(t Task) string {
	if t.Weights != nil {
		return fmt.Sprintf("%d answers%s, abilities weighted by %v", t.Answers, guessName(t), t.Weights)
	}
	return fmt.Sprintf("%d answers%s", t.Answers, guessName(t))
}

// named returns the name of a table of all tasks like t, which has a number if several kinds have as many answers.
func (s *Selection) named(what string, t Task) string {
	name := fmt.Sprintf("%s_%d", what, t.Answers)
	same := 0
	for _, o := range s.numbersOfAnswers() {
		if o.Answers == t.Answers {
			same++
		}
		if nameOf(o) == nameOf(t) && same > 1 {
			name += fmt.Sprintf("_%d", same)
		}
	}
	return name
}
