package accuracy

import (
	"fmt"
	"math"
	"slices"

	"achilles/sim/num"
	"achilles/sim/table"
)

// classTable returns the difficulties of the classes; nil without classes.
func (s *Selection) classTable() *table.Table {
	if s.Classes == nil {
		return nil
	}
	type row struct {
		*Class
		d, low, high float64
		right, n     int
	}
	var rows []row
	for i := range s.Classes {
		r := row{Class: &s.Classes[i]}
		r.d, r.low, r.high = r.Difficulty()
		for _, x := range r.Results {
			r.right, r.n = r.right+x.Right, r.n+x.N
		}
		rows = append(rows, r)
	}
	return table.Of(table.Table{Name: "classes", Title: "Difficulty of classes of tasks, from agents of known ability", Key: []string{"class"},
		Foot: []string{"Most likely difficulty, with the 95 % interval by the likelihood ratio. ∞: guesses explain the results as well."}}, rows, []table.Field[row]{
		table.Col(table.Column{Name: "class", Kind: table.Text}, func(r row) table.Value { return table.String(r.Name) }),
		table.Col(table.Column{Name: "answers", Kind: table.Count}, func(r row) table.Value { return table.Int(r.Answers) }),
		table.Col(table.Column{Name: "guess", Digits: 3, Weight: 1, Doc: "chance that a guess is right"}, func(r row) table.Value { return table.Float(r.guess()) }),
		table.Col(table.Column{Name: "right", Kind: table.Count, Dot: true}, func(r row) table.Value { return table.Int(r.right) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Doc: "results of all agents"}, func(r row) table.Value { return table.Int(r.n) }),
		table.Col(table.Column{Name: "difficulty", Digits: 2, Low: "low", High: "high"}, func(r row) table.Value { return table.Float(r.d) }),
		table.Col(table.Column{Name: "low"}, func(r row) table.Value { return table.Float(r.low) }),
		table.Col(table.Column{Name: "high"}, func(r row) table.Value { return table.Float(r.high) }),
	})
}

// abilityTable returns what counts of agents with several abilities in each task by their weighted mean, and by their weighted sum as Chmait
// et al. print it; nil if agents have one ability.
func (s *Selection) abilityTable() *table.Table {
	type row struct {
		agent, task string
		mean, sum   float64
		t           Task
	}
	var rows []row
	for i := range s.Candidates {
		c := &s.Candidates[i]
		if len(c.Members) != 1 || len(c.Members[0]) < 2 {
			continue
		}
		for _, t := range s.Tasks {
			normalised, plain := t.Task, t.Task
			normalised.Sum, plain.Sum = false, true
			rows = append(rows, row{c.Name, t.Name, normalised.counts(c.Members[0]), plain.counts(c.Members[0]), t.Task})
		}
	}
	if rows == nil {
		return nil
	}
	return table.Of(table.Table{Name: "abilities", Title: "Abilities that count in each task: weighted mean, and weighted sum as printed", Key: []string{"agent", "task"},
		Foot: []string{"The two are the same where a task's weights sum to 1. The key abilities of the file says which one the other tables take."}}, rows, []table.Field[row]{
		table.Col(table.Column{Name: "agent", Kind: table.Text}, func(r row) table.Value { return table.String(r.agent) }),
		table.Col(table.Column{Name: "task", Kind: table.Text}, func(r row) table.Value { return table.String(r.task) }),
		table.Col(table.Column{Name: "mean", Digits: 2}, func(r row) table.Value { return table.Float(r.mean) }),
		table.Col(table.Column{Name: "p_mean", Head: "accuracy by mean", Digits: 3}, func(r row) table.Value { return table.Float(Chance(r.t, r.mean)) }),
		table.Col(table.Column{Name: "sum", Digits: 2}, func(r row) table.Value { return table.Float(r.sum) }),
		table.Col(table.Column{Name: "p_sum", Head: "accuracy by sum", Digits: 3}, func(r row) table.Value { return table.Float(Chance(r.t, r.sum)) }),
	})
}

// lossSteps is the number of difficulties above 0 of Losses.
const lossSteps = 10

// Losses returns what single agents lose of their accuracy by difficulty and number of answers: 1 − P, and further loss with one answer more,
// (1 − e^(−D/α))/(m (m + 1)), which is not known where a guess has a chance of its own. With tasks whose weights differ there is a row for each.
func (s *Selection) Losses() *table.Table {
	type row struct {
		agent      string
		t          Task
		p, another float64
	}
	var rows []row
	for i := range s.Candidates {
		c := &s.Candidates[i]
		if len(c.Members) != 1 {
			continue
		}
		for _, t := range s.numbersOfAnswers() {
			for k := range lossSteps + 1 {
				t := t.at(s.To * float64(k) / lossSteps)
				r := row{c.Name, t, Chance(t, t.counts(c.Members[0])), math.NaN()}
				if t.Guess == nil {
					more := t
					more.Answers++
					r.another = r.p - Chance(more, more.counts(c.Members[0]))
				}
				rows = append(rows, r)
			}
		}
	}
	return table.Of(table.Table{Name: "losses", Title: "Loss of accuracy by difficulty and number of answers", Key: []string{"agent", "tasks", "difficulty"}}, rows, []table.Field[row]{
		table.Col(table.Column{Name: "agent", Kind: table.Text}, func(r row) table.Value { return table.String(r.agent) }),
		table.Col(table.Column{Name: "tasks", Kind: table.Text}, func(r row) table.Value { return table.String(nameOf(r.t)) }),
		table.Col(table.Column{Name: "answers", Kind: table.Count, Weight: 1}, func(r row) table.Value { return table.Int(r.t.Answers) }),
		table.Col(table.Column{Name: "difficulty", Digits: -1}, func(r row) table.Value { return table.Float(r.t.Difficulty) }),
		table.Col(table.Column{Name: "p", Head: "accuracy", Digits: 4}, func(r row) table.Value { return table.Float(r.p) }),
		table.Col(table.Column{Name: "loss", Digits: 4, Doc: "1 − accuracy"}, func(r row) table.Value { return table.Float(1 - r.p) }),
		table.Col(table.Column{Name: "another", Head: "per further answer", Digits: 5, Doc: "further loss with one answer more"}, func(r row) table.Value { return table.Maybe(num.Finite(r.another)) }),
	})
}

// further returns the tables that not every selection has.
func (s *Selection) further() []*table.Table {
	return slices.DeleteFunc([]*table.Table{s.classTable(), s.abilityTable(), s.dependenceTable()}, func(t *table.Table) bool { return t == nil })
}

// guessName returns words for a chance of a guess that is not 1/m.
func guessName(t Task) string {
	if t.Guess == nil {
		return ""
	}
	return fmt.Sprintf(", guesses right with %g", *t.Guess)
}
