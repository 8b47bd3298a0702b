// Package power computes which subjects, and which kinds of subjects, a battery can tell apart. It computes, for each
// subject and every other family, the expected log Bayes factor of the subject against the member of that family that
// responds most like the subject. If the factor is 0, no inference can tell the two apart. Of pairs of subjects it computes
// the probability that a number of items tells them apart.
package power

import (
	"cmp"
	"fmt"
	"slices"

	"achilles/agents"
	"achilles/battery"
	"achilles/scenarios/scenario"
)

// A Subject has the probability that a subject of a scenario passes each item.
type Subject struct {
	Name, Family string
	Weaknesses   []string // as the truth names them, sorted
	P            []float64
}

// Subjects returns the subjects of a scenario that respond by rules, drawn with the seed root. Subjects with bodies
// or programs are left out, because their pass probabilities are not known.
func Subjects(s *scenario.Scenario, b *battery.Battery, root uint64) ([]Subject, error) {
	specs, err := s.Subjects(root)
	if err != nil {
		return nil, err
	}
	items := scenario.ItemsOf(b)
	var out []Subject
	for i := range specs {
		if len(specs[i].Rule) == 0 {
			continue
		}
		a, err := agents.Compile(&specs[i], items)
		if err != nil {
			return nil, s.Place(err)
		}
		subject := Subject{Name: specs[i].Name, Family: specs[i].Truth.Family, Weaknesses: weaknesses(specs[i].Truth), P: make([]float64, b.Items.Len())}
		for k := range subject.P {
			subject.P[k] = a.P(k)
		}
		out = append(out, subject)
	}
	return out, nil
}

// A Rival is the member of a family that responds most like a subject.
type Rival struct {
	Family, Shape string
	Evidence      float64   // expected log Bayes factor of the subject against the rival, in nats
	Rates         []float64 // the rival's pass probability in each cell of the shape
	cell          []int     // item → cell
	composed      bool      // the rival is a member of a Composition, with a cell for each pair of cells of its components
}

// P returns the rival's pass probability on each item.
func (r Rival) P() []float64 {
	p := make([]float64, len(r.cell))
	for i, c := range r.cell {
		p[i] = r.Rates[c]
	}
	return p
}

// Nearest returns one rival for every family but the subject's own, the most similar first.
func Nearest(s Subject, shapes []Shape) []Rival {
	best := map[string]Rival{}
	for i := range shapes {
		if shapes[i].Family == s.Family {
			continue
		}
		r := shapes[i].nearest(s.P)
		if b, there := best[r.Family]; !there || r.Evidence < b.Evidence {
			best[r.Family] = r
		}
	}
	var out []Rival
	for _, f := range agents.Families() {
		if r, there := best[f]; there {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Rival) int { return cmp.Compare(a.Evidence, b.Evidence) })
	return out
}

// String returns the shape and, unless the rival has two components, the rates.
func (r Rival) String() string {
	if r.composed {
		return r.Shape
	}
	s := r.Shape + " at"
	for _, x := range r.Rates {
		s += fmt.Sprintf(" %.2f", x)
	}
	return s
}
