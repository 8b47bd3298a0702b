package tables

import (
	"fmt"
	"slices"
	"strings"
)

// pairs returns an error if each row compares two subjects, as judges of answers do: columns called alike but for an end of a and b or 1 and 2 have models or
// players, and another says which was better. Such a row is no response of a subject to an item.
func (p *surveyed) pairs() error {
	winner := p.named([]string{"winner", "preference", "preferred", "vote", "outcome", "result", "winnermodela"}, nil)
	if winner == "" {
		return nil
	}
	for _, c := range p.columns {
		for _, ends := range [][2]string{{"a", "b"}, {"1", "2"}, {"left", "right"}} {
			stem, ok := strings.CutSuffix(plain(c.name), ends[0])
			if !ok || c.numeric() || !slices.Contains(subjectNames(), stem) {
				continue
			}
			if other := p.named([]string{stem + ends[1]}, nil); other != "" {
				return fmt.Errorf("%s: each row compares two subjects (%s and %s; %s says which is better), and is no response of one subject to an item: fit a model of paired comparisons to it (such as Bradley–Terry), or import what each subject did by itself", p.src.Name, c.name, other, winner)
			}
		}
	}
	return nil
}
