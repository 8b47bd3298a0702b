package score

import (
	"fmt"

	"achilles/infer"
)

// A Doubt is something that is wrong with a result, or may be: it stands before the numbers.
type Doubt struct {
	About string // a subject, or what else it concerns
	Text  string
}

// Doubts are what is known to be wrong, the gravest first: what is not graded, truths that were missed, subjects that no rival
// explains, the warnings of the fits, and how the fits ran.
func (s *Scores) Doubts() (out []Doubt) {
	for _, n := range s.Notes {
		out = append(out, Doubt{"Not graded", n})
	}
	for _, p := range s.graded(overall, "") {
		if p.missed() {
			mean, sd := p.reported()
			out = append(out, Doubt{p.Name, fmt.Sprintf("%s is %s, but the truth is %s", p.Parameter, meanSD(mean, sd), meanOf(*p.Truth, sd))})
		}
	}
	out = append(out, s.unexplained()...)
	for _, w := range s.Warnings {
		about := w.Subject
		if w.Rows == infer.FitRows {
			about += ", predictions"
		}
		out = append(out, Doubt{about, w.Message})
	}
	if d := s.Diagnostics; d.Divergences+d.Replaced > 0 {
		out = append(out, Doubt{"Fits", fmt.Sprintf("%d divergences in %d fits; in %d the chains disagreed and were replaced by the mode-moving engine", d.Divergences, d.Fits, d.Replaced)})
	}
	return out
}

// unexplained are the subjects whose verdict is open or does not fit.
func (s *Scores) unexplained() (out []Doubt) {
	if s.Verdicts == nil {
		return nil
	}
	for i := range s.Verdicts.Rows {
		r := &s.Verdicts.Rows[i]
		if r.CannotTell != "" {
			out = append(out, Doubt{r.Name, r.CannotTell})
		}
		for _, m := range r.Misfit {
			out = append(out, Doubt{r.Name, m.Statement})
		}
	}
	return out
}
