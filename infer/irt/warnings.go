package irt

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/infer/mml"
	judging "achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/record"
)

// A Warning says what is not to be trusted.
type Warning struct {
	Kind string // one of those below, or of package infer/table where the table itself is doubtful
	Text string // sentences
}

// Kinds of warnings about a fit. All are in docs/guide/warnings.md.
const (
	NotConverged     = "not-converged" // there is no maximum, or it was not reached
	PerfectOrder     = judging.PerfectOrder
	FewSubjects      = "few-subjects"      // too few for the model's parameters
	FewItems         = "few-items"         // too few for abilities
	AtBound          = "at-bound"          // estimates of items at a bound
	FlatSlopes       = "flat-slopes"       // slopes that cannot be distinguished from 0
	SeveralAbilities = "several-abilities" // pairs of items that go together, or apart, beyond one ability
	Misfit           = "misfit"            // the model does not describe the responses
	Repeated         = "repeated"          // several responses of a subject to an item
	AbsentCategories = "absent-categories" // categories of an item that nobody gave
	MedianSplit      = "median-split"      // groups that were made of a number
	SmallGroup       = "small-group"       // a group of few subjects
	NoGroup          = "no-group"          // subjects without a group
	NotJudged        = "not-judged"        // a table that is too large to be judged before any model
)

// Limits of warnings.
const (
	mostExpanded = 1 << 22 // responses of all subjects for whom rows stand, up to which these are judged
	atZero       = 0.05    // spread, in log odds, that is no more than 0
	enoughGain   = 1e-5    // of the log likelihood, below which a climb has arrived, as in package infer/mml
	fewestItems  = 5       // below which a test is short
	leastSpread  = 0.3     // reliability below which subjects are not ranked, as in package infer/table
)

// fewest is the number of subjects below which the parameters of a model are not to be trusted.
func fewest(m mml.Model) float64 {
	switch m {
	case mml.Rasch, mml.Partial:
		return 100
	case mml.ThreePL:
		return 1000
	}
	return enough
}

// everybody returns the data with a subject for each for whom a row stands, all of a row under its name; nil: they are too many.
func (in *input) everybody(d *record.Dataset) *record.Dataset {
	w := in.data.Weight
	if w == nil {
		return d
	}
	total := 0.0
	for s := range d.Subjects {
		total += float64(w[s] * float64(len(d.Responses.Of(s))))
	}
	if total > mostExpanded {
		in.note(NotJudged, "Rows stand for so many subjects that the search for subjects with like responses, reversed items and blanks was left out.")
		return nil
	}
	out := *d
	out.Subjects = nil
	var list []record.Response
	for s, name := range d.Subjects {
		for range int(w[s]) {
			for _, r := range d.Responses.Of(s) {
				r.Subject = int32(len(out.Subjects))
				list = append(list, r)
			}
			out.Subjects = append(out.Subjects, name)
		}
	}
	out.Responses = record.PackResponses(list)
	return &out
}

// warn collects what is not to be trusted, the gravest first.
func (a *Analysis) warn() {
	say := func(kind, format string, args ...any) {
		a.Warnings = append(a.Warnings, Warning{kind, fmt.Sprintf(format, args...)})
	}
	if !a.Fit.Converged && a.Fit.Gain < enoughGain {
		say(NotConverged, "The responses do not determine all parameters: at the maximum, the log likelihood is flat in some direction. Do not trust these numbers; choose a model with fewer parameters.")
	} else if !a.Fit.Converged {
		say(NotConverged, "The fit did not converge: a further step would add %.2g to the log likelihood. Do not trust these numbers; choose a model with fewer parameters.", a.Fit.Gain)
	}
	a.judged(true)
	a.spread()
	if n := a.in.subjects; n < fewest(a.Model) {
		a.beside["subjects"] = fmt.Sprintf("the parameters of %s are poorly estimated from fewer than %g", a.Model, fewest(a.Model))
		say(FewSubjects, "%s: %s. Standard errors are too small, and tests may miss what is wrong.", num.Counted(int(n), "subject"), a.beside["subjects"])
	}
	if len(a.in.items) < fewestItems {
		say(FewItems, "%s: abilities are poorly estimated, and tests of fit have little power.", num.Counted(len(a.in.items), "item"))
	}
	if a.in.names == nil {
		a.Warnings = append(a.Warnings, newDependence(a).warn()...)
	}
	a.items()
	a.judged(false)
	if r := a.in.data.Alike; r > 0 {
		say(Repeated, "Responses of a subject to one item are alike beyond ability: they correlate by %.2f (SE %.2f), so that n of them count as n/(1 + %.2f·(n − 1)). Log likelihood, AIC and BIC use these numbers.", r, a.alike.SE, r)
	}
	a.Warnings = append(a.Warnings, a.in.notes...)
}

// Has reports whether there is a warning of a kind.
func (a *Analysis) Has(kind string) bool {
	return slices.ContainsFunc(a.Warnings, func(w Warning) bool { return w.Kind == kind })
}

// judged adds what the table itself cannot tell: what is grave, or the rest. What the fit says better is left out.
func (a *Analysis) judged(grave bool) {
	if a.Judged == nil {
		return
	}
	for _, f := range a.Judged.Findings {
		if f.Grave != grave || f.Kind == judging.ConstantItems || f.Kind == judging.HardlyDiffer || f.Kind == judging.PerfectOrder && a.Has(PerfectOrder) {
			continue
		}
		meaning := f.Meaning
		switch f.Kind {
		case judging.Clustered:
			if !grave || f.By == a.Settings.Abilities || f.By == judging.Item { // the model has an ability of its own for each of its values, and counts repetitions as what they are
				continue
			}
			meaning, _, _ = strings.Cut(meaning, "; infer")
			meaning += "; standard errors here are not widened"
		case judging.Disconnected:
			meaning = "responses compare subjects and items within a part only; across parts they are compared only by the assumption that all are draws from one population"
		case judging.OneSided:
			meaning, _, _ = strings.Cut(meaning, ",") // how far beyond it, the model's population says
		case judging.Reversed:
			meaning = "subjects who do well on the other items do badly on these"
		}
		if a.in.data.Weight != nil && len(f.Names) > 0 && f.Of != len(a.Data.Items.ID) {
			f.What = fmt.Sprintf("%d %s", f.Count, f.What)
			f.Names = slices.Compact(slices.Clone(f.Names)) // once for all for whom a row stands
		}
		text := upper(f.Statement()) + ": " + meaning
		if f.Remedy != "" && (a.in.data.Weight == nil || f.Kind == judging.Reversed) {
			text += ". " + f.When + ": " + f.Remedy
		}
		a.Warnings = append(a.Warnings, Warning{f.Kind, text + "."})
	}
}

// spread warns of abilities that hardly differ, or differ without end.
func (a *Analysis) spread() {
	say := func(kind, text string, columns ...string) {
		for _, c := range columns {
			a.beside[c] = strings.TrimSuffix(text, ".")
		}
		a.Warnings = append(a.Warnings, Warning{kind, upper(text)})
	}
	rel := a.Fit.Reliability(a.scores, 0)
	switch {
	case perfect(a):
		say(PerfectOrder, "the standard deviation of abilities is at its bound: items and subjects are ordered (almost) without exception, as in a Guttman scale, and distances between them are not known.", "spread", "reliability")
	case a.Flat():
		say(judging.HardlyDiffer, "subjects do not differ beyond chance: the standard deviation of abilities is at its bound of 0. Do not rank them.", "spread", "reliability")
	case a.in.names == nil && rel.Empirical >= leastSpread && flatAll(a):
		say(judging.HardlyDiffer, fmt.Sprintf("subjects hardly differ, do not rank them: no slope can be distinguished from 0, and success rates differ hardly more than by chance; the reliability of %.2f is that of slopes that follow chance.", rel.Empirical), "reliability")
	case a.in.names == nil && rel.Empirical < leastSpread:
		say(judging.HardlyDiffer, fmt.Sprintf("subjects hardly differ: reliability %.2f, and chance alone explains most of their differences. Do not rank them.", rel.Empirical), "reliability")
	}
}

// perfect reports whether the one slope of all items is at its upper bound.
func perfect(a *Analysis) bool {
	return a.Model.OneSlope() && !slices.ContainsFunc(a.Fit.Items, func(it mml.Item) bool { return it.Bound == "" })
}

// flatAll reports whether no item's slope can be distinguished from 0 at the level of all together (Bonferroni), but for those at a bound, which one item alone
// may bring about, and subjects hardly differ before any model.
func flatAll(a *Analysis) bool {
	if a.Model.OneSlope() || a.Judged == nil || !slices.ContainsFunc(a.Judged.Findings, func(f judging.Finding) bool { return f.Kind == judging.HardlyDiffer }) {
		return false
	}
	limit := num.NormalQuantile(1 - alpha/float64(2*len(a.Fit.Items)))
	return !slices.ContainsFunc(a.Fit.Items, func(it mml.Item) bool {
		return it.Bound == "" && len(it.Slope) > 0 && math.Abs(it.Slope[0]) > limit*it.SlopeSE[0]
	})
}

// Flat reports whether the spread of abilities is at its bound of 0.
func (a *Analysis) Flat() bool {
	return a.Model.OneSlope() && len(a.Fit.Correlations) == 1 && a.Fit.Spread < atZero
}

// spreadSE returns the standard error of the spread; 0: there is none, as at a bound.
func spreadSE(a *Analysis) float64 {
	if a.Flat() {
		return 0
	}
	return a.Fit.SpreadSE
}

// items warns of estimates of items.
func (a *Analysis) items() {
	var bound, weak, constant []string
	for k, i := range a.in.items {
		it, name := &a.Fit.Items[k], a.Data.Items.ID[i]
		if it.Bound != "" && !perfect(a) {
			bound = append(bound, name)
			a.doubt(i, it.Bound)
		}
		if len(it.Slope) == 1 && it.SlopeSE[0] > 0 && !a.Model.OneSlope() && math.Abs(it.Slope[0]) < 2*it.SlopeSE[0] {
			weak = append(weak, name)
			a.doubt(i, "its slope cannot be distinguished from 0, so that its difficulty is not determined")
		}
	}
	for _, i := range a.in.constant {
		constant = append(constant, a.Data.Items.ID[i])
		a.doubt(i, "only one response: its difficulty has only a bound, and the item is left out")
	}
	several := func(kind string, names []string, what string) {
		if len(names) > 0 {
			a.Warnings = append(a.Warnings, Warning{kind, listed(names) + ": " + what + "."})
		}
	}
	several(judging.ConstantItems, constant, "all responses are the same, so the item says nothing about subjects and is left out")
	several(AtBound, bound, "an estimate is at its bound: the likelihood is highest where it is infinite (or 0)")
	several(FlatSlopes, weak, "slopes cannot be distinguished from 0, so that difficulties are not determined")
	if a.Judged == nil {
		return
	}
	for i, name := range a.Data.Items.ID {
		if !slices.Contains(a.in.constant, i) {
			a.about[i] = append(a.about[i], a.Judged.Items[name]...)
		}
	}
}

// doubts returns what is doubtful about a subject before any model.
func doubts(a *Analysis, subject string) []string {
	if a.Judged == nil {
		return nil
	}
	list := slices.Clone(a.Judged.Subjects[subject])
	slices.Sort(list) // once for each of several for whom a row stands
	return slices.Compact(list)
}

// apart returns a sentence about parts of the table that nothing connects; none: all are connected.
func apart(a *Analysis) []string {
	if a.part != "" {
		return []string{a.part}
	}
	if a.Judged == nil {
		return nil
	}
	if s := judging.Apart(a.Judged.Findings); s != "" {
		return []string{s}
	}
	return nil
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func (a *Analysis) doubt(item int, text string) { a.about[item] = append(a.about[item], text) }

// listed returns the first, 2 before 10, names and how many more there are.
func listed(names []string) string {
	const few = 5
	slices.SortFunc(names, record.CompareNames)
	if len(names) > few {
		return strings.Join(names[:few], ", ") + fmt.Sprintf(" and %d more", len(names)-few)
	}
	return strings.Join(names, ", ")
}
