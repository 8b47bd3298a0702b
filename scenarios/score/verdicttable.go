package score

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"achilles/infer/compare"
	"achilles/sim/num"
	"achilles/sim/table"
)

// listed joins names in a cell; it is None without names.
func listed(names []string) table.Value { return table.Named(strings.Join(names, "; ")) }

// verdictTable returns the classification of each subject, beside its truth and the published classification; nil if there
// are no verdicts.
func verdictTable(s *Scores) *table.Table {
	g := s.Verdicts
	if g == nil {
		return nil
	}
	published := slices.ContainsFunc(g.Rows, func(r VerdictRow) bool { return r.Published != nil })
	theirs := func(of func(p *PublishedVerdict) string) func(r *VerdictRow) table.Value {
		return func(r *VerdictRow) table.Value {
			if r.Published == nil {
				return table.None
			}
			return table.Named(of(r.Published))
		}
	}
	rows := make([]*VerdictRow, len(g.Rows))
	for i := range rows {
		rows[i] = &g.Rows[i]
	}
	t := table.Of(table.Table{
		Name: "classifications", Was: "verdicts", Title: "Classification of each subject by the candidate set", Key: []string{"subject"}, Worst: []string{"-right", "-weight"},
		Print: []string{"subject", "classification", "weight", "has_op", "weaknesses", "minor", "truth", "true_has_op", "true_weaknesses", "misfits", "noise", "components", "unclassified", "published", "published_has_op", "published_weakness"},
		Foot:  []string{"Prob.: posterior probability of the type, given that the candidate set contains the true model. Weakness: every one with posterior probability ≥ 0.5."},
	}, rows, []table.Field[*VerdictRow]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(r *VerdictRow) table.Value { return table.String(r.Name) }),
		table.Col(table.Column{Name: "true_family", Kind: table.Text}, func(r *VerdictRow) table.Value { return table.Named(r.Truth.Family) }),
		table.Col(table.Column{Name: "classification", Was: "verdict_family", Kind: table.Text, Doc: "the most probable agent type, or unclassified"}, func(r *VerdictRow) table.Value { return table.String(r.Family) }),
		table.Col(table.Column{Name: "weight", Head: "prob.", Digits: 2, Doc: "posterior probability of the most probable type"}, func(r *VerdictRow) table.Value { return table.Float(r.Weight) }),
		table.Col(table.Column{Name: "has_op", Head: "P(OP)", Digits: 2, Weight: 1, Doc: "posterior probability of object permanence"}, func(r *VerdictRow) table.Value { return table.Float(r.HasOP) }),
		table.Col(table.Column{Name: "weaknesses", Head: "weakness", Kind: table.Text, Doc: "those more likely than not, most probable first"}, func(r *VerdictRow) table.Value { return listed(r.WeaknessNames) }),
		table.Col(table.Column{Name: "right", Kind: table.Flag}, func(r *VerdictRow) table.Value {
			if r.Truth.Family == "" {
				return table.None
			}
			return table.Bool(r.Right)
		}),
		table.Col(table.Column{Name: "leading", Kind: table.Text, Doc: "the most probable type, even if unclassified"}, func(r *VerdictRow) table.Value { return table.Named(r.Leading) }),
		table.Col(table.Column{Name: "true_has_op", Head: "true OP", Kind: table.Text, Weight: 4}, func(r *VerdictRow) table.Value { return table.Named(r.Truth.HasOP) }),
		table.Col(table.Column{Name: "true_weaknesses", Head: "true weakness", Kind: table.Text, Weight: 3}, func(r *VerdictRow) table.Value { return listed(r.TrueWeaknesses) }),
		table.Col(table.Column{Name: "weaknesses_right", Kind: table.Count}, func(r *VerdictRow) table.Value { return table.Int(r.WeaknessRight) }),
		table.Col(table.Column{Name: "misfits", Head: "failed fit checks", Kind: table.Text, Weight: 5}, func(r *VerdictRow) table.Value {
			var failed []string
			for _, m := range r.Misfit {
				failed = append(failed, m.Check)
			}
			return listed(failed)
		}),
		table.Col(table.Column{Name: "id", Kind: table.Text}, func(r *VerdictRow) table.Value { return table.String(r.Subject) }),
		table.Col(table.Column{Name: "words", Kind: table.Text}, func(r *VerdictRow) table.Value { return table.Named(r.Words) }),
		table.Col(table.Column{Name: "minor", Head: "minor weakness", Kind: table.Text, Weight: 2, Doc: "posterior probability ≥ 0.5, with little effect on success"}, func(r *VerdictRow) table.Value {
			var names []string
			for _, m := range r.Mild {
				names = append(names, m.Name)
			}
			return listed(names)
		}),
		table.Col(table.Column{Name: "truth", Kind: table.Text, Doc: "same, or ≠ and the true type"}, func(r *VerdictRow) table.Value {
			switch {
			case r.Truth.Family == "":
				return table.None
			case r.Right:
				return table.String("same")
			}
			return table.String("≠ " + r.Truth.Family)
		}),
		table.Col(table.Column{Name: "noise", Digits: 2, Low: "noise_q5", High: "noise_q95", Weight: 7, Doc: "equal-tailed 90 % interval in brackets"}, func(r *VerdictRow) table.Value {
			if r.Noise == nil {
				return table.None
			}
			return table.Float(r.Noise.Mean)
		}),
		table.Col(table.Column{Name: "noise_q5"}, func(r *VerdictRow) table.Value {
			if r.Noise == nil {
				return table.None
			}
			return table.Float(r.Noise.Q5)
		}),
		table.Col(table.Column{Name: "noise_q95"}, func(r *VerdictRow) table.Value {
			if r.Noise == nil {
				return table.None
			}
			return table.Float(r.Noise.Q95)
		}),
		table.Col(table.Column{Name: "components", Kind: table.Text, Prose: true, Weight: 8, Doc: "posterior probability of each candidate model, alone or as a component"}, func(r *VerdictRow) table.Value {
			var parts []string
			for _, c := range r.Components {
				parts = append(parts, c.Name+" "+fixed(c.Probability, 2))
			}
			return listed(parts)
		}),
		table.Col(table.Column{Name: "unclassified", Head: "reason unclassified", Kind: table.Text, Prose: true, Weight: 6}, func(r *VerdictRow) table.Value { return table.Named(r.Unclassified) }),
		table.Col(table.Column{Name: "published", Head: "published", Kind: table.Text, Weight: 3}, theirs(func(p *PublishedVerdict) string { return p.Decision })),
		table.Col(table.Column{Name: "published_has_op", Head: "published OP", Kind: table.Text, Weight: 4}, theirs(func(p *PublishedVerdict) string { return p.HasOP })),
		table.Col(table.Column{Name: "published_weakness", Kind: table.Text, Weight: 4}, theirs(func(p *PublishedVerdict) string { return p.Weakness })),
	})
	for i, r := range rows {
		for _, m := range r.Misfit {
			t.Note(i, "subject", r.Name+": "+m.Statement)
		}
	}
	if g.Subjects > 0 {
		t.Foot = append(t.Foot, "≠ marks a true type that differs from the classification.")
	}
	t.Foot = append(t.Foot, s.from(published)...)
	return t
}

// designTable returns what each subject was made to be, as published, beside what the authors and we inferred; nil without a published
// design.
func designTable(s *Scores) *table.Table {
	if s.Verdicts == nil {
		return nil
	}
	var rows []*VerdictRow
	for i := range s.Verdicts.Rows {
		if r := &s.Verdicts.Rows[i]; r.Design != nil {
			rows = append(rows, r)
		}
	}
	design := func(c table.Column, of func(d *PublishedDesign) string) table.Field[*VerdictRow] {
		c.Kind = table.Text
		return table.Col(c, func(r *VerdictRow) table.Value { return table.Named(of(r.Design)) })
	}
	theirs := func(c table.Column, of func(p *PublishedVerdict) string) table.Field[*VerdictRow] {
		c.Kind = table.Text
		return table.Col(c, func(r *VerdictRow) table.Value {
			if r.Published == nil {
				return table.None
			}
			return table.Named(of(r.Published))
		})
	}
	t := table.Of(table.Table{
		Name: "design", Title: "The published design, what its authors inferred, and what we infer", Key: []string{"subject"},
		Foot: s.from(true),
	}, rows, []table.Field[*VerdictRow]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(r *VerdictRow) table.Value { return table.String(r.Name) }),
		design(table.Column{Name: "design", Doc: "type"}, func(d *PublishedDesign) string { return d.Type }),
		design(table.Column{Name: "class", Weight: 6, Doc: "in another table of the publication"}, func(d *PublishedDesign) string { return d.Class }),
		design(table.Column{Name: "design_op", Head: "design OP", Weight: 1}, func(d *PublishedDesign) string { return d.HasOP }),
		design(table.Column{Name: "design_weakness", Weight: 3}, func(d *PublishedDesign) string { return d.Weakness }),
		design(table.Column{Name: "variability", Weight: 5}, func(d *PublishedDesign) string { return d.Variability }),
		theirs(table.Column{Name: "authors", Doc: "type that the authors inferred"}, func(p *PublishedVerdict) string { return p.Decision }),
		theirs(table.Column{Name: "authors_op", Head: "authors' OP", Weight: 1}, func(p *PublishedVerdict) string { return p.HasOP }),
		theirs(table.Column{Name: "authors_weakness", Head: "authors' weakness", Weight: 3}, func(p *PublishedVerdict) string { return p.Weakness }),
		theirs(table.Column{Name: "authors_noise", Head: "authors' noise", Weight: 5}, func(p *PublishedVerdict) string { return p.Noise }),
		table.Col(table.Column{Name: "ours", Kind: table.Text}, func(r *VerdictRow) table.Value { return table.String(r.Family) }),
		table.Col(table.Column{Name: "ours_op", Head: "P(OP)", Digits: 2, Weight: 1}, func(r *VerdictRow) table.Value { return table.Float(r.HasOP) }),
		table.Col(table.Column{Name: "ours_weakness", Head: "our weakness", Kind: table.Text, Weight: 3}, func(r *VerdictRow) table.Value { return listed(r.WeaknessNames) }),
		table.Col(table.Column{Name: "ours_noise", Head: "our noise", Digits: 2, Weight: 5}, func(r *VerdictRow) table.Value {
			if r.Noise == nil {
				return table.None
			}
			return table.Float(r.Noise.Mean)
		}),
	})
	return t
}

// wordsTable returns the verdict on each subject in words; nil if there are none.
func wordsTable(s *Scores) *table.Table {
	if s.Verdicts == nil {
		return nil
	}
	var rows []*VerdictRow
	for i := range s.Verdicts.Rows {
		if r := &s.Verdicts.Rows[i]; r.Words != "" {
			rows = append(rows, r)
		}
	}
	return table.Of(table.Table{Name: "explanations", Title: "Classifications in words", Key: []string{"subject"},
		Foot: []string{"In parentheses: probabilities of types and weaknesses; behind other numbers, equal-tailed 90 % intervals."}}, rows, []table.Field[*VerdictRow]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(r *VerdictRow) table.Value { return table.String(r.Name) }),
		table.Col(table.Column{Name: "words", Head: "classification", Kind: table.Text, Prose: true}, func(r *VerdictRow) table.Value { return table.String(r.Words) }),
	})
}

// Families returns the families that a truth names or that have a weight in a verdict, and unclassified, in the order of tables.
func (g *Verdicts) Families() []string {
	there := map[string]bool{compare.Unclassified: true}
	for i := range g.Rows {
		there[g.Rows[i].Truth.Family] = true
		for _, f := range g.Rows[i].Verdict.Families {
			there[f.Name] = true
		}
	}
	return slices.DeleteFunc(compare.Families(), func(f string) bool { return !there[f] })
}

// A confused is the number of subjects of a true family that were given a verdict.
type confused struct {
	truth, verdict string
	n              int
}

// confusionTable returns the numbers of subjects by true family and family of the verdict; nil without a truth.
func confusionTable(s *Scores) *table.Table {
	g := s.Verdicts
	if g == nil || g.Subjects == 0 {
		return nil
	}
	var rows []confused
	for _, truth := range g.Families() {
		for _, f := range g.Families() {
			if g.Confusion[truth] != nil {
				rows = append(rows, confused{truth, f, g.Confusion[truth][f]})
			}
		}
	}
	return table.Of(table.Table{
		Name: "confusion", Title: "Subjects by true type (rows) and classification (columns)", Key: []string{"truth", "classification"},
		View: &table.View{Down: "truth", Across: "classification", Cell: "n"},
	}, rows, []table.Field[confused]{
		table.Col(table.Column{Name: "truth", Head: "true type", Kind: table.Text}, func(c confused) table.Value { return table.String(c.truth) }),
		table.Col(table.Column{Name: "classification", Was: "verdict", Kind: table.Text}, func(c confused) table.Value { return table.String(c.verdict) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Dot: true}, func(c confused) table.Value { return table.Int(c.n) }),
	})
}

// A VerdictGrade is a share of verdicts that are right in the respect that Name says, over all subjects or over a
// group of them.
type VerdictGrade struct {
	Name, Group string
	Share       Share
	Published   *float64
}

// Grades returns the grades with at least one subject, in the order of the tables.
func (g *Verdicts) Grades() (list []VerdictGrade) {
	add := func(name, group string, s *Share) {
		if s != nil && s.N > 0 {
			list = append(list, VerdictGrade{name, group, *s, nil})
		}
	}
	add("agent types", "", shareOf(g.FamiliesRight, g.Subjects))
	if list != nil {
		list[0].Published = g.Types
	}
	for _, name := range slices.Sorted(maps.Keys(g.Groups)) {
		group := g.Groups[name]
		add("agent types", name, &group)
	}
	add("fraudsters", "", shareOf(g.FraudstersRight, g.Fraudsters))
	add("weaknesses, ranked first", "", shareOf(g.WeaknessesRight, g.Weaknesses))
	add("weaknesses, recall", "", g.Named.Recall)
	add("weaknesses, precision", "", g.Named.Precision)
	add("colour of colour weaknesses", "", g.Colours)
	if g.Unknown != nil {
		add("subjects of unknown type not confidently misclassified", "", &g.Unknown.Cautious)
	}
	add("unclassified", "", g.CannotSay)
	for _, f := range compare.Families() {
		if m, ok := g.Flagged[f]; ok {
			add("failed fit checks", f, &m)
		}
	}
	if p := g.Printed; p != nil {
		const truth = "published design"
		add("agent types", truth, shareOf(p.FamiliesRight, p.Subjects))
		add("fraudsters", truth, shareOf(p.FraudstersRight, p.Fraudsters))
		add("weaknesses, ranked first", truth, shareOf(p.WeaknessesRight, p.Weaknesses))
		add("weaknesses, recall", truth, p.Named.Recall)
		add("weaknesses, precision", truth, p.Named.Precision)
	}
	return list
}

// gradeTable returns the grades of the verdicts; nil without a truth.
func gradeTable(s *Scores) *table.Table {
	g := s.Verdicts
	if g == nil || g.Subjects == 0 {
		return nil
	}
	t := table.Of(table.Table{Name: "grades", Title: "Classification accuracy", Key: []string{"grade", "group"}, Foot: []string{"In brackets the exact (Clopper–Pearson) 95 % interval."}}, g.Grades(), []table.Field[VerdictGrade]{
		table.Col(table.Column{Name: "grade", Kind: table.Text}, func(x VerdictGrade) table.Value { return table.String(x.Name) }),
		table.Col(table.Column{Name: "group", Head: "of", Kind: table.Text}, func(x VerdictGrade) table.Value {
			if x.Group == "" {
				return table.String("all")
			}
			return table.String(x.Group)
		}),
		table.Col(table.Column{Name: "right", Head: "correct", Kind: table.Count}, func(x VerdictGrade) table.Value { return table.Int(x.Share.Covered) }),
		table.Col(table.Column{Name: "n", Kind: table.Count}, func(x VerdictGrade) table.Value { return table.Int(x.Share.N) }),
		table.Col(table.Column{Name: "share", Head: "proportion", Digits: 3, Low: "low", High: "high"}, func(x VerdictGrade) table.Value { return table.Float(x.Share.Share) }),
		table.Col(table.Column{Name: "low"}, func(x VerdictGrade) table.Value { return table.Float(x.Share.Interval[0]) }),
		table.Col(table.Column{Name: "high"}, func(x VerdictGrade) table.Value { return table.Float(x.Share.Interval[1]) }),
		table.Col(table.Column{Name: "published", Digits: 2, Doc: "by the authors"}, func(x VerdictGrade) table.Value { return table.Maybe(x.Published) }),
	})
	if g.HasOPBrier != nil {
		t.Foot = append(t.Foot, fmt.Sprintf("Object permanence: Brier score of P(OP) %s over the %s with a defined truth.", fixed(*g.HasOPBrier, 4), num.Counted(g.HasOPSubjects, "subject")))
	}
	if p := g.Printed; p != nil {
		t.Foot = append(t.Foot, "Published design: the truth is what the publication says of the subjects instead of ours.")
		if p.HasOPBrier != nil {
			t.Foot = append(t.Foot, fmt.Sprintf("By it the Brier score of P(OP) is %s over the %s of which it says yes or no.", fixed(*p.HasOPBrier, 4), num.Counted(p.HasOPSubjects, "subject")))
		}
	}
	t.Foot = append(t.Foot, s.from(g.Types != nil || g.Printed != nil)...)
	return t
}

func shareOf(k, n int) *Share {
	return (&tallyShare{k, n}).share()
}
