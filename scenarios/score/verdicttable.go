package score

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"achilles/infer/compare"
)

// VerdictTables returns three tables: the verdict on every subject beside its truth and the published verdict, the
// number of subjects by true family and family of the verdict, and the grades. Without a truth it returns the first
// only. It returns nil if there are no verdicts.
func (s *Scores) VerdictTables() []byte {
	g := s.Verdicts
	if g == nil || len(g.Rows) == 0 && g.Subjects == 0 {
		return nil
	}
	var b strings.Builder
	b.Write(g.subjectTable(s.Source))
	if g.Subjects > 0 {
		b.WriteString("\n")
		b.Write(g.confusionTable())
		b.WriteString("\n")
		b.Write(g.gradeTable())
	}
	return []byte(b.String())
}

func (g *Verdicts) subjectTable(source string) []byte {
	t := textTable{title: "Verdicts: the heaviest family and its weight, the probability of object permanence, weaknesses that are more likely than not"}
	t.head = []string{"subject", "verdict", "weight", "has OP", "weaknesses", "misfits"}
	graded, published := g.Subjects > 0, false
	if graded {
		t.head = append(t.head, "truth", "has OP", "weakness")
	}
	for i := range g.Rows {
		published = published || g.Rows[i].Published != nil
	}
	if published {
		t.head = append(t.head, "published: decision", "has OP", "weakness")
	}
	for i := range g.Rows {
		r := &g.Rows[i]
		row := []string{r.Name, r.Family, fixed(r.Weight, 2), fixed(r.HasOP, 2), dashed(strings.Join(r.namedAndMild(), ", ")), misfits(len(r.Misfit))}
		if graded {
			row = append(row, r.wrong(), dashed(r.Truth.HasOP), dashed(strings.Join(r.TrueWeaknesses, ", ")))
		}
		if p := r.Published; p != nil {
			row = append(row, p.Decision, p.HasOP, p.Weakness)
		}
		t.rows = append(t.rows, row)
	}
	if graded {
		t.foot = append(t.foot, "≠ before a true family: the verdict is another")
	}
	if published {
		t.sourced(source)
	}
	return t.text()
}

// wrong returns the true family, with a mark before it if the verdict is not right.
func (r *VerdictRow) wrong() string {
	if r.Right || r.Truth.Family == "" {
		return dashed(r.Truth.Family)
	}
	return "≠ " + r.Truth.Family
}

// namedAndMild returns the weaknesses that the verdict names, then the mild ones.
func (r *VerdictRow) namedAndMild() []string {
	names := slices.Clone(r.WeaknessNames)
	for _, m := range r.Mild {
		names = append(names, "mildly "+m.Name)
	}
	return names
}

func dashed(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

func misfits(n int) string {
	if n == 0 {
		return "–"
	}
	return strconv.Itoa(n)
}

// Families returns the families that a truth names or that have a weight in a verdict, and cannot-tell, in the order of tables.
func (g *Verdicts) Families() []string {
	there := map[string]bool{compare.CannotTell: true}
	for i := range g.Rows {
		there[g.Rows[i].Truth.Family] = true
		for _, f := range g.Rows[i].Verdict.Families {
			there[f.Name] = true
		}
	}
	return slices.DeleteFunc(compare.Families(), func(f string) bool { return !there[f] })
}

// confusionTable returns a table of numbers of subjects, with a row for each true family and a column for each family
// of a verdict.
func (g *Verdicts) confusionTable() []byte {
	families := g.Families()
	t := textTable{title: "Families: true (rows) against verdict (columns)", head: append([]string{""}, families...)}
	for _, truth := range families {
		if g.Confusion[truth] == nil {
			continue
		}
		row := []string{truth}
		for _, f := range families {
			row = append(row, dot(g.Confusion[truth][f]))
		}
		t.rows = append(t.rows, row)
	}
	return t.text()
}

func dot(n int) string {
	if n == 0 {
		return "·"
	}
	return strconv.Itoa(n)
}

// A VerdictGrade is a share of verdicts that are right in the respect that Name says, over all subjects or over a
// group of them.
type VerdictGrade struct {
	Name, Group string
	Share       Share
}

// Grades returns the grades with at least one subject, in the order of the tables.
func (g *Verdicts) Grades() (list []VerdictGrade) {
	add := func(name, group string, s *Share) {
		if s != nil && s.N > 0 {
			list = append(list, VerdictGrade{name, group, *s})
		}
	}
	add("families", "", shareOf(g.FamiliesRight, g.Subjects))
	for _, name := range sortedKeys(g.Groups) {
		group := g.Groups[name]
		add("families", name, &group)
	}
	add("fraudsters", "", shareOf(g.FraudstersRight, g.Fraudsters))
	add("weaknesses, ranked first", "", shareOf(g.WeaknessesRight, g.Weaknesses))
	add("weaknesses, recall", "", g.Named.Recall)
	add("weaknesses, precision", "", g.Named.Precision)
	add("colour of a colour", "", g.Colours)
	if g.Unknown != nil {
		add("unknown kinds without a confident wrong verdict", "", &g.Unknown.Cautious)
	}
	add("verdicts that are cannot-tell", "", g.CannotSay)
	for _, f := range compare.Families() {
		if m, ok := g.Flagged[f]; ok {
			add("misfit flagged, "+f, "", &m)
		}
	}
	return list
}

func (g *Verdicts) gradeTable() []byte {
	t := textTable{title: "Grades of the verdicts [95 %: Clopper–Pearson]", head: []string{"", "right", "of", "share", "95 %"}}
	for _, x := range g.Grades() {
		name := x.Name
		if x.Group != "" {
			name = "  of " + x.Group
		}
		t.rows = append(t.rows, []string{name, fmt.Sprint(x.Share.Covered), fmt.Sprint(x.Share.N), fixed(x.Share.Share, 3), span(&x.Share.Interval, 2)})
	}
	if g.HasOPBrier != nil {
		t.foot = append(t.foot, fmt.Sprintf("object permanence: Brier score %s over the %d subjects that have it or lack it", fixed(*g.HasOPBrier, 4), g.HasOPSubjects))
	}
	return t.text()
}

func shareOf(k, n int) *Share {
	return (&tallyShare{k, n}).share()
}

// verdictRows returns the rows of verdicts.csv.
func (s *Scores) verdictRows() [][]string {
	rows := [][]string{{
		"subject", "true_family", "verdict_family", "weight", "has_op", "weaknesses",
		"right", "leading", "true_has_op", "true_weaknesses", "weaknesses_right", "misfits", "id", "words",
	}}
	if s.Verdicts == nil {
		return rows
	}
	for i := range s.Verdicts.Rows {
		r := &s.Verdicts.Rows[i]
		right := ""
		if r.Truth.Family != "" {
			right = strconv.FormatBool(r.Right)
		}
		var misfit []string
		for _, m := range r.Misfit {
			misfit = append(misfit, m.Check)
		}
		rows = append(rows, []string{
			r.Name, r.Truth.Family, r.Family, full(r.Weight), full(r.HasOP), strings.Join(r.WeaknessNames, "; "),
			right, r.Leading, r.Truth.HasOP, strings.Join(r.TrueWeaknesses, "; "), strconv.Itoa(r.WeaknessRight), strings.Join(misfit, "; "), r.Subject, r.Words,
		})
	}
	return rows
}
