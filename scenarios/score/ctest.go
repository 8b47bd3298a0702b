package score

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"achilles/agents/accuracy"
	"achilles/sim/table"
)

// CTest grades subjects of the C-test as Chmait et al. (2017) do. A score is the share of right answers, weighted by
// the complexity of the items. Beside each score is the score that the model predicts on the same items.
type CTest struct {
	Weight    float64                `json:"weight,omitempty"` // published: ability = Weight × score; 0: not published
	Fitted    *float64               `json:"fitted,omitempty"` // the weight with which the model fits the success of the solvers best; absent without solvers
	Within    *WeightWithin          `json:"within,omitempty"` // the weight by the publication's criterion; absent without solvers
	Subjects  map[string]SeriesScore `json:"subjects"`
	Published []SeriesScore          `json:"published,omitempty"` // rows for the published abilities
	Like      map[string]float64     `json:"like,omitempty"`      // subject → the published ability to compare with its own
	Note      string                 `json:"note,omitempty"`      // remark on the published values
}

// A SeriesScore is a subject's score, with two scores that the model predicts: one if the ability is Weight × Score,
// one from the measured ability.
type SeriesScore struct {
	ID       string   `json:"id,omitempty"`
	Drawn    bool     `json:"drawn,omitempty"`    // the subject is a member of a population
	N        int      `json:"n,omitempty"`        // number of scored responses
	Score    float64  `json:"score"`              // Σ k right / Σ k over the responses, where k is the complexity and right is 0 or 1
	Ability  *float64 `json:"ability,omitempty"`  // Weight × Score
	Expected *float64 `json:"expected,omitempty"` // Σ k P(k, Ability, answers) / Σ k

	Measured         *Moments `json:"measured,omitempty"`          // posterior mean and sd of the parameter ability
	ExpectedMeasured *float64 `json:"expected_measured,omitempty"` // Σ k P / Σ k, where P is the layout's chance of success, averaged over posterior draws
	Rates            []RateAt `json:"rates,omitempty"`             // by complexity and number of options, ascending
}

// A RateAt says how many answers were right on the items with complexity K and Answers options.
type RateAt struct {
	K       float64 `json:"k"`
	Answers int     `json:"answers"`
	N       int     `json:"n"`
	Right   int     `json:"right"`
}

// gradeCTest grades the subjects if all items are series of the C-test.
func gradeCTest(s *Scores, in Input, k *key, c *Chances, tasks []accuracy.Task) error {
	t := &CTest{Subjects: map[string]SeriesScore{}}
	expected := func(ability float64) *float64 {
		return weighted(tasks, func(t accuracy.Task) float64 { return accuracy.Chance(t, ability) })
	}
	if p := k.published.CTest; p != nil {
		t.Weight, t.Like, t.Note = p.Weight, p.Like, p.Note
		for _, a := range p.Abilities {
			t.Published = append(t.Published, SeriesScore{Score: a / p.Weight, Ability: &a, Expected: expected(a)})
		}
	}
	var solvers []SeriesScore
	for _, id := range in.Public.Subjects {
		own := answersOf(in.Public, id, tasks)
		if len(own.items) == 0 {
			continue
		}
		row := SeriesScore{ID: id, N: len(own.items), Score: own.share(), Rates: own.rates(tasks)}
		if t.Weight > 0 {
			a := t.Weight * row.Score
			row.Ability, row.Expected = &a, expected(a)
		}
		if err := row.measure(s, c, own); err != nil {
			return err
		}
		if in.Sealed != nil {
			spec := in.Sealed.Subjects[id]
			if row.Drawn = spec.Parameter != nil; spec.Solver != nil {
				solvers = append(solvers, row)
			}
		}
		t.Subjects[k.name(id)] = row
	}
	if w := fittedWeight(solvers, func(float64) bool { return true }); w > 0 {
		t.Fitted = &w
		t.Within = weightWithin(solvers)
	}
	s.CTest = t
	return nil
}

// measure sets the measured ability of the subject, and the score that the model predicts from it.
func (r *SeriesScore) measure(s *Scores, c *Chances, own answers) error {
	if i := profileOf(s, r.ID, ability); i >= 0 {
		m, sd := s.Profiles[i].Reported()
		r.Measured = &Moments{m, sd}
	}
	if c == nil {
		return nil
	}
	draws, err := c.Of(r.ID)
	if err != nil || len(draws) == 0 {
		return err
	}
	p := averaged(draws)
	x := own.mean(func(j int) float64 { return p[c.design.Row(int(own.items[j]))] })
	r.ExpectedMeasured = &x
	return nil
}

// profileOf returns the index of the profile of a parameter of a subject, given by its opaque id, or −1 if there is
// none.
func profileOf(s *Scores, id, parameter string) int {
	return slices.IndexFunc(s.Profiles, func(p Profile) bool { return p.Subject == id && p.Parameter == parameter })
}

// rates returns the number of right answers and of all answers by complexity and number of options.
func (a answers) rates(tasks []accuracy.Task) (out []RateAt) {
	for j, item := range a.items {
		x := tasks[item]
		i := slices.IndexFunc(out, func(r RateAt) bool { return r.K == x.Difficulty && r.Answers == x.Answers })
		if i < 0 {
			i, out = len(out), append(out, RateAt{K: x.Difficulty, Answers: x.Answers})
		}
		out[i].N++
		if a.right[j] {
			out[i].Right++
		}
	}
	slices.SortFunc(out, func(a, b RateAt) int { return cmp.Or(cmp.Compare(a.K, b.K), a.Answers-b.Answers) })
	return out
}

// A WeightWithin is the weight of a score by the criterion of Chmait et al. (2017): the difficulty at which solvers are half way between certainty and
// a guess, ability · ln 2, lies where the series discriminate, from 6 to 16 bits, of as many solvers as a weight can reach; of such weights it is the one with the least squares.
type WeightWithin struct {
	Weight float64 `json:"weight"`
	Least  float64 `json:"least"` // the range of weights that reach as many
	Most   float64 `json:"most"`
	N      int     `json:"n"`  // solvers within
	Of     int     `json:"of"` // solvers
}

// The bits from which to which the series discriminate.
const (
	leastHalfWay = 6
	mostHalfWay  = 16
)

func weightWithin(solvers []SeriesScore) *WeightWithin {
	within := func(w float64) (n int) {
		for _, s := range solvers {
			if d := w * s.Score * math.Ln2; d >= leastHalfWay && d <= mostHalfWay {
				n++
			}
		}
		return n
	}
	out := &WeightWithin{Of: len(solvers)}
	for w := 1; w <= 1000; w++ {
		x := float64(w) / 10
		switch n := within(x); {
		case n > out.N:
			out.N, out.Least, out.Most = n, x, x
		case n == out.N:
			out.Most = x
		}
	}
	if out.N == 0 {
		return nil
	}
	out.Weight = fittedWeight(solvers, func(w float64) bool { return within(w) == out.N })
	return out
}

// fittedWeight returns the weight w, to 0.1 and at most 100, with the least sum of squares between P(k, w r, answers)
// and the success rates of all solvers, where r is the solver's score, among those that are allowed. It returns 0 without solvers.
func fittedWeight(solvers []SeriesScore, allowed func(w float64) bool) (best float64) {
	least := math.Inf(1)
	for w := 1; w <= 1000 && len(solvers) > 0; w++ {
		if !allowed(float64(w) / 10) {
			continue
		}
		sum := 0.0
		for _, s := range solvers {
			for _, r := range s.Rates {
				d := accuracy.Chance(accuracy.Task{Difficulty: r.K, Answers: r.Answers}, float64(w)/10*s.Score) - float64(r.Right)/float64(r.N)
				sum += float64(d * d)
			}
		}
		if sum < least {
			best, least = float64(w)/10, sum
		}
	}
	return best
}

// Shown returns the subjects that are not members of populations, in natural order. Populations are left out because
// they have many members.
func (t *CTest) Shown() []string {
	return slices.DeleteFunc(sortedNames(t.Subjects), func(name string) bool { return t.Subjects[name].Drawn })
}

// A seriesRow is a row of the table of scores: a subject's, or the published one of an agent without a name.
type seriesRow struct {
	name string
	SeriesScore
}

// ctestTable returns the scores of all subjects and the published ones, of which people see those that are not of members of
// populations; nil if the items are not a C-test.
func ctestTable(s *Scores) *table.Table {
	c := s.CTest
	if c == nil {
		return nil
	}
	var rows []seriesRow
	for _, name := range sortedNames(c.Subjects) {
		rows = append(rows, seriesRow{name, c.Subjects[name]})
	}
	for _, r := range c.Published {
		rows = append(rows, seriesRow{"published", r})
	}
	measured := func(k int) func(r seriesRow) table.Value {
		return func(r seriesRow) table.Value {
			if r.Measured == nil {
				return table.None
			}
			return table.Float(r.Measured[k])
		}
	}
	t := table.Of(table.Table{
		Name: "ctest", Title: "C-test: score r, the proportion of right answers weighted by complexity, beside what the model expects", Key: []string{"subject"},
		Print: []string{"subject", "n", "score", "measured_mean", "expected_measured", "ability", "expected"},
		View:  &table.View{Where: "drawn", Is: "false"},
	}, rows, []table.Field[seriesRow]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(r seriesRow) table.Value { return table.String(r.name) }),
		table.Col(table.Column{Name: "id", Kind: table.Text}, func(r seriesRow) table.Value { return table.Named(r.ID) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Dot: true, Doc: "scored responses"}, func(r seriesRow) table.Value { return table.Int(r.N) }),
		table.Col(table.Column{Name: "score", Head: "score r", Digits: 3}, func(r seriesRow) table.Value { return table.Float(r.Score) }),
		table.Col(table.Column{Name: "ability", Head: fmt.Sprintf("ability %g r", c.Weight), Digits: 2, Weight: 1, Doc: "ability as the publication takes it from the score"}, func(r seriesRow) table.Value { return table.Maybe(r.Ability) }),
		table.Col(table.Column{Name: "expected", Head: "expected r (published)", Digits: 3, Weight: 1, Doc: "score that the model expects of that ability"}, func(r seriesRow) table.Value { return table.Maybe(r.Expected) }),
		table.Col(table.Column{Name: "measured_mean", Head: "measured ability", Digits: -1, Spread: "measured_sd"}, measured(0)),
		table.Col(table.Column{Name: "measured_sd"}, measured(1)),
		table.Col(table.Column{Name: "expected_measured", Head: "expected r", Digits: 2, Doc: "score that the model expects of the measured ability"}, func(r seriesRow) table.Value { return table.Maybe(r.ExpectedMeasured) }),
		table.Col(table.Column{Name: "drawn", Kind: table.Flag, Doc: "whether it is a member of a population"}, func(r seriesRow) table.Value { return table.Bool(r.Drawn) }),
	})
	if w := c.Fitted; w != nil {
		t.Foot = append(t.Foot, fmt.Sprintf("Least-squares fit of the model to the solvers' success rates: ability = %.1f r.", *w))
	}
	if w := c.Within; w != nil {
		t.Foot = append(t.Foot, fmt.Sprintf("By the published criterion, half way from %d to %d bits: ability = %.1f r, with %d of %d solvers within (as for any weight from %.1f to %.1f).", leastHalfWay, mostHalfWay, w.Weight, w.N, w.Of, w.Least, w.Most))
	}
	t.Foot = append(t.Foot, s.from(c.Weight > 0)...)
	return t
}
