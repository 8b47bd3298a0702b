package score

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/agents/accuracy"
)

// CTest grades subjects of the C-test as Chmait et al. (2017) do. A score is the share of right answers, weighted by
// the complexity of the items. Beside each score is the score that the model predicts on the same items.
type CTest struct {
	Weight    float64                `json:"weight,omitempty"` // published: ability = Weight × score; 0: not published
	Fitted    *float64               `json:"fitted,omitempty"` // the weight with which the model fits the success of the solvers best; absent without solvers
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
func (s *Scores) gradeCTest(in Input, k *key, c *Chances, tasks []accuracy.Task) error {
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
	t.Fitted = fittedWeight(solvers)
	s.CTest = t
	return nil
}

// measure sets the measured ability of the subject, and the score that the model predicts from it.
func (r *SeriesScore) measure(s *Scores, c *Chances, own answers) error {
	if i := s.profileOf(r.ID, ability); i >= 0 {
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
func (s *Scores) profileOf(id, parameter string) int {
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

// CTestTable returns a table with one row for each subject that is not a member of a population, and one for each
// published ability. It returns nil if the items are not a C-test.
func (s *Scores) CTestTable() []byte {
	if s.CTest == nil {
		return nil
	}
	t := textTable{title: "C-test: score r, the share of right answers weighted by complexity, beside what the model gives for an ability"}
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
