package score

import (
	"fmt"
	"maps"
	"slices"

	"achilles/infer"
	"achilles/infer/posterior"
	"achilles/sim/num"
)

// A Doubt is a fault of a result, or a possible one, which a reader must know before the numbers.
type Doubt struct {
	About string // name of a subject, or another topic
	Text  string
}

// mostOfAKind is the number of warnings of one kind that Doubts names; of the others it gives the number.
const mostOfAKind = 20

// Doubts lists the known faults, the gravest first: what is not graded, the warnings that are not minor, and the
// numbers of divergences and replaced fits.
func (s *Scores) Doubts() (out []Doubt) {
	named := map[posterior.Kind]int{}
	others := map[posterior.Kind][]string{} // subjects, one for each warning
	for _, n := range s.Notes {
		out = append(out, Doubt{"Not graded", n})
	}
	for _, w := range s.Warnings {
		if w.Minor() {
			continue
		}
		if named[w.Kind]++; named[w.Kind] > mostOfAKind {
			others[w.Kind] = append(others[w.Kind], w.Subject)
			continue
		}
		about := w.Subject
		if w.Rows == infer.FitRows {
			about += ", predictions"
		}
		out = append(out, Doubt{about, w.Detail})
	}
	for _, kind := range slices.Sorted(maps.Keys(others)) {
		n := len(others[kind])
		slices.Sort(others[kind])
		out = append(out, Doubt{string(kind), fmt.Sprintf("%s more of this kind, about %s; all: achilles show . warnings", num.Count(n), num.Counted(len(slices.Compact(others[kind])), "subject"))})
	}
	if d := s.Diagnostics; d.Divergences+d.Replaced > 0 {
		out = append(out, Doubt{"Fits", fmt.Sprintf("%s in %s; %s resampled with the tempered sampler", num.Counted(d.Divergences, "divergent transition"), num.Counted(d.Fits, "fit"), num.Counted(d.Replaced, "fit"))})
	}
	return out
}
