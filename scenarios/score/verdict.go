package score

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"achilles/agents"
	"achilles/infer/compare"
	"achilles/sim/num"
)

// Verdicts has the grades of the verdicts on all subjects whose truth names a family. docs/reference/scoring.md
// defines each.
type Verdicts struct {
	FamiliesRight   int       `json:"families_right"`
	Subjects        int       `json:"subjects"`
	Interval        *Interval `json:"families_interval,omitempty"` // 95 % interval of the share of right families
	FraudstersRight int       `json:"fraudsters_right"`
	Fraudsters      int       `json:"fraudsters"`
	WeaknessesRight int       `json:"weaknesses_right"`
	Weaknesses      int       `json:"weaknesses"`
	HasOPBrier      *float64  `json:"has_op_brier,omitempty"`
	HasOPSubjects   int       `json:"has_op_subjects"`

	Confusion map[string]map[string]int `json:"confusion"` // true family → family of the verdict → subjects
	Named     Named                     `json:"weakness_names"`
	Colours   *Share                    `json:"colours,omitempty"` // share of right colours, of subjects with a true colour and a named one
	CannotSay *Share                    `json:"unclassified"`      // share of verdicts that are unclassified
	Unknown   *Unknown                  `json:"unknown,omitempty"` // on subjects whose true family is unclassified; nil if there are none
	Flagged   map[string]Share          `json:"misfit"`            // true family → share of subjects with a flagged misfit
	Groups    map[string]Share          `json:"groups,omitempty"`  // group of subjects → share of right families

	Printed *Verdicts `json:"published_truth,omitempty"`    // the same grades where the truth is the published design; nil without one
	Types   *float64  `json:"types_published,omitempty"`    // share of subjects whose type the authors found
	TypesOf int       `json:"types_published_of,omitempty"` // number of subjects of the published design

	Rows []VerdictRow `json:"-"` // rows of classifications.csv, sorted by subject in natural order
}

// Named compares the weaknesses that verdicts name with the true ones, over all graded subjects.
type Named struct {
	Precision *Share               `json:"precision,omitempty"` // of the named weaknesses, those that are true
	Recall    *Share               `json:"recall,omitempty"`    // of the true weaknesses, those that are named
	Names     map[string]NameCount `json:"names"`
}

// A NameCount counts the subjects that have a weakness in truth, in their verdict, and in both.
type NameCount struct {
	True  int `json:"true"`
	Named int `json:"named"`
	Both  int `json:"both"`
}

// Unknown grades verdicts on subjects whose true family is unclassified, because none of the families describes them. A
// flagged misfit is a check of predictions that the rival layouts failed.
type Unknown struct {
	N            int   `json:"n"`
	Unclassified int   `json:"unclassified"` // the verdict is unclassified
	Misfit       int   `json:"misfit"`       // the verdict is a family, with a flagged misfit
	Wrong        int   `json:"wrong"`        // the verdict is a family, without a flagged misfit
	Confident    int   `json:"confident"`    // those of Wrong with a weight of at least Confident
	Cautious     Share `json:"cautious"`     // share of subjects that are not counted in Confident
}

// Confident is the least weight of a verdict that counts as confident.
const Confident = 0.9

// namedFrom is the least probability of a weakness that counts as named.
const namedFrom = 0.5

// A VerdictRow is the verdict on one subject, with its truth.
type VerdictRow struct {
	Name  string
	Truth agents.Truth
	compare.Verdict
	Right          bool // the family is right, as docs/reference/scoring.md defines it
	TrueWeaknesses []string
	WeaknessNames  []string // named by the verdict, most probable first
	WeaknessRight  int
	Published      *PublishedVerdict
	Design         *PublishedDesign

	details map[string]string // weakness → what the verdict says about it besides the name
	colour  string            // the true colour, if colour is a true weakness
}

// gradeVerdicts grades the verdicts, if there are any.
func gradeVerdicts(s *Scores, in Input, k *key) error {
	if in.Result.Verdicts == nil {
		return nil
	}
	seen := map[string]bool{}
	g := newVerdicts()
	for _, v := range in.Result.Verdicts.Subjects {
		truth, known := k.truths[v.Subject]
		if !known && in.Sealed != nil || seen[v.Subject] {
			return fmt.Errorf("score: classification of subject %s: no such subject in the public data, or twice", v.Subject)
		}
		seen[v.Subject] = true
		g.Rows = append(g.Rows, newVerdictRow(k, truth, v))
	}
	for _, id := range in.Public.Subjects {
		if truth := k.truths[id]; truth.Family != "" && !seen[id] { // no candidate explains it: that counts as unclassified, and not as absent
			none := compare.Verdict{Subject: id, Family: compare.Unclassified, Leading: compare.Unclassified, HasOP: 0.5, Unclassified: "no candidate explains the responses"}
			g.Rows = append(g.Rows, newVerdictRow(k, truth, none))
		}
	}
	sortByName(g.Rows, func(r VerdictRow) string { return r.Name })
	s.Verdicts, g.Types, g.TypesOf = g, k.published.Types, len(k.published.Design)
	if in.Sealed == nil {
		return nil
	}
	graded := slices.DeleteFunc(slices.Clone(g.Rows), func(r VerdictRow) bool { return r.Truth.Family == "" })
	g.grade(graded)
	if designed := asDesigned(graded); designed != nil {
		g.Printed = newVerdicts()
		g.Printed.grade(designed)
	}
	return nil
}

func newVerdicts() *Verdicts {
	return &Verdicts{Confusion: map[string]map[string]int{}, Flagged: map[string]Share{}, Groups: map[string]Share{}, Named: Named{Names: map[string]NameCount{}}}
}

// grade grades rows by their truths.
func (g *Verdicts) grade(rows []VerdictRow) {
	g.gradeFamilies(rows)
	g.gradeWeaknesses(rows)
	g.gradeHasOP(rows)
}

// asDesigned returns the rows that have a published design, which takes the place of the truth: of object permanence yes and no alone
// count.
func asDesigned(rows []VerdictRow) (out []VerdictRow) {
	for _, r := range rows {
		if r.Design == nil || r.Design.Family == "" {
			continue
		}
		r.Truth = agents.Truth{Family: r.Design.Family, HasOP: strings.ToLower(r.Design.HasOP), Weakness: r.Design.Names}
		r.know()
		out = append(out, r)
	}
	return out
}

func newVerdictRow(k *key, truth agents.Truth, v compare.Verdict) VerdictRow {
	r := VerdictRow{Name: k.name(v.Subject), Truth: truth, Verdict: v, details: map[string]string{}}
	r.Published, r.Design = k.published.verdict(r.Name), k.published.design(r.Name)
	for _, w := range v.Weaknesses {
		if w.Probability < namedFrom {
			continue
		}
		for _, n := range parseWeaknesses(w.Name) {
			if _, there := r.details[n.name]; !there {
				r.WeaknessNames = append(r.WeaknessNames, n.name)
			}
			r.details[n.name] += " " + n.detail + " " + strings.ToLower(w.Statement)
		}
	}
	r.know()
	return r
}

// know sets what follows from the row's truth and its verdict.
func (r *VerdictRow) know() {
	r.Right, r.TrueWeaknesses, r.WeaknessRight, r.colour = Correct(r.Truth.Family, &r.Verdict), nil, 0, ""
	for _, w := range parseWeaknesses(r.Truth.Weakness) {
		r.TrueWeaknesses = append(r.TrueWeaknesses, w.name)
		if w.name == "colour" {
			r.colour = w.detail
		}
	}
	for i, n := range r.WeaknessNames {
		if i < len(r.TrueWeaknesses) && slices.Contains(r.TrueWeaknesses, n) {
			r.WeaknessRight++
		}
	}
}

// Correct says whether the agent type of a verdict is correct: it is the true one, or the truth is unclassified and
// the verdict has a flagged misfit.
func Correct(truth string, v *compare.Verdict) bool {
	return v.Family == truth || truth == compare.Unclassified && len(v.Misfit) > 0
}

func (g *Verdicts) gradeFamilies(rows []VerdictRow) {
	flagged, groups := map[string]*tallyShare{}, map[string]*tallyShare{}
	var right, fraud, cannot tallyShare
	add := func(m map[string]*tallyShare, key string, held bool) {
		if m[key] == nil {
			m[key] = &tallyShare{}
		}
		m[key].add(held)
	}
	for i := range rows {
		r := &rows[i]
		right.add(r.Right)
		if r.Truth.Family == compare.Fraudster {
			fraud.add(r.Right)
		}
		cannot.add(r.Family == compare.Unclassified)
		add(flagged, r.Truth.Family, len(r.Misfit) > 0)
		for _, group := range r.Truth.Groups {
			add(groups, group, r.Right)
		}
		if g.Confusion[r.Truth.Family] == nil {
			g.Confusion[r.Truth.Family] = map[string]int{}
		}
		g.Confusion[r.Truth.Family][r.Family]++
	}
	g.FamiliesRight, g.Subjects, g.FraudstersRight, g.Fraudsters = right.covered, right.n, fraud.covered, fraud.n
	if share := right.share(); share != nil {
		g.Interval = &share.Interval
	}
	g.CannotSay = cannot.share()
	for _, f := range slices.Sorted(maps.Keys(flagged)) {
		g.Flagged[f] = *flagged[f].share()
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		g.Groups[name] = *groups[name].share()
	}
	g.Unknown = gradeUnknown(rows)
}

func gradeUnknown(rows []VerdictRow) *Unknown {
	u := &Unknown{}
	var cautious tallyShare
	for i := range rows {
		r := &rows[i]
		if r.Truth.Family != compare.Unclassified {
			continue
		}
		u.N++
		confident := false
		switch {
		case r.Family == compare.Unclassified:
			u.Unclassified++
		case len(r.Misfit) > 0:
			u.Misfit++
		default:
			u.Wrong++
			if confident = r.Weight >= Confident; confident {
				u.Confident++
			}
		}
		cautious.add(!confident)
	}
	if u.N == 0 {
		return nil
	}
	u.Cautious = *cautious.share()
	return u
}

func (g *Verdicts) gradeWeaknesses(rows []VerdictRow) {
	var precision, recall, colours tallyShare
	count := func(name string, change func(*NameCount)) {
		c := g.Named.Names[name]
		change(&c)
		g.Named.Names[name] = c
	}
	for i := range rows {
		r := &rows[i]
		g.Weaknesses += len(r.TrueWeaknesses)
		g.WeaknessesRight += r.WeaknessRight
		for _, n := range r.TrueWeaknesses {
			named := slices.Contains(r.WeaknessNames, n)
			recall.add(named)
			count(n, func(c *NameCount) {
				c.True++
				if named {
					c.Both++
				}
			})
		}
		if r.Truth.Family != compare.Unclassified { // if it is, the true weaknesses are not known
			for _, n := range r.WeaknessNames {
				precision.add(slices.Contains(r.TrueWeaknesses, n))
				count(n, func(c *NameCount) { c.Named++ })
			}
		}
		if r.colour != "" && slices.Contains(r.WeaknessNames, "colour") {
			colours.add(strings.Contains(r.details["colour"], r.colour))
		}
	}
	g.Named.Precision, g.Named.Recall, g.Colours = precision.share(), recall.share(), colours.share()
}

// gradeHasOP computes the Brier score over the subjects whose truth says yes or no to object permanence.
func (g *Verdicts) gradeHasOP(rows []VerdictRow) {
	var squares []float64
	for i := range rows {
		r := &rows[i]
		if y, ok := map[string]float64{"yes": 1, "no": 0}[r.Truth.HasOP]; ok {
			squares = append(squares, float64((r.HasOP-y)*(r.HasOP-y)))
		}
	}
	if g.HasOPSubjects = len(squares); len(squares) > 0 {
		brier := num.Mean(squares)
		g.HasOPBrier = &brier
	}
}
