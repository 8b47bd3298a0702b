package score

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"achilles/infer"
	"achilles/infer/misfit"
	"achilles/infer/posterior"
	found "achilles/infer/table"
	"achilles/sim/record"
	"achilles/sim/table"
)

// A Warning says what is wrong with a number, or why there is none. Rows is infer.AllRows if the warning is about a
// profile, infer.FitRows if it is about predictions.
type Warning struct {
	Kind      posterior.Kind `json:"kind"`
	Subject   string         `json:"subject"`             // name of the subject
	Parameter string         `json:"parameter,omitempty"` // empty if the warning is about all parameters
	Rows      string         `json:"rows"`
	Detail    string         `json:"detail"`
}

// Kinds of warnings in addition to those of package posterior.
const (
	OffTruth     posterior.Kind = "off-truth"    // the posterior is too far from the truth (Profile.missed)
	Misfit       posterior.Kind = "misfit"       // the responses differ from what the model expects
	Unclassified posterior.Kind = "unclassified" // there is no verdict on the subject
	Alike        posterior.Kind = "alike"        // the responses agree with those of another subject beyond chance
	Replaced     posterior.Kind = "replaced"     // the tempered engine replaced the chains of NUTS
)

// Minor returns whether the number can be used in spite of the warning: another engine computed it, its interval was widened, few of
// its draws diverged, or items or subjects are named of which there is only a bound, or nothing.
func (w *Warning) Minor() bool {
	switch w.Kind {
	case Replaced, posterior.Widened, posterior.Divergent, found.NoResponse, found.ConstantItems, found.OneSided:
		return true
	}
	return false
}

// gravity returns the rank of a kind of warning, 0 for the gravest. A kind without its own rank is in the middle.
func (w *Warning) gravity() int {
	switch w.Kind {
	case posterior.NoResult:
		return 0
	case OffTruth, posterior.Kind(found.Disconnected):
		return 1
	case Misfit, Unclassified, Alike:
		return 2
	case Replaced, posterior.Widened:
		return 4
	case posterior.Divergent:
		return 5
	case found.NoResponse, found.ConstantItems, found.OneSided:
		return 6
	}
	return 3
}

// warn adds the warnings about the fits and, if the seal is open, about the profiles. It sorts all warnings by gravity,
// then by subject.
func warn(s *Scores, r *infer.Result, k *key) {
	s.Apart = found.Apart(r.Diagnostics.Findings)
	for i := range r.Diagnostics.Fits {
		f := &r.Diagnostics.Fits[i]
		s.Warnings = append(s.Warnings, fitWarnings(f, k)...)
		if s.Verdicts == nil && f.Misfit != nil { // with verdicts, all rivals together are checked instead
			s.Warnings = append(s.Warnings, failedChecks(k.name(f.Subject), f.Misfit.Failed)...)
		}
	}
	for _, p := range r.Diagnostics.Alike {
		s.Warnings = append(s.Warnings, Warning{Kind: Alike, Subject: k.name(p.Subject), Rows: infer.AllRows,
			Detail: fmt.Sprintf("responds like %s to %d of %d items, %.0f expected: copied, or alike in something that no model contains", k.name(p.Other), p.Agree, p.Of, p.Expected)})
	}
	for _, f := range r.Diagnostics.Findings {
		if f.Grave || isWarned(f) {
			s.Warnings = append(s.Warnings, Warning{Kind: posterior.Kind(f.Kind), Subject: infer.Everybody, Rows: infer.AllRows, Detail: f.Statement() + ": " + f.Advice()})
		}
	}
	for _, p := range s.graded(overall, "") {
		if mean, sd := p.Reported(); p.missed() {
			s.Warnings = append(s.Warnings, Warning{Kind: OffTruth, Subject: p.Name, Parameter: p.Parameter, Rows: infer.AllRows,
				Detail: fmt.Sprintf("%s is %s, but the truth is %s", p.Parameter, meanSD(mean, sd), meanOf(*p.Truth, sd))})
		}
	}
	s.Warnings = append(s.Warnings, unexplained(s)...)
	slices.SortStableFunc(s.Warnings, func(a, b Warning) int {
		return cmp.Or(cmp.Compare(a.gravity(), b.gravity()), record.CompareNames(a.Subject, b.Subject))
	})
}

// isWarned reports whether what a table cannot tell stands beside its numbers although nothing is to be done about it: subjects who are not to be ranked,
// what has only a bound, and links that rest on few.
func isWarned(f found.Finding) bool {
	switch f.Kind {
	case found.HardlyDiffer, found.PerfectOrder, found.WeakLink, found.NoResponse, found.ConstantItems, found.OneSided:
		return true
	}
	return f.Kind == found.Incomparable && f.Of > 1
}

// WarningsOf returns the warnings about a subject, in the order of Warnings, which does not change any more. Many goroutines may call it.
func (s *Scores) WarningsOf(subject string) []*Warning {
	s.indexed.Do(func() {
		s.warned = map[string][]*Warning{}
		for i := range s.Warnings {
			w := &s.Warnings[i]
			s.warned[w.Subject] = append(s.warned[w.Subject], w)
		}
	})
	return s.warned[subject]
}

// fitWarnings returns the warnings about one fit.
func fitWarnings(f *infer.Fit, k *key) (out []Warning) {
	add := func(kind posterior.Kind, parameter, detail string) {
		out = append(out, Warning{Kind: kind, Subject: k.name(f.Subject), Parameter: parameter, Rows: f.Rows, Detail: detail})
	}
	diverged := false
	for _, w := range f.Warnings {
		diverged = diverged || w.Kind == posterior.Divergent
		add(w.Kind, w.Parameter, w.Message)
	}
	if len(f.Replaced) > 0 {
		add(Replaced, "", "NUTS failed, resampled with the tempered sampler: "+strings.Join(f.Replaced, "; "))
	}
	if f.Divergences > 0 && !diverged {
		add(posterior.Divergent, "", fmt.Sprintf("%d of %d draws diverged", f.Divergences, f.Chains*f.Draws))
	}
	return out
}

// unexplained returns a warning for each subject without a verdict, and for each flagged misfit.
func unexplained(s *Scores) (out []Warning) {
	if s.Verdicts == nil {
		return nil
	}
	for i := range s.Verdicts.Rows {
		r := &s.Verdicts.Rows[i]
		if r.Unclassified != "" {
			out = append(out, Warning{Kind: Unclassified, Subject: r.Name, Rows: infer.AllRows, Detail: r.Unclassified})
		}
		out = append(out, failedChecks(r.Name, r.Misfit)...)
	}
	return out
}

// failedChecks returns a warning about the worst failed check, or none if no check failed. It leaves out the other
// failed checks of a subject, because they mostly say the same.
func failedChecks(name string, failed []misfit.Finding) []Warning {
	if len(failed) == 0 {
		return nil
	}
	return []Warning{{Kind: Misfit, Subject: name, Rows: infer.AllRows, Detail: failed[0].Statement}}
}

// warningTable returns the warnings, the gravest first; nil if there are none.
func warningTable(s *Scores) *table.Table {
	rows := make([]*Warning, len(s.Warnings))
	for i := range rows {
		rows[i] = &s.Warnings[i]
	}
	return table.Of(table.Table{Name: "warnings", Title: "Warnings, most serious first"}, rows, []table.Field[*Warning]{
		table.Col(table.Column{Name: "kind", Kind: table.Text}, func(w *Warning) table.Value { return table.String(string(w.Kind)) }),
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(w *Warning) table.Value { return table.Named(w.Subject) }),
		table.Col(table.Column{Name: "parameter", Kind: table.Text, Weight: 1}, func(w *Warning) table.Value { return table.Named(w.Parameter) }),
		table.Col(table.Column{Name: "fit", Kind: table.Text, Weight: 2, Doc: "all: fit to all responses, for profiles; fit: fit to the training responses, for predictions"}, func(w *Warning) table.Value { return table.Named(w.Rows) }),
		table.Col(table.Column{Name: "minor", Kind: table.Flag, Weight: 2, Doc: "the estimates are usable"}, func(w *Warning) table.Value { return table.Bool(w.Minor()) }),
		table.Col(table.Column{Name: "detail", Kind: table.Text, Prose: true}, func(w *Warning) table.Value { return table.String(w.Detail) }),
	})
}
