package score

import (
	"fmt"
	"slices"
	"strconv"

	"achilles/agents/accuracy"
)

// A Curve is a line of figure 2, 4 or 5 of Chmait et al. (2017), computed anew because the paper prints no numbers, with
// what we have beside it.
type Curve struct {
	Figure  int
	Name    string // what it is of: an agent or a group; in figure 4 a chance
	Answers int    // of all its points; 0: these differ
	Rule    accuracy.Rule
	Points  []CurvePoint
	Ours    []CurvePoint // figures 2 and 4: of the subject that is compared; figure 5: share of right answers that were given
}

// A CurvePoint is a chance of a right answer, or a share of right ones, at a difficulty with a number of answers. Low and
// High are an interval: of the difficulty in figure 4 (90 % of the posterior), of the share in figure 5 (95 %, Clopper
// and Pearson); equal where there is none.
type CurvePoint struct {
	Difficulty float64
	Answers    int
	P          float64
	Low, High  float64
}

// Curves returns the lines of the figures; none where the battery is no C-test.
func (s *Scores) Curves() (out []Curve) {
	if s.CTest == nil {
		return nil
	}
	for _, name := range sortedNames(s.CTest.Like) {
		i := slices.IndexFunc(s.Profiles, func(p Profile) bool { return p.Name == name && p.Parameter == ability })
		if i >= 0 {
			out = append(out, surface(name, s.CTest.Like[name], &s.Profiles[i]))
			out = append(out, isolines(s.CTest.Like[name], &s.Profiles[i])...)
		}
	}
	return append(out, s.groupCurves()...)
}

// surface is figure 2: the chance by difficulty and number of answers, for a published ability and a measured one.
func surface(name string, published float64, own *Profile) Curve {
	c := Curve{Figure: 2, Name: name}
	mean, _ := own.reported()
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

// isolines are figure 4: the difficulty up to which a chance is reached, by the number of answers.
func isolines(published float64, own *Profile) (out []Curve) {
	mean, _ := own.reported()
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

// groupCurves are figure 5: groups that are held to a majority and whose members' abilities are known, by the difficulty,
// for a majority and for most votes; and a member of the first group whose members are alike.
func (s *Scores) groupCurves() (out []Curve) {
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

// fewSeries is the least number of responses whose share is a mark of figure 5: the interval of fewer says nothing.
const fewSeries = 10

// observed are the shares of right answers to series of each complexity with so many answers.
func observed(rates []RateAt, answers int) (out []CurvePoint) {
	for _, r := range rates {
		if r.Answers == answers && r.N >= fewSeries {
			i := ClopperPearson(r.Right, r.N, Level)
			out = append(out, CurvePoint{Difficulty: r.K, Answers: answers, P: float64(r.Right) / float64(r.N), Low: i[0], High: i[1]})
		}
	}
	return out
}

func (s *Scores) curveRows() [][]string {
	rows := [][]string{{"figure", "name", "rule", "source", "answers", "difficulty", "p", "low", "high"}}
	for _, c := range s.Curves() {
		add := func(source string, points []CurvePoint) {
			for _, p := range points {
				rows = append(rows, []string{strconv.Itoa(c.Figure), c.Name, string(c.Rule), source, strconv.Itoa(p.Answers), full(p.Difficulty), full(p.P), full(p.Low), full(p.High)})
			}
		}
		add("paper", c.Points)
		add("ours", c.Ours)
	}
	return rows
}
