package score

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"achilles/agents/accuracy"
	"achilles/battery/ctest"
	"achilles/sim/record"
)

// CTest grades subjects of the C-test as Chmait et al. (2017) do. A score is the share of right answers, weighted by
// the complexity of the items. Next to it stands the score that the model predicts on the same items.
type CTest struct {
	Weight    float64                `json:"weight,omitempty"` // published: ability = Weight × score; 0: not published
	Fitted    *float64               `json:"fitted,omitempty"` // the weight with which the model fits the success of the solvers best; absent without solvers
	Subjects  map[string]SeriesScore `json:"subjects"`
	Published []SeriesScore          `json:"published,omitempty"` // rows for the published abilities
	Like      map[string]float64     `json:"like,omitempty"`      // subject → the published ability to compare with that of the subject
	Note      string                 `json:"note,omitempty"`      // remark on the published values

	items []accuracy.Task // their difficulty is the complexity k
}

// A SeriesScore is a subject's score, with two predictions of it by the model: for the ability Weight × Score, and
// for the measured ability.
type SeriesScore struct {
	ID       string   `json:"id,omitempty"`
	Drawn    bool     `json:"drawn,omitempty"`    // it is a member of a population
	N        int      `json:"n,omitempty"`        // number of scored responses
	Score    float64  `json:"score"`              // Σ k right / Σ k
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

// seriesItems returns the items of a C-test as tasks. It returns nil if any item is not a series of the C-test.
func seriesItems(items *record.Items) (out []accuracy.Task) {
	k, hasK := items.Column("k")
	answers, hasAnswers := items.Column("answers")
	if !hasK || !hasAnswers || k.Kind != record.Number || answers.Kind != record.Number {
		return nil
	}
	for i, suite := range items.Suite {
		if suite != ctest.Suite || !(k.Number[i] > 0) || !(answers.Number[i] >= 2) {
			return nil
		}
		out = append(out, accuracy.Task{Difficulty: k.Number[i], Answers: int(answers.Number[i])})
	}
	return out
}

// gradeCTest grades the subjects if all items are series of the C-test.
func (s *Scores) gradeCTest(in Input, k *key, c *chances) error {
	t := &CTest{Subjects: map[string]SeriesScore{}, items: seriesItems(&in.Public.Items)}
	if t.items == nil {
		return nil
	}
	if p := k.published.CTest; p != nil {
		t.Weight, t.Like, t.Note = p.Weight, p.Like, p.Note
		for _, a := range p.Abilities {
			row := SeriesScore{Score: a / p.Weight, Ability: &a}
			row.Expected = t.expected(a)
			t.Published = append(t.Published, row)
		}
	}
	var solvers []SeriesScore
	all := rightAnswers(in.Public)
	for _, id := range slices.Sorted(maps.Keys(all)) {
		own := all[id]
		row := SeriesScore{ID: id, N: len(own.items), Score: own.share(), Rates: t.rates(own)}
		if in.Sealed != nil {
			row.Drawn = in.Sealed.Subjects[id].Parameter != nil
		}
		if t.Weight > 0 {
			a := t.Weight * row.Score
			row.Ability, row.Expected = &a, t.expected(a)
		}
		if err := row.measure(s, c, own); err != nil {
			return err
		}
		t.Subjects[k.name(id)] = row
		if in.Sealed != nil && in.Sealed.Subjects[id].Solver != nil {
			solvers = append(solvers, row)
		}
	}
	t.Fitted = fittedWeight(solvers)
	s.CTest = t
	return nil
}

// expected returns the score on the items that the model predicts for an ability.
func (t *CTest) expected(ability float64) *float64 {
	sum, all := 0.0, 0.0
	for _, x := range t.items {
		sum += float64(x.Difficulty * accuracy.Chance(x, ability))
		all += x.Difficulty
	}
	sum /= all
	return &sum
}

// measure fills in the measured ability of the subject and the score predicted by it.
func (r *SeriesScore) measure(s *Scores, c *chances, own answered) error {
	i := slices.IndexFunc(s.Profiles, func(p Profile) bool { return p.Subject == r.ID && p.Parameter == ability })
	if i < 0 || c == nil {
		return nil
	}
	m, sd := s.Profiles[i].reported()
	r.Measured = &Moments{m, sd}
	draws, err := c.of(r.ID)
	if err != nil || len(draws) == 0 {
		return err
	}
	p, sum, all := averaged(draws), 0.0, 0.0
	for j, item := range own.items {
		sum += float64(own.weights[j] * p[c.design.Row(int(item))])
		all += own.weights[j]
	}
	sum /= all
	r.ExpectedMeasured = &sum
	return nil
}

// rates counts right answers by complexity and number of options.
func (t *CTest) rates(own answered) (out []RateAt) {
	for j, item := range own.items {
		x := t.items[item]
		i := slices.IndexFunc(out, func(r RateAt) bool { return r.K == x.Difficulty && r.Answers == x.Answers })
		if i < 0 {
			i, out = len(out), append(out, RateAt{K: x.Difficulty, Answers: x.Answers})
		}
		out[i].N++
		if own.right[j] {
			out[i].Right++
		}
	}
	slices.SortFunc(out, func(a, b RateAt) int { return cmp.Or(cmp.Compare(a.K, b.K), a.Answers-b.Answers) })
	return out
}

// fittedWeight returns the weight w, to 0.1 and at most 100, with the least sum of squares between P(k, w r, answers)
// and the success rates of all solvers, where r is the solver's score. It returns nil without solvers.
func fittedWeight(solvers []SeriesScore) *float64 {
	best, least := 0.0, math.Inf(1)
	for w := 1; w <= 1000 && len(solvers) > 0; w++ {
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
	if best == 0 {
		return nil
	}
	return &best
}

// Shown returns the subjects that are not members of populations, in natural order. Populations are left out because
// they have many members.
func (t *CTest) Shown() []string {
	return slices.DeleteFunc(sortedNames(t.Subjects), func(name string) bool { return t.Subjects[name].Drawn })
}

// CTestTable has one row for each subject that is not a member of a population, and one for each published ability.
// It is nil if the items are not a C-test.
func (s *Scores) CTestTable() []byte {
	if s.CTest == nil {
		return nil
	}
	t := table{title: "C-test: score r, the share of right answers weighted by complexity, beside what the model gives for an ability"}
	t.head = []string{"subject", "n", "r", "ability measured", "r by it"}
	if s.CTest.Weight > 0 {
		t.head = append(t.head, fmt.Sprintf("ability %g r", s.CTest.Weight), "r by it")
	}
	row := func(name string, r SeriesScore) {
		cells := []string{name, strconv.Itoa(r.N), fixed(r.Score, 3), "", decimals(r.ExpectedMeasured, 3)}
		if r.N == 0 {
			cells[1] = ""
		}
		if r.Measured != nil {
			cells[3] = meanSD(r.Measured[0], r.Measured[1])
		}
		t.rows = append(t.rows, append(cells, decimals(r.Ability, 2), decimals(r.Expected, 3)))
	}
	for _, name := range s.CTest.Shown() {
		row(name, s.CTest.Subjects[name])
	}
	for _, r := range s.CTest.Published {
		row("published", r)
	}
	if w := s.CTest.Fitted; w != nil {
		t.foot = append(t.foot, fmt.Sprintf("an ability is %.1f r for the least mean square between the model and the success rates of the solvers", *w))
	}
	t.sourced(s.Source)
	return t.text()
}

func (s *Scores) ctestRows() [][]string {
	rows := [][]string{{"subject", "id", "n", "score", "ability", "expected", "measured_mean", "measured_sd", "expected_measured"}}
	row := func(name string, r SeriesScore) {
		measured := []string{"", ""}
		if r.Measured != nil {
			measured = []string{full(r.Measured[0]), full(r.Measured[1])}
		}
		cells := append([]string{name, r.ID, strconv.Itoa(r.N), full(r.Score), optional(r.Ability), optional(r.Expected)}, measured...)
		rows = append(rows, append(cells, optional(r.ExpectedMeasured)))
	}
	for _, name := range sortedNames(s.CTest.Subjects) {
		row(name, s.CTest.Subjects[name])
	}
	for _, r := range s.CTest.Published {
		row("published", r)
	}
	return rows
}
