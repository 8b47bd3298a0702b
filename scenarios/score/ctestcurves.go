package score

import (
	"fmt"
	"slices"

	"achilles/agents/accuracy"
	"achilles/sim/table"
)

// A Curve is a line of figure 2, 4 or 5 of Chmait et al. (2017), with our points for comparison. It is computed anew,
// because the paper prints no numbers.
type Curve struct {
	Figure  int
	Name    string // figures 2 and 5: the agent or group; figure 4: the chance
	Answers int    // number of answers of all points; 0 if it varies along the line
	Rule    accuracy.Rule
	Points  []CurvePoint
	Ours    []CurvePoint // figures 2 and 4: for our subject's measured ability; figure 5: actual shares of right answers
}

// A CurvePoint is a chance of a right answer, or an actual share of right answers, at a difficulty with a number of
// answers. Low and High are the ends of an interval: in figure 4 of the difficulty (q5 to q95 of the posterior), in
// figure 5 of the share (95 %, Clopper–Pearson). If there is no interval, both are equal to the value.
type CurvePoint struct {
	Difficulty float64
	Answers    int
	P          float64
	Low, High  float64
}

// Curves returns the lines of the figures. It returns none if the items are not a C-test.
func (s *Scores) Curves() (out []Curve) {
	if s.CTest == nil {
		return nil
	}
	for _, name := range sortedNames(s.CTest.Like) {
		if i := profileOf(s, s.CTest.Subjects[name].ID, ability); i >= 0 {
			out = append(out, surface(name, s.CTest.Like[name], &s.Profiles[i]))
			out = append(out, isolines(s.CTest.Like[name], &s.Profiles[i])...)
		}
	}
	return append(out, groupCurves(s)...)
}

// surface returns the line of figure 2: the chance by difficulty and number of answers, for a published ability and for
// our measured one.
func surface(name string, published float64, own *Profile) Curve {
	c := Curve{Figure: 2, Name: name}
	mean, _ := own.Reported()
	for _, d := range []float64{0, 2, 4, 6, 8, 10, 12, 15, 20, 30, 40} {
		for _, m := range []int{2, 3, 4, 5, 8, 10, 15, 20, 26} {
			at := func(a float64) CurvePoint {
				p := accuracy.Chance(accuracy.Task{Difficulty: d, Answers: m}, a)
				return CurvePoint{Difficulty: d, Answers: m, P: p, Low: p, High: p}
			}
			c.Points, c.Ours = append(c.Points, at(published)), append(c.Ours, at(mean))
		}
	}
	return c
}

// isolines returns the lines of figure 4: for some chances, the largest difficulty at which the chance is reached, by
// number of answers.
func isolines(published float64, own *Profile) (out []Curve) {
	mean, _ := own.Reported()
	for _, p := range []float64{0.5, 0.6, 0.7, 0.8} {
		c := Curve{Figure: 4, Name: fmt.Sprint(p)}
		for m := 3; m <= 26; m++ {
			at := func(a, low, high float64) CurvePoint {
				return CurvePoint{Answers: m, P: p, Difficulty: accuracy.Hardest(p, a, m), Low: accuracy.Hardest(p, low, m), High: accuracy.Hardest(p, high, m)}
			}
			c.Points = append(c.Points, at(published, published, published))
			if slices.Contains([]int{3, 5, 8, 12, 18, 26}, m) {
				c.Ours = append(c.Ours, at(mean, own.Q5, own.Q95))
			}
		}
		out = append(out, c)
	}
	return out
}

// groupCurves returns the lines of figure 5: the chance of a right answer by difficulty, under strict majority and
// under plurality. It has a line for each group whose rule is strict majority and whose members' true abilities are
// known, and one for a single member of the first such group whose members are all equally able.
func groupCurves(s *Scores) (out []Curve) {
	var names []string
	member := ""
	for _, name := range s.CollectiveNames() {
		g := s.Collectives[name]
		if g.Rule != accuracy.StrictMajority || g.Abilities == nil || len(g.Abilities) > accuracy.MaxVoters {
			continue
		}
		names = append(names, name)
		if member == "" && slices.Min(g.Abilities) == slices.Max(g.Abilities) {
			member = name
		}
	}
	for _, rule := range []accuracy.Rule{accuracy.StrictMajority, accuracy.PluralityVote} {
		for _, m := range []int{3, 5, 26} {
			if member != "" {
				out = append(out, groupCurve("a member of "+member, s.Collectives[member].Abilities[:1], rule, m))
			}
			for _, name := range names {
				c := groupCurve(name, s.Collectives[name].Abilities, rule, m)
				if rule == accuracy.StrictMajority {
					c.Ours = observed(s.CTest.Subjects[name].Rates, m)
				}
				out = append(out, c)
			}
		}
	}
	return out
}

// hardestDrawn is the largest difficulty of figure 5.
const hardestDrawn = 50

func groupCurve(name string, abilities []float64, rule accuracy.Rule, answers int) Curve {
	g := accuracy.Group{Rule: rule}
	for i := range abilities {
		g.Members = append(g.Members, abilities[i:i+1])
	}
	c := Curve{Figure: 5, Name: name, Answers: answers, Rule: rule}
	for d := range hardestDrawn + 1 {
		p, _ := g.Chance(accuracy.Task{Difficulty: float64(d), Answers: answers})
		c.Points = append(c.Points, CurvePoint{Difficulty: float64(d), Answers: answers, P: p, Low: p, High: p})
	}
	return c
}

// fewSeries is the smallest number of responses for which figure 5 has a mark. Intervals of fewer responses are too
// wide to compare.
const fewSeries = 10

// observed returns the shares of right answers to the series with the given number of answers, by complexity.
func observed(rates []RateAt, answers int) (out []CurvePoint) {
	for _, r := range rates {
		if r.Answers == answers && r.N >= fewSeries {
			i := ClopperPearson(r.Right, r.N, Level)
			out = append(out, CurvePoint{Difficulty: r.K, Answers: answers, P: float64(r.Right) / float64(r.N), Low: i[0], High: i[1]})
		}
	}
	return out
}

// A curveRow is a point of a line, the paper's or ours.
type curveRow struct {
	*Curve
	source string
	CurvePoint
}

// curveTable returns the points of the figures; it has no rows if the items are not a C-test.
func curveTable(s *Scores) *table.Table {
	var rows []curveRow
	for _, c := range s.Curves() {
		for _, p := range c.Points {
			rows = append(rows, curveRow{&c, "paper", p})
		}
		for _, p := range c.Ours {
			rows = append(rows, curveRow{&c, "ours", p})
		}
	}
	return table.Of(table.Table{Name: "ctest-figures", Title: "C-test: the lines of figures 2, 4 and 5 of the paper, and our points", FileOnly: true}, rows, []table.Field[curveRow]{
		table.Col(table.Column{Name: "figure", Kind: table.Count}, func(r curveRow) table.Value { return table.Int(r.Figure) }),
		table.Col(table.Column{Name: "name", Kind: table.Text, Doc: "figures 2 and 5: the agent or group; figure 4: the chance"}, func(r curveRow) table.Value { return table.String(r.Name) }),
		table.Col(table.Column{Name: "rule", Kind: table.Text}, func(r curveRow) table.Value { return table.Named(string(r.Rule)) }),
		table.Col(table.Column{Name: "source", Kind: table.Text, Doc: "paper, computed from its formulas, or ours"}, func(r curveRow) table.Value { return table.String(r.source) }),
		table.Col(table.Column{Name: "answers", Kind: table.Count, Doc: "number of options"}, func(r curveRow) table.Value { return table.Int(r.CurvePoint.Answers) }),
		table.Col(table.Column{Name: "difficulty", Digits: 2, Unit: "bits"}, func(r curveRow) table.Value { return table.Float(r.Difficulty) }),
		table.Col(table.Column{Name: "p", Digits: 3, Doc: "chance of a right answer, or proportion of right answers"}, func(r curveRow) table.Value { return table.Float(r.P) }),
		table.Col(table.Column{Name: "low", Digits: 3, To: "high", Head: "interval", Doc: "figure 4: of the difficulty; else of p"}, func(r curveRow) table.Value { return table.Float(r.Low) }),
		table.Col(table.Column{Name: "high"}, func(r curveRow) table.Value { return table.Float(r.High) }),
	})
}
