package score

import (
	"fmt"

	"achilles/infer"
	"achilles/sim/num"
)

// A Doubt is a fault of a result, or a possible one, which a reader must know before the numbers.
type Doubt struct {
	About string // name of a subject, or another topic
	Text  string
}

// Doubts lists the known faults, the gravest first: what is not graded, the warnings that are not minor, and the
// numbers of divergences and replaced fits.
func (s *Scores) Doubts() (out []Doubt) {
	for _, n := range s.Notes {
		out = append(out, Doubt{"Not graded", n})
	}
	for _, w := range s.Warnings {
		if w.Minor() {
			continue
		}
		about := w.Subject
		if w.Rows == infer.FitRows {
			about += ", predictions"
		}
		out = append(out, Doubt{about, w.Detail})
	}
	if d := s.Diagnostics; d.Divergences+d.Replaced > 0 {
		out = append(out, Doubt{"Fits", fmt.Sprintf("%s in %s; %s resampled with the tempered sampler", num.Counted(d.Divergences, "divergent transition"), num.Counted(d.Fits, "fit"), num.Counted(d.Replaced, "fit"))})
	}
	return out
}
