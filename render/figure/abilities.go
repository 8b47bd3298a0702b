package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/infer/analysis"
	"achilles/render/figure/chart"
	"achilles/sim/num"
)

// abilities returns the entries of the models that estimate abilities. Every such model has a figure of the subjects'
// abilities by their success rates, one of its items and, if the model has skills, one of the skills. The two-parameter
// model has two more.
func abilities(m *Material) (out []Entry) {
	a := m.Analysis
	for _, r := range a.Tables.Agreement {
		out = append(out, Entry{Name: "abilities-" + r.Model, Title: "Ability and success, by " + r.Model, Section: SectionAbilities, Make: func() chart.Figure { return abilityBySuccess(a, r.Model) },
			Caption: "Each subject's ability by its success rate, with its interval where the model has one."},
			Entry{Name: "parameters-" + r.Model, Title: "Items, by " + r.Model, Section: SectionAbilities, Make: func() chart.Figure { return parameters(a, r.Model) },
				Caption: "Difficulty and discrimination of every item, coloured by its highest-weighted skill if the model has skills (ties: the skill that the fewest items need). Items below 0 have negative discrimination: abler subjects do worse on them." + notDrawn(a, r.Model)})
		if skills := skillsOf(a, r.Model); len(skills) > 0 && analysis.RatesAbility(r.Model) {
			out = append(out, Entry{Name: "skills-" + r.Model, Title: "Skills of subjects, by " + r.Model, Section: SectionAbilities, Make: func() chart.Figure { return skillBars(a, r.Model, skills) },
				Caption: "Expected success rate over the items that need each skill: of the worst, the median and the best subject overall, and of those between, numbered by rank."})
		}
	}
	if slices.ContainsFunc(a.Tables.Agreement, func(r analysis.AgreementRow) bool { return r.Model == twoParameters }) {
		out = append(out, Entry{Name: "wright", Title: "Wright map", Section: SectionAbilities, Make: func() chart.Figure { return wright(a) },
			Caption: "Subject abilities and item difficulties on a common logit scale (two-parameter model): items are most informative for subjects at the same level. Counts are scaled per side; the bars at ±4 include values beyond."},
			Entry{Name: "icc", Title: "Item characteristic curves", Section: SectionAbilities, Make: func() chart.Figure { return characteristic(a) },
				Caption: "Success probability by ability (two-parameter model) for nine items from easy to hard, with observed success rates and intervals of six ability groups."})
	}
	if len(a.Tables.Compared) > 0 {
		out = append(out, Entry{Name: "compared", Title: "Chosen subjects side by side", Section: SectionAbilities, Make: func() chart.Figure { return compared(a) },
			Caption: "Success rate over all items and over those that need each skill."})
	}
	if len(a.Tables.Consistency) > 0 {
		out = append(out, Entry{Name: "consistency", Title: "Consistency of the order of the subjects", Section: SectionAbilities, Make: func() chart.Figure { return consistency(a) },
			Caption: "Kendall's tau-b between the orders by two disjoint random sets of items, by the size of each: mean and central 90 % over the repeats. How many items until the ranking holds?"})
	}
	return out
}

// compared draws a row per skill with the success rates of the chosen subjects.
func compared(a *analysis.Document) chart.Figure {
	var subjects []string
	var rows []chart.Comparison
	for _, r := range a.Tables.Compared {
		k := slices.Index(subjects, r.Subject)
		if k < 0 {
			k, subjects = len(subjects), append(subjects, r.Subject)
		}

		at := slices.IndexFunc(rows, func(x chart.Comparison) bool { return x.Label == r.Class })
		if at < 0 {
			at, rows = len(rows), append(rows, chart.Comparison{Label: r.Class})
		}
		for len(rows[at].Values) < k {
			rows[at].Values = append(rows[at].Values, math.NaN())
		}
		rows[at].Values = append(rows[at].Values, r.SuccessRate)
	}
	return chart.Compare("success rate", subjects, rows)
}

func consistency(a *analysis.Document) chart.Figure {
	var p chart.Panel
	low := 0.0
	for _, r := range a.Tables.Consistency {
		p.Add(r.Model, chart.Point{X: float64(r.Items), Y: r.Kendall, Low: r.Low, High: r.High})
		low = min(low, r.Low)
	}
	return chart.Lines("items", "Kendall's tau-b", p.Series, low, 1)
}

// twoParameters is the name of the two-parameter model of item response theory. Its abilities and difficulties are on
// one scale.
const twoParameters = "irt"

func abilityBySuccess(a *analysis.Document, model string) chart.Figure {
	var g chart.Group
	for _, r := range a.Tables.Abilities {
		if r.Model == model && r.Skill == "" {
			g.Points = append(g.Points, chart.Point{X: r.SuccessRate, Y: r.Value, Low: r.Low, High: r.High})
		}
	}
	return chart.Scatter("success rate", "ability", []chart.Group{g})
}

// widest is the largest distance of a difficulty from 0 that is drawn. An item that hardly discriminates may have any
// difficulty, and would leave no room for the others.
const widest = 6

// notDrawn returns the sentence that says how many items have a difficulty beyond widest, or "" if there are none.
func notDrawn(a *analysis.Document, model string) string {
	n := 0
	for _, r := range a.Tables.Parameters {
		if r.Model == model && !(math.Abs(r.Difficulty) <= widest) {
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" One item, which has no difficulty within ±%d, is not drawn.", widest)
	}
	return fmt.Sprintf(" %d items without a difficulty within ±%d are not drawn.", n, widest)
}

// parameters draws the items of a model by their parameters. The group of an item is its skill.
func parameters(a *analysis.Document, model string) chart.Figure {
	skill := mainSkills(a, model)
	var groups []chart.Group
	for _, r := range a.Tables.Parameters {
		if r.Model != model || !(math.Abs(r.Difficulty) <= widest) { // or unknown
			continue
		}
		k := slices.IndexFunc(groups, func(g chart.Group) bool { return g.Name == skill[r.Item] })
		if k < 0 {
			k = len(groups)
			groups = append(groups, chart.Group{Name: skill[r.Item]})
		}
		groups[k].Points = append(groups[k].Points, chart.Point{X: r.Difficulty, Y: r.Discrimination, Low: math.NaN(), High: math.NaN()})
	}
	slices.SortFunc(groups, func(x, y chart.Group) int { return cmp.Compare(x.Name, y.Name) })
	return chart.Scatter("difficulty", "discrimination", groups)
}

// mainSkills returns, by item, the skill with the largest weight; of skills with equal weights the one with the smallest sum of
// weights over all items.
func mainSkills(a *analysis.Document, model string) map[string]string {
	sum := map[string]float64{}
	for _, r := range a.Tables.Masks {
		if r.Model == model {
			sum[r.Skill] += r.Weight
		}
	}
	skill, weight := map[string]string{}, map[string]float64{}
	for _, r := range a.Tables.Masks {
		if more := r.Weight > weight[r.Item]; r.Model == model && (more || r.Weight == weight[r.Item] && r.Weight > 0 && sum[r.Skill] < sum[skill[r.Item]]) {
			skill[r.Item], weight[r.Item] = r.Skill, r.Weight
		}
	}
	return skill
}

// skillsOf returns the skills for each of which a model estimates an ability.
func skillsOf(a *analysis.Document, model string) (skills []string) {
	for _, r := range a.Tables.Abilities {
		if r.Model == model && r.Skill != "" && !strings.HasPrefix(r.Skill, "on ") && !slices.Contains(skills, r.Skill) {
			skills = append(skills, r.Skill)
		}
	}
	return skills
}

// mostBars is the largest number of subjects whose skills are drawn.
const mostBars = 5

func skillBars(a *analysis.Document, model string, skills []string) chart.Figure {
	overall := ranked(a, model)
	var panels []chart.ForestPanel
	for _, skill := range skills {
		panel := chart.ForestPanel{Name: skill, Min: 0, Max: 1}
		n := min(mostBars, len(overall))
		for k := range n {
			place := k * (len(overall) - 1) / max(n-1, 1)
			subject := overall[place].Subject
			for _, r := range a.Tables.Abilities {
				if r.Model == model && r.Skill == skill && r.Subject == subject {
					panel.Rows = append(panel.Rows, chart.Estimate{Label: fmt.Sprintf("%d. %s", len(overall)-place, subject), Mean: r.Value, Q5: r.Low, Q25: r.Value, Q75: r.Value, Q95: r.High})
				}
			}
		}
		panels = append(panels, panel)
	}
	return chart.Forests(panels)
}

// ranked returns the overall abilities of the subjects according to a model, the lowest first.
func ranked(a *analysis.Document, model string) (rows []analysis.AbilityRow) {
	for _, r := range a.Tables.Abilities {
		if r.Model == model && r.Skill == "" {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(x, y analysis.AbilityRow) int { return cmp.Compare(x.Value, y.Value) })
	return rows
}

// items returns the items of the two-parameter model, the easiest first.
func items(a *analysis.Document) (rows []analysis.ParameterRow) {
	for _, r := range a.Tables.Parameters {
		if r.Model == twoParameters {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(x, y analysis.ParameterRow) int { return cmp.Compare(x.Difficulty, y.Difficulty) })
	return rows
}

func wright(a *analysis.Document) chart.Figure {
	var ability, difficulty []float64
	for _, r := range ranked(a, twoParameters) {
		ability = append(ability, r.Value)
	}
	for _, r := range items(a) {
		difficulty = append(difficulty, r.Difficulty)
	}
	return chart.Wright(ability, difficulty)
}

// characteristic draws the characteristic curves of at most nine items, from the easiest to the hardest of those whose
// discrimination is positive and whose difficulty is on the axis.
func characteristic(a *analysis.Document) chart.Figure {
	rows := slices.DeleteFunc(items(a), func(r analysis.ParameterRow) bool { return !(r.Discrimination > 0 && math.Abs(r.Difficulty) < 4) })
	var panels []chart.Panel
	n := min(9, len(rows))
	for k := range n {
		r := rows[k*(len(rows)-1)/max(n-1, 1)]
		s := chart.Series{Name: "model"}
		for x := -4.0; x <= 4; x += 0.1 {
			s.Points = append(s.Points, chart.Point{X: x, Y: num.Logistic(r.Discrimination * (x - r.Difficulty)), Low: math.NaN(), High: math.NaN()})
		}
		for _, o := range a.Tables.Observed {
			if o.Model == twoParameters && o.Item == r.Item {
				s.Marks = append(s.Marks, chart.Point{X: o.Ability, Y: o.Success, Low: o.Low, High: o.High})
			}
		}
		panels = append(panels, chart.Panel{Title: r.Item, Series: []chart.Series{s}})
	}
	return chart.LinePanels("ability", "probability of success", panels, 3, 0, 1)
}
