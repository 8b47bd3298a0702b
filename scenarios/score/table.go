package score

import (
	"fmt"
	"slices"

	"achilles/infer"
)

// stacked says whether any profile has a posterior over all rivals.
func (s *Scores) stacked() bool {
	return slices.ContainsFunc(s.Profiles, func(p Profile) bool { return p.Stacked != nil })
}

// doubts returns a footnote that names the graded subjects with a warning about a capability. It returns none if there
// are no such subjects.
func doubts(s *Scores, capability string) []string {
	var who []string
	for _, p := range s.graded(overall, capability) {
		// a misfit is about the layout as a whole, so that its mark is beside the subject's profile
		concerns := func(w *Warning) bool { return w.Parameter == capability || w.Parameter == "" && w.Kind != Misfit }
		if len(warnings(s, p.Name, infer.AllRows, p.Stacked != nil, concerns)) > 0 {
			who = append(who, p.Name)
		}
	}
	if who == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s: the posterior of %s has a warning (see the profiles)", capability, firstOf(who, 20))}
}

// warnings returns the warnings about one fit of a subject for which the function wanted returns true, without minor
// ones. rows is infer.AllRows for the fit that gives the profile, or infer.FitRows for the one that gives predictions.
// If stacked is true, it returns warnings of kind OffTruth only, because all others are about the fit of the one
// layout.
func warnings(s *Scores, subject, rows string, stacked bool, wanted func(w *Warning) bool) (details []string) {
	for _, w := range s.WarningsOf(subject) {
		if w.Rows == rows && !w.Minor() && (!stacked || w.Kind == OffTruth) && wanted(w) {
			details = append(details, fmt.Sprintf("%s: %s", subject, w.Detail))
		}
	}
	return details
}

func wholeFit(w *Warning) bool { return w.Parameter == "" }
