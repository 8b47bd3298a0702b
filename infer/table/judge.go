package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/infer/misfit"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/table"
)

// A Judgement is what responses to one measure cannot tell, and what is doubtful about them: by counts alone, before any model.
type Judgement struct {
	Findings *table.Table        // a row each; none: nothing was found
	Subjects map[string][]string // what is doubtful about a subject, a phrase each
	Items    map[string][]string // the same of an item
	Parts    map[string]int      // subject → number of its part, from 1, if no response connects all subjects and items; otherwise nil
}

// A finding is something that a table cannot tell, or that is doubtful about it, with a number.
type finding struct {
	what  string
	n, of int
	which []string // subjects or items, in their order
	means string   // what follows from it, and what to do
	doubt string   // of each of them, as a phrase
}

// Limits of findings.
const (
	reversedZ      = 3.5     // an item goes the wrong way if its correlation with the rest is as many standard errors below 0
	fewestForSign  = 20      // responses to an item below which its sign is not judged
	oneSidedShare  = 0.1     // share of one-sided subjects that is suspicious, if it is also
	oneSidedTimes  = 3       // as many times as independent responses would give
	leastSpread    = 0.3     // reliability of subjects' means below which they are not ranked
	fewestSubjects = 10      // for a reliability
	alarm          = 0.01    // probability that independent subjects are called alike
	mostCompared   = 1 << 28 // product of subjects and responses up to which all pairs of subjects are compared
	namesListed    = 5
)

// Judge judges the scored test responses to a measure. Counts are taken as shares of their trials, and values other than degrees of success
// as where they lie between the least and the greatest. It returns an error for an unknown measure, and if there is no response.
func Judge(d *record.Dataset, measure string) (*Judgement, error) {
	t, err := degrees(d, measure)
	if err != nil {
		return nil, err
	}
	m := t.margins()
	j := &Judgement{Subjects: map[string][]string{}, Items: map[string][]string{}}
	var found []finding
	about := func(doubts map[string][]string, f finding) {
		if f.n == 0 {
			return
		}
		found = append(found, f)
		for _, name := range f.which {
			if f.doubt != "" {
				doubts[name] = append(doubts[name], f.doubt)
			}
		}
	}
	about(j.Subjects, named(t.Subjects, func(s int) bool { return m.subject[s].n == 0 }, finding{what: "subjects without a response", means: "nothing is known of them", doubt: "no response"}))
	about(j.Items, named(t.Items, func(i int) bool { return m.item[i].n == 0 }, finding{what: "items without a response", means: "nothing is known of them", doubt: "no response"}))
	j.part(t, about)
	if f := t.single(m); f.n > 0 {
		about(nil, f)
	}
	most, none := "the highest response", "the lowest response"
	if t.Binary {
		most, none = "a pass", "a failure"
	}
	for _, end := range []struct {
		value               float64
		word, bound, advice string
	}{{1, most, "an upper", ""}, {0, none, "a lower", "; if blanks or runs that broke off were scored so, mark them as missing"}} {
		about(j.Items, named(t.Items, func(i int) bool { return m.item[i].all(end.value) }, finding{
			what:  "items with " + end.word + " in every response",
			means: "their difficulty has only " + end.bound + " bound; nothing is known of how well they discriminate",
			doubt: end.word + " in every response: difficulty has only " + end.bound + " bound",
		}))
		bound := map[float64]string{1: "a lower", 0: "an upper"}[end.value]
		f := named(t.Subjects, func(s int) bool { return m.subject[s].all(end.value) }, finding{
			what:  "subjects with " + end.word + " in every response",
			means: "their ability has only " + bound + " bound, and how far beyond it lies is said by the prior alone",
			doubt: end.word + " in every response: ability has only " + bound + " bound",
		})
		if expected, nearly := t.oneSided(m, end.value); f.n > oneSidedTimes*(nearly+1) && float64(f.n) > oneSidedShare*float64(f.of) && float64(f.n) > oneSidedTimes*expected {
			f.means += fmt.Sprintf(". They are suspiciously many: the items' success rates alone would give %.2g, and %d have one other response%s", expected, nearly, end.advice)
		}
		about(j.Subjects, f)
	}
	about(j.Items, t.reversed(m))
	about(j.Subjects, t.alike(m))
	if again := t.again(); again > 0 {
		about(nil, finding{what: "repeated responses", n: again, of: t.Rows(), means: "responses of one subject to one item are more alike than others: intervals that treat them as independent are too narrow"})
	}
	if r, ok := t.reliability(m); ok && r < leastSpread {
		about(nil, finding{what: fmt.Sprintf("subjects that hardly differ (reliability %.2f)", max(r, 0)), n: len(t.Subjects), of: len(t.Subjects), means: "success rates differ hardly more than chance would have them: do not rank subjects"})
	}
	j.Findings = table.Of(table.Table{Name: "judgement", Title: "What the table cannot tell"}, found, []table.Field[finding]{
		table.Col(table.Column{Name: "finding", Kind: table.Text, Prose: true, Doc: "what was counted, and the names of the first"}, func(f finding) table.Value { return table.String(f.said()) }),
		table.Col(table.Column{Name: "count", Kind: table.Count, Doc: "how many"}, func(f finding) table.Value { return table.Int(f.n) }),
		table.Col(table.Column{Name: "of", Kind: table.Count, Doc: "of how many"}, func(f finding) table.Value { return table.Int(f.of) }),
		table.Col(table.Column{Name: "meaning", Kind: table.Text, Prose: true, Doc: "what follows, and what to do"}, func(f finding) table.Value { return table.String(f.means) }),
	})
	return j, nil
}

// degrees returns the responses to a measure as degrees in [0, 1].
func degrees(d *record.Dataset, measure string) (*Table, error) {
	m, ok := d.Measure(measure)
	if !ok {
		return nil, fmt.Errorf("measure %q is not in the data; %s", measure, known(d))
	}
	t := &Table{Subjects: d.Subjects, Items: d.Items.ID, Binary: d.Manifest.Measures[m].Family == record.Binary}
	t.fill(&d.Responses, m)
	if t.Rows() == 0 {
		return nil, fmt.Errorf("no scored test response of measure %q", measure)
	}
	trials := false
	k := 0
	for _, r := range d.Responses.All() {
		if isRow(r, m) {
			if r.Trials > 0 {
				t.Value[k] /= float64(r.Trials)
				trials = true
			}
			k++
		}
	}
	if family := d.Manifest.Measures[m].Family; family == record.Real || family == record.Choice || family == record.Count && !trials {
		low, high := slices.Min(t.Value), slices.Max(t.Value)
		for i := range t.Value {
			t.Value[i] = (t.Value[i] - low) / max(high-low, 1e-300)
		}
	}
	return t, nil
}

// named returns a finding with the names of those of which it holds.
func named(names []string, holds func(i int) bool, f finding) finding {
	f.of = len(names)
	for i, name := range names {
		if holds(i) {
			f.which = append(f.which, name)
		}
	}
	f.n = len(f.which)
	return f
}

// said returns what was found, with the names of the first.
func (f *finding) said() string {
	if len(f.which) == 0 {
		return f.what
	}
	return f.what + ": " + listed(f.which)
}

func listed(names []string) string {
	if len(names) > namesListed {
		return strings.Join(names[:namesListed], ", ") + fmt.Sprintf(" and %d more", len(names)-namesListed)
	}
	return strings.Join(names, ", ")
}

// A margin is the number of responses of a subject or to an item, and their sum.
type margin struct{ n, sum float64 }

func (m margin) mean() float64 { return m.sum / max(m.n, 1) }

// all reports whether there are several responses, and all have a value.
func (m margin) all(value float64) bool { return m.n > 1 && m.sum == value*m.n }

type margins struct{ subject, item []margin }

func (t *Table) margins() margins {
	m := margins{make([]margin, len(t.Subjects)), make([]margin, len(t.Items))}
	for r, v := range t.Value {
		s, i := &m.subject[t.Subject[r]], &m.item[t.Item[r]]
		s.n, s.sum, i.n, i.sum = s.n+1, s.sum+v, i.n+1, i.sum+v
	}
	return m
}

// single is about tables in which there is nothing to compare.
func (t *Table) single(m margins) finding {
	took, taken := 0, 0
	for _, x := range m.subject {
		took += int(min(x.n, 1))
	}
	for _, x := range m.item {
		taken += int(min(x.n, 1))
	}
	low, high := slices.Min(t.Value), slices.Max(t.Value)
	switch {
	case low == high:
		return finding{what: "responses that are all the same", n: t.Rows(), of: t.Rows(), means: "nothing sets subjects or items apart: what is inferred about their differences is the prior's"}
	case took == 1:
		return finding{what: "only one subject", n: 1, of: 1, means: "ability and difficulty of items without demands are not distinguished, and there is nobody to compare with", which: t.Subjects[:min(len(t.Subjects), 1)]}
	case taken == 1:
		return finding{what: "only one item", n: 1, of: 1, means: "one response says next to nothing of a subject's ability", which: t.Items[:min(len(t.Items), 1)]}
	}
	return finding{}
}

// oneSided returns how many subjects would have only failures (0) or only successes (1) if responses were independent given the items, and
// how many have one other response: where abilities differ, these are as frequent as the former.
func (t *Table) oneSided(m margins, value float64) (expected float64, nearly int) {
	logs := make([]float64, len(t.Subjects))
	for r := range t.Value {
		p := m.item[t.Item[r]].mean()
		if value == 0 {
			p = 1 - p
		}
		logs[t.Subject[r]] += num.Log(p)
	}
	for s, l := range logs {
		x := m.subject[s]
		if x.n > 0 {
			expected += num.Exp(l)
		}
		if x.n > 1 && math.Abs(x.sum-float64(value*x.n)) == 1 {
			nearly++
		}
	}
	return expected, nearly
}

// reversed finds the items in which those are low who otherwise are high.
func (t *Table) reversed(m margins) finding {
	rest := make([]float64, len(t.Subjects)) // sum of residuals of a subject
	for r, v := range t.Value {
		rest[t.Subject[r]] += v - m.item[t.Item[r]].mean()
	}
	type sums struct{ n, x, xx, y, yy, xy float64 }
	by := make([]sums, len(t.Items))
	for r, v := range t.Value {
		s := t.Subject[r]
		if m.subject[s].n < 3 {
			continue
		}
		e := v - m.item[t.Item[r]].mean()
		x := (rest[s] - e) / (m.subject[s].n - 1)
		b := &by[t.Item[r]]
		b.n, b.x, b.xx, b.y, b.yy, b.xy = b.n+1, b.x+x, b.xx+float64(x*x), b.y+e, b.yy+float64(e*e), b.xy+float64(x*e)
	}
	return named(t.Items, func(i int) bool {
		b := by[i]
		vx, vy := b.xx-float64(b.x*b.x)/b.n, b.yy-float64(b.y*b.y)/b.n
		if b.n < fewestForSign || !(vx > 0 && vy > 0) {
			return false
		}
		c := (b.xy - float64(b.x*b.y)/b.n) / math.Sqrt(float64(vx*vy))
		return float64(c*math.Sqrt(b.n-2)) < -reversedZ*math.Sqrt(1-float64(c*c))
	}, finding{
		what:  "items that go the wrong way",
		means: "those who do well on the others do badly on them: look at the key, or at the direction of the scale; for binary scores, layout 2pl-signed has slopes of either sign",
		doubt: "goes the wrong way: those who do well on the others do badly on it",
	})
}

// alike finds subjects whose binary responses agree beyond chance, given how many each passes and how hard the items are.
func (t *Table) alike(m margins) finding {
	f := finding{of: len(t.Subjects), what: "subjects whose responses agree beyond chance", means: "one copied the other, or they have something in common that is not ability; they count as one witness, not two"}
	if !t.Binary || float64(len(t.Subjects))*float64(t.Rows()) > mostCompared {
		return f
	}
	bounds := t.Bounds()
	var all []misfit.Answers
	for s, id := range t.Subjects {
		a := misfit.Answers{Subject: id}
		p := (m.subject[s].sum + 0.5) / (m.subject[s].n + 1)
		for r := bounds[s]; r < bounds[s+1]; r++ {
			if n := len(a.Key); n > 0 && a.Key[n-1] >= int(t.Item[r]) {
				continue // the first response to an item
			}
			a.Key, a.Passed, a.P = append(a.Key, int(t.Item[r])), append(a.Passed, t.Value[r] == 1), append(a.P, p)
		}
		all = append(all, a)
	}
	seen := map[string]bool{}
	for _, p := range misfit.Alike(all, alarm) {
		for _, id := range []string{p.Subject, p.Other} {
			if !seen[id] {
				f.which = append(f.which, id)
			}
			seen[id] = true
		}
	}
	f.n, f.doubt = len(f.which), "responses agree beyond chance with those of another subject"
	return f
}

// again counts the responses of a subject to an item after its first.
func (t *Table) again() (n int) {
	bounds := t.Bounds()
	for s := range t.Subjects {
		items := slices.Clone(t.Item[bounds[s]:bounds[s+1]])
		slices.Sort(items)
		n += len(items) - len(slices.Compact(items))
	}
	return n
}

// part finds the sets of subjects and items that no response connects.
func (j *Judgement) part(t *Table, about func(doubts map[string][]string, f finding)) {
	to := make([]int, len(t.Subjects)+len(t.Items))
	for i := range to {
		to[i] = i
	}
	root := func(i int) int {
		for to[i] != i {
			to[i] = to[to[i]]
			i = to[i]
		}
		return i
	}
	for r := range t.Value {
		a, b := root(int(t.Subject[r])), root(len(t.Subjects)+int(t.Item[r]))
		to[max(a, b)] = min(a, b)
	}
	number := map[int]int{} // root → part
	var subjects, items []int
	part := make([]int, len(to))
	for _, s := range t.Subject { // sorted
		k := root(int(s))
		if number[k] == 0 {
			number[k] = len(number) + 1
			subjects, items = append(subjects, 0), append(items, 0)
		}
		if part[s] == 0 {
			part[s] = number[k]
			subjects[number[k]-1]++
		}
	}
	if len(number) < 2 {
		return
	}
	for i := range t.Items {
		if k := number[root(len(t.Subjects)+i)]; k > 0 {
			items[k-1]++
		}
	}
	f := finding{what: "parts that nothing connects", n: len(number), of: len(t.Subjects),
		means: "no subject took items of two parts: subjects and items are compared within a part only. Across parts the prior alone would compare them: give all some items in common"}
	for k := range subjects {
		f.which = append(f.which, fmt.Sprintf("part %d: %s, %s", k+1, num.Counted(subjects[k], "subject"), num.Counted(items[k], "item")))
	}
	about(nil, f)
	j.Parts = map[string]int{}
	for s, id := range t.Subjects {
		j.Parts[id] = part[s]
	}
}

// reliability returns the share of the variance of subjects' mean residuals that chance does not explain. ok is false if there are too
// few subjects.
func (t *Table) reliability(m margins) (r float64, ok bool) {
	sum, noise, n := make([]float64, len(t.Subjects)), make([]float64, len(t.Subjects)), 0.0
	for k, v := range t.Value {
		p := m.item[t.Item[k]].mean()
		sum[t.Subject[k]] += v - p
		noise[t.Subject[k]] += float64(p * (1 - p))
	}
	var x, xx, chance float64
	for s := range sum {
		if k := m.subject[s].n; k > 0 {
			mean := sum[s] / k
			n, x, xx, chance = n+1, x+mean, xx+float64(mean*mean), chance+noise[s]/float64(k*k)
		}
	}
	v := (xx - float64(x*x)/n) / (n - 1)
	if n < fewestSubjects || !t.Binary || !(v > 0) {
		return 0, false
	}
	return 1 - chance/n/v, true
}
