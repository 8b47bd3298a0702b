package power

import (
	"slices"
	"strings"

	"achilles/agents"
	"achilles/battery"
)

// A Composition is a set of explanations with two components: a subject with two weaknesses, or a fraudster with one. It sorts the
// items into the cells of both.
type Composition struct {
	family string
	names  [2]string // weaknesses, in the words of a truth; sorted
	cell   [2][]int  // component → item → cell
	cells  [2]int    // number of cells of each component
}

// cheat is the weakness of a fraudster, in the words of a truth.
const cheat = "op"

// Compositions returns all pairs of components in the object-permanence scenarios: of the weaknesses and the shortcut of Shapes, and
// the distance of the reward. Each is a single component beside every other, so that they include what has one component only.
func Compositions(b *battery.Battery, shapes []Shape) ([]Composition, error) {
	m := &maker{b: b}
	m.weak("distance", "goalDistance > 16", "goalDistance > 32", "goalDistance > 40", "goalDistance > 48")
	for _, s := range shapes {
		if s.weak || s.Family != "achilles-heel" && len(s.low) == 2 {
			m.shapes = append(m.shapes, s)
		}
	}
	var out []Composition
	for i, x := range m.shapes {
		for _, y := range m.shapes[:i] {
			p := Composition{family: "achilles-heel", names: [2]string{x.weakness(), y.weakness()}, cell: [2][]int{x.cell, y.cell}, cells: [2]int{len(x.low), len(y.low)}}
			for _, f := range []string{x.Family, y.Family} {
				if f == "fraudster" || f == "context-specific" && p.family != "fraudster" {
					p.family = f
				}
			}
			slices.Sort(p.names[:])
			out = append(out, p)
		}
	}
	return out, m.err
}

// weakness returns what a truth calls the weakness of a shape.
func (s *Shape) weakness() string {
	if s.Family == "fraudster" {
		return cheat
	}
	return s.Name
}

// nearest returns the member of the pair that responds most like a subject with pass probabilities p. Its evidence is a lower
// bound: the pass rates fall from cell to cell of one component within each cell of the other, but need not be products. Of the
// two bounds, one for either order, it is the larger.
func (q *Composition) nearest(p []float64) Rival {
	entropy := 0.0
	for _, x := range p {
		entropy += float64(x*log(x)) + float64((1-x)*log(1-x))
	}
	best := Rival{Family: q.family, Shape: q.names[0] + " and " + q.names[1], Evidence: -1, composed: true}
	for k := range q.cell {
		inner, outer := q.cell[k], q.cell[1-k]
		cells := make([][]count, q.cells[1-k])
		for i := range cells {
			cells[i] = make([]count, q.cells[k])
		}
		for i, x := range p {
			c := &cells[outer[i]][inner[i]]
			c.n++
			c.sum += x
		}
		r := best
		r.Evidence, r.Rates, r.cell = entropy, nil, make([]int, len(p))
		for _, c := range cells {
			rates := pool(c)
			r.Evidence -= fit(c, rates)
			r.Rates = append(r.Rates, rates...)
		}
		for i := range p {
			r.cell[i] = outer[i]*q.cells[k] + inner[i]
		}
		if r.Evidence = max(0, r.Evidence); r.Evidence > best.Evidence {
			best = r
		}
	}
	return best
}

// BestWrong returns the wrong explanation that responds most like the subject. If the truth of the subject names two weaknesses
// of pairs, all pairs but these two are wrong; of every subject, all members of other families.
func BestWrong(s Subject, shapes []Shape, pairs []Composition) Rival {
	best := Nearest(s, shapes)[0]
	if !slices.ContainsFunc(pairs, func(p Composition) bool { return slices.Equal(p.names[:], s.Weaknesses) }) {
		return best
	}
	for i := range pairs {
		if p := &pairs[i]; !slices.Equal(p.names[:], s.Weaknesses) {
			if r := p.nearest(s.P); r.Evidence < best.Evidence {
				best = r
			}
		}
	}
	return best
}

// weaknesses returns the weaknesses that a truth names, sorted.
func weaknesses(t agents.Truth) []string {
	if t.Weakness == "" {
		return nil
	}
	return slices.Sorted(slices.Values(strings.Split(t.Weakness, " and ")))
}
