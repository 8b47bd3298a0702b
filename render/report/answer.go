package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"achilles/infer"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	judging "achilles/infer/table"
	"achilles/render/tabular"
	"achilles/scenarios/score"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/table"
)

// An Answer is what there is to say about a table of responses on one page, in which every doubt stands beside the number that it is about.
type Answer struct {
	Name     string
	Data     *record.Dataset
	Judged   *judging.Judgement
	Layout   *layout.Layout
	Reasons  []string // for the layout, a sentence each
	Result   *infer.Result
	Sampled  bool // whether its draws are of the posterior itself, not of a normal approximation
	Compared *score.Comparison
	Beside   []string     // names of layouts that the verdict is about, beside the success rate
	Unfit    string       // why the layout is not compared with another one; "": it is
	Pools    *table.Table // pools of demands compared; nil: there is one
	Next     []string     // what to look at and what to type next
}

// Text returns the answer as text of a width.
func (a *Answer) Text(width int) string {
	return a.write(func(t *table.Table) string { return string(tabular.Text(t, width)) + "\n" }, func(s string) string { return string(tabular.Sentence(s, width)) })
}

// Markdown returns the answer as Markdown.
func (a *Answer) Markdown() string {
	return "# " + a.Name + "\n\n" + a.write(func(t *table.Table) string { return string(tabular.Markdown(t)) + "\n" }, func(s string) string { return s + "\n\n" })
}

func (a *Answer) write(tabular func(*table.Table) string, paragraph func(string) string) string {
	var b strings.Builder
	show := func(t *table.Table) {
		if t != nil && len(t.Rows) > 0 {
			b.WriteString(tabular(t))
		}
	}
	b.WriteString(paragraph(strings.Join(append([]string{a.size()}, a.Compared.Verdict(a.Beside...)...), " ")))
	b.WriteString("\n")
	if len(a.Judged.Findings) == 0 {
		b.WriteString(paragraph("Nothing in the table itself is doubtful: no constant, reversed or blank items, no one-sided, copied or blank subjects, no repetitions, one part.") + "\n")
	}
	show(judging.FindingsTable(a.Judged.Findings))
	b.WriteString(paragraph("Layout " + a.Layout.Name + ", because:"))
	for _, r := range a.Reasons {
		b.WriteString(paragraph("- " + r))
	}
	b.WriteString("\n")
	show(a.Compared.Table())
	if a.Unfit != "" {
		b.WriteString(paragraph(a.Unfit) + "\n")
	}
	show(a.Pools)
	show(a.subjects())
	show(a.items())
	show(a.shared())
	for _, n := range a.Next {
		b.WriteString(paragraph(n))
	}
	return b.String()
}

func (a *Answer) size() string {
	held := 0
	for _, r := range a.Data.Responses.All() {
		if r.Split == record.HeldOut && r.Unscored == 0 {
			held++
		}
	}
	return fmt.Sprintf("%s × %s: %s, %s of them held out.", num.Counted(len(a.Data.Subjects), "subject"), num.Counted(a.Data.Items.Len(), "item"), num.Counted(a.Data.Responses.Len(), "response"), num.Count(held))
}

// onPage is the number of subjects or items in a table, half of them the first and half the last, and doubted that of doubtful ones between.
const (
	onPage  = 20
	doubted = 10
)

// few returns the first and the last rows, with doubtful ones in between, and a sentence that says so if there are more.
func few[R any](rows []R, doubtful func(R) bool, thing, where string) (out []R, foot []string) {
	if len(rows) <= onPage {
		return rows, nil
	}
	n, said := len(rows)-onPage/2, ""
	out = slices.Clone(rows[:onPage/2])
	for _, r := range rows[onPage/2 : n] {
		if doubtful(r) && len(out) < onPage/2+doubted {
			out = append(out, r)
			said = ", with doubtful ones in between"
		}
	}
	return append(out, rows[n:]...), []string{fmt.Sprintf("The first and the last %d of %s%s; all are in %s.", onPage/2, num.Counted(len(rows), thing), said, where)}
}

// A mean is the mean of responses, of counts as shares of their trials.
type mean struct {
	n   int
	sum float64
}

func (m *mean) add(r *record.Response) {
	m.n, m.sum = m.n+1, m.sum+r.Value/float64(max(1, r.Trials))
}

func (m *mean) value() float64 { return m.sum / float64(m.n) }

// means returns the means of the scored responses of each subject, and to each item.
func (a *Answer) means() (subjects, items []mean) {
	subjects, items = make([]mean, len(a.Data.Subjects)), make([]mean, a.Data.Items.Len())
	for _, r := range a.Data.Responses.All() {
		if r.Unscored == 0 && a.Data.Manifest.Measures[r.Measure].Name == a.Layout.Responses[0].Measure {
			subjects[r.Subject].add(&r)
			items[r.Item].add(&r)
		}
	}
	return subjects, items
}

// A standing is a subject with its abilities.
type standing struct {
	id          string
	part        int
	mean        mean
	ability     map[string]infer.Profile
	best, worst infer.Profile
}

// mostAbilities is the number of abilities above which the page has the highest and the lowest alone, if they are on one scale.
const mostAbilities = 4

// standings returns the subjects with responses that have abilities, and the names of these.
func (a *Answer) standings() (all []*standing, names []string) {
	means, _ := a.means()
	by := map[string]*standing{}
	for i, id := range a.Data.Subjects {
		by[id] = &standing{id: id, mean: means[i], part: a.Judged.Parts[id], ability: map[string]infer.Profile{}}
		all = append(all, by[id])
	}
	for _, x := range a.Result.Profiles {
		s := by[x.Subject]
		if x.Group != string(layout.Capability) || s == nil {
			continue
		}
		if !slices.Contains(names, x.Parameter) {
			names = append(names, x.Parameter)
		}
		if len(s.ability) == 0 || x.Mean > s.best.Mean {
			s.best = x
		}
		if len(s.ability) == 0 || x.Mean < s.worst.Mean {
			s.worst = x
		}
		s.ability[x.Parameter] = x
	}
	return slices.DeleteFunc(all, func(s *standing) bool { return s.mean.n == 0 || len(s.ability) == 0 }), names
}

// oneScale reports whether all abilities are parts of one vector, so that they can be compared.
func oneScale(names []string) bool {
	vector, _, _ := strings.Cut(names[0], "[")
	return !slices.ContainsFunc(names, func(name string) bool { return !strings.HasPrefix(name, vector+"[") })
}

// subjects returns the abilities of the subjects. It ranks none across parts that nothing connects.
func (a *Answer) subjects() *table.Table {
	all, names := a.standings()
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(x, y *standing) int {
		order := cmp.Compare(y.mean.value(), x.mean.value())
		if len(names) == 1 {
			order = cmp.Compare(y.best.Mean, x.best.Mean)
		}
		return cmp.Or(cmp.Compare(x.part, y.part), order)
	})
	all, foot := few(all, func(s *standing) bool { return a.Judged.Subjects[s.id] != nil }, "subject", "inferred/profiles.csv")
	fields := []table.Field[*standing]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(s *standing) table.Value { return table.String(s.id) }),
		table.Col(table.Column{Name: "responses", Kind: table.Count}, func(s *standing) table.Value { return table.Int(s.mean.n) }),
		table.Col(table.Column{Name: "mean", Head: "mean response", Digits: 3}, func(s *standing) table.Value { return table.Float(s.mean.value()) }),
	}
	if a.Judged.Parts != nil {
		fields = slices.Insert(fields, 1, table.Col(table.Column{Name: "part", Kind: table.Count}, func(s *standing) table.Value { return table.Int(s.part) }))
	}
	title, beside := "Subjects by mean response, with their abilities", names[0]
	switch {
	case len(names) > mostAbilities && oneScale(names):
		title, beside = "Subjects by mean response, with their highest and lowest ability", "highest_mean"
		best, worst := func(s *standing) infer.Profile { return s.best }, func(s *standing) infer.Profile { return s.worst }
		fields = append(append(fields, parameterOf("highest", best)), estimate("highest_mean", best)...)
		fields = append(append(fields, parameterOf("lowest", worst)), estimate("lowest_mean", worst)...)
	case len(names) > mostAbilities:
		foot = append(foot, fmt.Sprintf("The first %d of %d abilities, each on the scale of its demand; all are in inferred/profiles.csv.", mostAbilities, len(names)))
		names = names[:mostAbilities]
		fallthrough
	default:
		if len(names) == 1 {
			title = "Subjects by ability"
		}
		for _, name := range names {
			fields = append(fields, estimate(name, func(s *standing) infer.Profile { return s.ability[name] })...)
		}
	}
	if a.Judged.Parts != nil {
		title += ", within each part: across parts nothing compares them"
	}
	how := "Abilities: posterior means with their 90 % intervals, by a normal approximation (Laplace)."
	if a.Sampled {
		how = "Abilities: posterior means with their 90 % intervals."
	}
	t := table.Of(table.Table{Name: "subjects", Title: title, Foot: append([]string{how}, foot...)}, all, fields)
	doubts := a.fitDoubts()
	for i, s := range all {
		t.Note(i, beside, a.Judged.Subjects[s.id]...)
		t.Note(i, beside, doubts[s.id]...)
	}
	for _, d := range doubts[infer.Everybody] {
		t.Foot = append(t.Foot, "Warning about all of them: "+d+".")
	}
	return t
}

// fitDoubts returns the warnings about the fits to all responses, by subject.
func (a *Answer) fitDoubts() map[string][]string {
	out := map[string][]string{}
	for _, f := range a.Result.Diagnostics.Fits {
		if f.Rows != infer.AllRows {
			continue
		}
		seen := map[string]bool{}
		for _, w := range f.Warnings {
			if k := string(w.Kind); !seen[k] && w.Kind != posterior.Approximate { // the page says once that all are
				seen[k] = true
				out[f.Subject] = append(out[f.Subject], w.Message)
			}
		}
	}
	return out
}

func parameterOf(name string, of func(s *standing) infer.Profile) table.Field[*standing] {
	return table.Col(table.Column{Name: name, Kind: table.Text}, func(s *standing) table.Value { return table.String(of(s).Parameter) })
}

// estimate returns the columns of a posterior mean and its interval.
func estimate(name string, of func(s *standing) infer.Profile) []table.Field[*standing] {
	return bounded(name, func(s *standing) (mean, low, high float64) { x := of(s); return x.Mean, x.Q5, x.Q95 })
}

func bounded[R any](name string, of func(r R) (mean, low, high float64)) []table.Field[R] {
	return []table.Field[R]{
		table.Col(table.Column{Name: name, Digits: 2, Low: name + "_q5", High: name + "_q95"}, func(r R) table.Value { m, _, _ := of(r); return table.Float(m) }),
		table.Col(table.Column{Name: name + "_q5", Digits: 2}, func(r R) table.Value { _, l, _ := of(r); return table.Float(l) }),
		table.Col(table.Column{Name: name + "_q95", Digits: 2}, func(r R) table.Value { _, _, h := of(r); return table.Float(h) }),
	}
}

// mostItemParameters is the number of parameters of an item above which the page has none of them.
const mostItemParameters = 2

// items returns the parameters of the items, if the layout has any: first the hardest, by their mean responses.
func (a *Answer) items() *table.Table {
	type itemUnits struct {
		id    string
		mean  mean
		units map[string]infer.Unit
	}
	_, means := a.means()
	by := map[string]*itemUnits{}
	var names []string
	for _, u := range a.Result.Units {
		if u.Kind != infer.ItemUnit {
			continue
		}
		if by[u.Unit] == nil {
			by[u.Unit] = &itemUnits{id: u.Unit, units: map[string]infer.Unit{}}
		}
		by[u.Unit].units[u.Parameter] = u
		if !slices.Contains(names, u.Parameter) {
			names = append(names, u.Parameter)
		}
	}
	var all []*itemUnits
	for i, id := range a.Data.Items.ID {
		if x := by[id]; x != nil && means[i].n > 0 {
			x.mean = means[i]
			all = append(all, x)
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(x, y *itemUnits) int { return cmp.Compare(x.mean.value(), y.mean.value()) })
	all, foot := few(all, func(x *itemUnits) bool { return a.Judged.Items[x.id] != nil }, "item", "inferred/parameters.csv")
	fields := []table.Field[*itemUnits]{
		table.Col(table.Column{Name: "item", Kind: table.Text}, func(x *itemUnits) table.Value { return table.String(x.id) }),
		table.Col(table.Column{Name: "responses", Kind: table.Count}, func(x *itemUnits) table.Value { return table.Int(x.mean.n) }),
		table.Col(table.Column{Name: "mean", Head: "mean response", Digits: 3}, func(x *itemUnits) table.Value { return table.Float(x.mean.value()) }),
	}
	beside := "mean"
	if len(names) <= mostItemParameters {
		for _, name := range names {
			fields = append(fields, bounded(name, func(x *itemUnits) (mean, low, high float64) { u := x.units[name]; return u.Shown(), u.Q5, u.Q95 })...)
		}
		beside = names[0]
	}
	t := table.Of(table.Table{Name: "items", Title: "Items by mean response, the hardest first", Foot: foot}, all, fields)
	for i, x := range all {
		t.Note(i, beside, a.Judged.Items[x.id]...)
	}
	return t
}

// shared returns the parameters of everybody, such as the slope of a covariate.
func (a *Answer) shared() *table.Table {
	var shared []infer.Unit
	doc := map[string]string{}
	for _, x := range a.Layout.Parameters {
		doc[x.Name] = cmp.Or(x.Doc, x.Unit)
	}
	for _, u := range a.Result.Units {
		if u.Kind == infer.SharedUnit {
			shared = append(shared, u)
		}
	}
	fields := append([]table.Field[infer.Unit]{table.Col(table.Column{Name: "parameter", Kind: table.Text}, func(u infer.Unit) table.Value { return table.String(u.Parameter) })},
		bounded("value", func(u infer.Unit) (mean, low, high float64) { return u.Shown(), u.Q5, u.Q95 })...)
	fields = append(fields, table.Col(table.Column{Name: "meaning", Kind: table.Text, Prose: true}, func(u infer.Unit) table.Value { return table.Named(doc[u.Parameter]) }))
	return table.Of(table.Table{Name: "shared", Title: "Shared by all subjects and items"}, shared, fields)
}
