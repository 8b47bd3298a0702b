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

// CTest grades subjects of the C-test as Chmait et al. (2017) do. A score is the share of right answers, each of which
// counts as much as its item is complex; beside it stands what the model gives on the same items.
type CTest struct {
	Weight    float64                `json:"weight,omitempty"` // published: an ability is so many times the score; 0: not published
	Fitted    *float64               `json:"fitted,omitempty"` // the weight that fits the success of solvers best; absent without solvers
	Subjects  map[string]SeriesScore `json:"subjects"`
	Published []SeriesScore          `json:"published,omitempty"` // of the published abilities
	Like      map[string]float64     `json:"like,omitempty"`      // subject → the published ability that its own is compared with
	Note      string                 `json:"note,omitempty"`      // on what was published

	items []accuracy.Task // whose difficulty is the complexity
}

// A SeriesScore is a subject's score, and what the model gives for an ability that follows from it, and for the one that
// was measured.
type SeriesScore struct {
	ID       string   `json:"id,omitempty"`
	Drawn    bool     `json:"drawn,omitempty"`    // a member of a population
	N        int      `json:"n,omitempty"`        // scored responses
	Score    float64  `json:"score"`              // r = Σ k right / Σ k
	Ability  *float64 `json:"ability,omitempty"`  // Weight × Score
	Expected *float64 `json:"expected,omitempty"` // Σ k P(k, Ability, answers) / Σ k

	Measured         *Moments `json:"measured,omitempty"`          // posterior of the parameter ability
	ExpectedMeasured *float64 `json:"expected_measured,omitempty"` // Σ k P / Σ k, with the layout's chances over the posterior
	Rates            []RateAt `json:"rates,omitempty"`             // in ascending order
}

// A RateAt is how many answers were right at one complexity and number of options.
type RateAt struct {
	K       float64 `json:"k"`
	Answers int     `json:"answers"`
	N       int     `json:"n"`
	Right   int     `json:"right"`
}

// seriesItems returns the items of a C-test as tasks; nil where there are others.
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

// gradeCTest grades subjects where all items are series.
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

// expected is the score that the model gives on the items for an ability.
func (t *CTest) expected(ability float64) *float64 {
	sum, all := 0.0, 0.0
	for _, x := range t.items {
		sum += float64(x.Difficulty * accuracy.Chance(x, ability))
		all += x.Difficulty
	}
	sum /= all
	return &sum
}

// measure fills in what was inferred of the subject.
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

// fittedWeight is the weight w, to 0.1, for which P(k, w r, answers) is nearest to the success rates of all solvers at
// every complexity, by the mean square that the paper names; nil without solvers.
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

// Shown are the subjects that are no members of populations, in natural order: of those there are many.
func (t *CTest) Shown() []string {
	return slices.DeleteFunc(sortedNames(t.Subjects), func(name string) bool { return t.Subjects[name].Drawn })
}

// CTestTable has a row a subject that is no member of a population, and one a published ability; nil where the items are
// no series.
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
