package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
	"achilles/sim/table"
)

// A Judgement is what responses to one measure cannot tell, and what is doubtful about them, before any layout is fitted.
type Judgement struct {
	Findings []Finding           // none: nothing was found
	Subjects map[string][]string // what is doubtful about a subject, a phrase each
	Items    map[string][]string // the same of an item
	Parts    map[string]int      // subject → number of its part, from 1, if no response connects all subjects and items; otherwise nil
}

// A Finding is something that a table cannot tell, or that is doubtful about it, with a number.
type Finding struct {
	Kind    string   `json:"kind"`
	What    string   `json:"what"` // what was counted
	Count   int      `json:"count"`
	Of      int      `json:"of"`
	Names   []string `json:"names,omitempty"`  // subjects or items, in their order
	Meaning string   `json:"meaning"`          // what follows from it
	When    string   `json:"when,omitempty"`   // when to type Remedy
	Remedy  string   `json:"remedy,omitempty"` // what to type, for which these responses have the finding no more; "": there is no command for it
	Grave   bool     `json:"grave,omitempty"`  // numbers are wrong, or cannot be compared, unless something is done

	By    string `json:"-"` // column by which responses are clustered
	doubt string // of each of them, as a phrase
}

// Kinds of findings.
const (
	NoResponse     = "no-response"        // subjects or items without a response
	Disconnected   = "disconnected"       // parts that no response connects
	WeakLink       = "weak-link"          // parts that one or two subjects or items connect
	ConstantItems  = "constant-items"     // items with the same response from everybody
	OneSided       = "one-sided"          // subjects with the lowest or the highest response throughout
	Blanks         = "blanks"             // so many that they look like blanks scored as failures
	FailureRuns    = "failure-runs"       // runs of failures that look like blanks
	Reversed       = "reversed"           // items with negative discrimination
	CopiedSubjects = "copied"             // subjects whose responses agree beyond chance
	Clustered      = "clustered"          // responses that are alike within item or group of items
	NotOrdered     = "not-ordered"        // items whose categories are numbered in no order
	SharesOfTrials = "shares-of-trials"   // numbers that may be success rates of a few trials
	HardlyDiffer   = "hardly-differ"      // subjects of low reliability
	PerfectOrder   = "perfect-order"      // items and subjects that are ordered without exception
	SumsUp         = "named-as-a-sum"     // subjects or items that are called like a sum of others
	Incomparable   = "nothing-to-compare" // one subject, one item, or the same response throughout
)

// Limits of findings.
const (
	alarm          = 0.01    // probability that a test of a finding, over the whole table, finds it where nothing is
	fewestForSign  = 20      // responses to an item below which its sign is not judged
	oneSidedShare  = 0.1     // share of one-sided subjects that is suspicious, if it is also
	oneSidedTimes  = 3       // as many times as independent responses would give
	leastSpread    = 0.3     // reliability of subjects' means below which they are not ranked
	fewestSubjects = 10      // for a reliability
	mostCompared   = 1 << 28 // product of subjects and responses up to which all pairs of subjects are compared
	mostJudged     = 1 << 22 // responses for tests that draw tables, and for what looks at each pair of responses
	namesListed    = 5
	namesTyped     = 20 // names in a command
)

// Judge judges the scored test responses to a measure. Counts are taken as shares of their trials, and values other than degrees of success
// as where they lie between the least and the greatest. Tests draw tables with the same margins, always
// the same ones, so that all who ask get the same answer; of more than 4 million responses, which would take minutes, they are left out. It returns an
// error for an unknown measure, and if there is no response.
func Judge(d *record.Dataset, measure string) (*Judgement, error) {
	t, err := degrees(d, measure)
	if err != nil {
		return nil, err
	}
	j := &Judgement{Subjects: map[string][]string{}, Items: map[string][]string{}}
	m := t.margins()
	j.about(j.Subjects, named(t.Subjects, func(s int) bool { return m.subject[s].n == 0 }, Finding{Kind: NoResponse, What: "subjects without a response", Meaning: "nothing is known of them", doubt: "no response"}))
	j.about(j.Items, named(t.Items, func(i int) bool { return m.item[i].n == 0 }, Finding{Kind: NoResponse, What: "items without a response", Meaning: "nothing is known of them", doubt: "no response"}))
	for _, names := range [][]string{t.Subjects, t.Items} {
		f := named(names, func(i int) bool { return isSum(names[i]) }, Finding{Kind: SumsUp, What: "names that suggest totals of others", Meaning: "they may be sums or means, and count the responses of others again"})
		f.When, f.Remedy = "If so", typed("--leave-out", f.Names)
		j.about(nil, f)
	}
	if m, ok := d.Measure(measure); ok {
		j.about(j.Items, t.unordered(d, m))
		j.about(nil, shares(d, m))
	}
	j.part(t, d)
	small := t.Rows() <= mostJudged
	if small {
		j.links(t)
	}
	j.about(nil, t.single(m))
	j.ends(t, m)
	var w *witnesses
	if small {
		w = newWitnesses(t, d, measure)
	}
	random := rng.Stream(0, "judgement")
	n := w.null(&random)
	var clusters []Finding
	if small {
		clusters = t.clustered(d, m, w)
	}
	runs := n.runs()
	if slices.ContainsFunc(clusters, func(f Finding) bool { return f.Grave }) {
		runs.Meaning += "; or responses of one cluster are alike, as said below"
	}
	j.about(j.Subjects, runs)
	j.about(j.Items, t.reversed(m, n))
	j.about(j.Subjects, t.alike(m, j.Subjects))
	for _, f := range clusters {
		j.about(nil, f)
	}
	if r, ok := t.reliability(m); ok && r < leastSpread {
		j.about(nil, Finding{Kind: HardlyDiffer, What: fmt.Sprintf("subjects that hardly differ (reliability %.2f)", max(r, 0)), Count: len(t.Subjects), Of: len(t.Subjects), Meaning: map[bool]string{true: "success rates", false: "means"}[t.Binary] + " differ hardly more than by chance: do not rank subjects"})
	}
	j.about(nil, t.perfectOrder(m))
	return j, nil
}

// about adds a finding, and what is doubtful about each of those that it names. It adds none if nothing was counted.
func (j *Judgement) about(doubts map[string][]string, f Finding) {
	if f.Count == 0 {
		return
	}
	j.Findings = append(j.Findings, f)
	for _, name := range f.Names {
		if f.doubt != "" {
			doubts[name] = append(doubts[name], f.doubt)
		}
	}
}

// FindingsTable returns findings, one a row. It has no rows if there are none.
func FindingsTable(found []Finding) *table.Table {
	return table.Of(table.Table{Name: "judgement", Title: "What the table cannot tell"}, found, []table.Field[Finding]{
		table.Col(table.Column{Name: "finding", Kind: table.Text, Prose: true, Doc: "what was counted, and the names of the first"}, func(f Finding) table.Value { return table.String(f.Statement()) }),
		table.Col(table.Column{Name: "count", Kind: table.Count, Doc: "how many"}, func(f Finding) table.Value { return table.Int(f.Count) }),
		table.Col(table.Column{Name: "of", Kind: table.Count, Doc: "of how many"}, func(f Finding) table.Value { return table.Int(f.Of) }),
		table.Col(table.Column{Name: "meaning", Kind: table.Text, Prose: true, Doc: "what follows, and what to do"}, func(f Finding) table.Value { return table.String(f.Advice()) }),
	})
}

// Statement returns what was found, with the names of the first.
func (f *Finding) Statement() string {
	if len(f.Names) == 0 {
		return f.What
	}
	return f.What + ": " + listed(f.Names)
}

// Advice returns what follows, and what to do.
func (f *Finding) Advice() string {
	if f.Remedy == "" {
		return f.Meaning
	}
	return fmt.Sprintf("%s. %s: import again with %s", f.Meaning, f.When, f.Remedy)
}

// typed returns names as the value of a flag of import, or "" where there are too many or one cannot be typed in a list.
func typed(flag string, names []string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:"
	const quotable = plain + " '()[]{}<>|&;#*?~=+@^" // between double quotes no shell changes them
	if len(names) == 0 || len(names) > namesTyped || slices.ContainsFunc(names, func(s string) bool { return s == "" || strings.Trim(s, quotable) != "" || strings.TrimSpace(s) != s }) {
		return ""
	}
	list := strings.Join(names, ",")
	if strings.Trim(list, plain+",") != "" {
		list = `"` + list + `"`
	}
	return flag + " " + list
}

// ends finds items and subjects whose responses are all at one end.
func (j *Judgement) ends(t *Table, m margins) {
	most, none := "the highest response", "the lowest response"
	if t.Binary {
		most, none = "a pass", "a failure"
	}
	for _, end := range []struct {
		value      float64
		word       string
		item, mine string // kind of bound of the item's difficulty and the subject's ability
	}{{1, most, "an upper", "a lower"}, {0, none, "a lower", "an upper"}} {
		f := named(t.Items, func(i int) bool { return m.item[i].all(end.value) }, Finding{
			Kind:    ConstantItems,
			What:    "items with " + end.word + " in every response",
			Meaning: "their difficulty has only " + end.item + " bound; nothing is known about how well they discriminate, and they do not distinguish subjects",
			doubt:   end.word + " in every response: difficulty has only " + end.item + " bound",
		})
		f.leftOut()
		j.about(j.Items, f)
		f = named(t.Subjects, func(s int) bool { return m.subject[s].all(end.value) }, Finding{
			Kind:    OneSided,
			What:    "subjects with " + end.word + " in every response",
			Meaning: "their ability has only " + end.mine + " bound, and only the prior says how far beyond it lies",
			doubt:   end.word + " in every response: ability has only " + end.mine + " bound",
		})
		f.leftOut()
		if expected, nearly := t.oneSided(m, end.value); f.Count > oneSidedTimes*(nearly+1) && float64(f.Count) > oneSidedShare*float64(f.Of) && float64(f.Count) > oneSidedTimes*expected {
			f.Kind, f.Grave = Blanks, true
			f.Meaning = fmt.Sprintf("they are suspiciously many, %.2g %% of all subjects, where independent responses with these success rates would give %.2g %%, and %d have all responses but one the same", 100*float64(f.Count)/float64(f.Of), 100*expected/float64(f.Of), nearly)
			if end.value == 0 {
				f.Meaning += "; blanks or runs that broke off may have been scored as failures"
				f.When, f.Remedy = "If they are blanks", "--blanks subjects"
			}
		}
		j.about(j.Subjects, f)
	}
}

// leftOut says how to leave out what the finding names, where two others are left to compare.
func (f *Finding) leftOut() {
	if f.Of-f.Count >= 2 {
		f.When, f.Remedy = "To leave them out", typed("--leave-out", f.Names)
	}
}

// isSum reports whether a name is that of a sum over others.
func isSum(name string) bool {
	return slices.Contains([]string{"total", "totals", "sum", "mean", "average", "avg", "overall", "summe", "gesamt", "mittelwert", "durchschnitt", "moyenne", "promedio"}, strings.ToLower(strings.TrimSpace(name)))
}

// degrees returns the responses to a measure as degrees in [0, 1].
func degrees(d *record.Dataset, measure string) (*Table, error) {
	m, ok := d.Measure(measure)
	if !ok {
		return nil, fmt.Errorf("measure %q is not in the data; %s", measure, known(d))
	}
	t := &Table{Measure: measure, Subjects: d.Subjects, Items: d.Items.ID, Binary: d.Manifest.Measures[m].Family == record.Binary}
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
func named(names []string, holds func(i int) bool, f Finding) Finding {
	f.Of = len(names)
	for i, name := range names {
		if holds(i) {
			f.Names = append(f.Names, name)
		}
	}
	f.Count = len(f.Names)
	slices.SortFunc(f.Names, record.CompareNames)
	return f
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
func (t *Table) single(m margins) Finding {
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
		return Finding{Kind: Incomparable, What: "responses that are all the same", Count: t.Rows(), Of: t.Rows(), Meaning: "nothing distinguishes subjects or items: what is inferred about their differences is the prior"}
	case took == 1:
		return Finding{Kind: Incomparable, What: "only one subject", Count: 1, Of: 1, Meaning: "ability and difficulty of items without demands are not distinguished, and there is nobody to compare with", Names: t.Subjects[:min(len(t.Subjects), 1)]}
	case taken == 1:
		return Finding{Kind: Incomparable, What: "only one item", Count: 1, Of: 1, Meaning: "one response says next to nothing of a subject's ability", Names: t.Items[:min(len(t.Items), 1)]}
	}
	return Finding{}
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
