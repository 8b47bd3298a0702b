package score

import (
	"fmt"
	"slices"

	"achilles/infer"
)

// ProfileTable returns a table with one row for each subject with the posterior mean ± sd of every parameter, and below
// it a row of published values if there are any. It returns nil if there are no profiles.
func (s *Scores) ProfileTable() []byte {
	if len(s.Profiles) == 0 {
		return nil
	}
	t := textTable{title: "Profiles: posterior mean ± sd"}
	if s.stacked() {
		t.title += ", over all rival layouts by weight"
		t.foot = append(t.foot, "≥: at least so much at 90 %; in brackets the probability that it is the maximum")
	}
	t.head = append(append([]string{"subject"}, s.Parameters()...), logEvidence)
	sourced := false
	for rest := s.Profiles; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Name == rest[0].Name {
			n++
		}
		ours, theirs, published := s.profileLines(&t, rest[:n])
		t.rows = append(t.rows, ours)
		if published {
			t.rows, sourced = append(t.rows, theirs), true
		}
		rest = rest[n:]
	}
	if sourced {
		t.sourced(s.Source)
	}
	return t.text()
}

// profileLines returns a subject's row and the row of its published values. published says whether there are any
// published values.
func (s *Scores) profileLines(t *textTable, profiles []Profile) (ours, theirs []string, published bool) {
	name := profiles[0].Name
	ours, theirs = []string{name + t.marks(s.warnings(name, infer.AllRows, false, wholeFit))}, []string{"  published"}
	for _, parameter := range t.head[1 : len(t.head)-1] {
		i := slices.IndexFunc(profiles, func(p Profile) bool { return p.Parameter == parameter })
		if i < 0 {
			ours, theirs = append(ours, "–"), append(theirs, "")
			continue
		}
		p := profiles[i]
		own := s.warnings(name, infer.AllRows, p.Stacked != nil, func(w *Warning) bool { return w.Parameter == parameter })
		ours = append(ours, p.text()+t.marks(own))
		cell := ""
		if p.Published != nil {
			cell, published = fmt.Sprintf("%g ±%g", p.Published[0], p.Published[1]), true
		}
		theirs = append(theirs, cell)
	}
	ours, theirs = append(ours, evidence(profiles[0])), append(theirs, "")
	return ours, theirs, published
}

// text returns the mean ± sd. If only a lower bound of the capability is known (Stacked.Bound), it returns this bound
// and the probability that the capability is at its maximum.
func (p *Profile) text() string {
	if q := p.Stacked; q != nil && q.Bound {
		return fmt.Sprintf("≥ %.2f (max %.2f)", q.Q5, q.AtMaximum)
	}
	return meanSD(p.Reported())
}

// evidence returns the log marginal likelihood of the layout that was inferred ± its standard error, or a dash if it is
// unknown.
func evidence(p Profile) string {
	if p.LogEvidence == nil || p.LogEvidenceSE == nil {
		return "–"
	}
	return fixed(*p.LogEvidence, 2) + " ±" + fixed(*p.LogEvidenceSE, 2)
}
