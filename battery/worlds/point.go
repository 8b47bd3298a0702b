package worlds

import (
	"fmt"
	"slices"
	"strings"

	"achilles/battery"
)

// A point is one combination of levels, which an item must have.
type point struct {
	*paradigm
	occluder, congruent bool
	hidden              int // ticks for which the reward cannot be seen
	positions           int // number of wells, without the right one and without those that a box visits
	size                int // 100 times goalSize
	distance            int // in cells, without diagonals
	side                int // −1 left, 0 ahead, 1 right
	colour              int // index of goalColours

	lava, ramp, platform, transparent bool
	bounce, displaced                 bool // bounce: the reward is seen to move; displaced: it moves while it cannot be seen
	wall                              int  // index of the colour of what stands at the places

	// loads say how much of the paradigm's abilities the item asks for, in the order of paradigm.load; the first is 1 if it is all or
	// nothing, and those beyond are 0.
	loads [mostLoads]int
}

// mostLoads is the largest number of loads of a paradigm.
const mostLoads = 2

// pointAt returns the point with a level of every factor, by index.
func (c *Coding) pointAt(factors levels, level []int) point {
	p := point{paradigm: c.paradigm(factors[0].Text[level[0]]), loads: [mostLoads]int{1}}
	for i, f := range factors[1:] {
		if f.Text == nil {
			p.set(f.Name, f.Number[level[i+1]])
		} else if k := slices.Index(c.factors[i+1].Text, f.Text[level[i+1]]); f.Name == "goalColour" {
			p.colour = k
		} else {
			p.wall = k
		}
	}
	if p.positions == 0 && len(p.asks) > 0 { // the loads say how many wells there are
		for _, n := range p.loads {
			p.positions += n
		}
	}
	p.displaced = p.displaced && p.occluder && p.positions == 0
	return p
}

// set sets the level of a factor.
func (p *point) set(factor string, x float64) {
	for _, f := range [...]struct {
		name string
		to   *bool
	}{
		{"occluder", &p.occluder}, {"congruent", &p.congruent}, {"lava", &p.lava}, {"ramp", &p.ramp}, {"platform", &p.platform},
		{"transparent", &p.transparent}, {"bounce", &p.bounce}, {"displaced", &p.displaced},
	} {
		if f.name == factor {
			*f.to = x != 0
		}
	}
	for _, f := range [...]struct {
		name string
		to   *int
		unit float64
	}{
		{"timeUnderOcclusion", &p.hidden, TicksPerTime}, {"numPositions", &p.positions, 1}, {"goalSize", &p.size, 100},
		{"goalDistance", &p.distance, 1.0 / UnitsPerCell}, {"rightLeft", &p.side, 1},
	} {
		if f.name == factor {
			*f.to = whole(x * f.unit)
		}
	}
	if k := p.load(factor); k >= 0 {
		p.loads[k] = whole(x)
	}
}

// loadOf returns how much of an ability a test asks for. Of an ability of other paradigms it is as much as of the first of
// its own.
func (p *point) loadOf(b ability) int {
	if b.factor.Name == "" {
		return 1
	}
	return p.loads[max(p.load(b.factor.Name), 0)]
}

// kind returns the name of the kind of item, such as tubes-test.
func (p *point) kind() string {
	switch {
	case !p.occluder:
		return p.name + "-control"
	case p.congruent:
		return p.name + "-congruent"
	case p.loads[0] == 0:
		return p.name + "-free"
	}
	return p.name + "-test"
}

// described returns the levels of a point as text.
func (b *block) described(level []int) string {
	var words []string
	for f, l := range level {
		if b.factors[f].Text != nil {
			words = append(words, b.factors[f].Name+" "+b.factors[f].Text[l])
		} else {
			words = append(words, fmt.Sprintf("%s %v", b.factors[f].Name, b.factors[f].Number[l]))
		}
	}
	return strings.Join(words, ", ")
}

// levels are factors with the levels of a design.
type levels []battery.Factor

// of returns the factor of that name. It panics if there is none.
func (l levels) of(name string) *battery.Factor {
	return &l[slices.IndexFunc(l, func(f battery.Factor) bool { return f.Name == name })]
}

// only leaves the useful levels of a factor; the error says why the others are not if none is left.
func (l levels) only(name string, useful func(float64) bool, why string) error {
	f := l.of(name)
	f.Number = slices.DeleteFunc(slices.Clone(f.Number), func(x float64) bool { return !useful(x) })
	if len(f.Number) == 0 {
		return fmt.Errorf("factor %s: %s", f.Name, why)
	}
	return nil
}

// congruent makes some of so many items congruent, where a design has both kinds: as many as leave who sees what happens, and lacks what the paradigm
// is about, no better way than chance among the places that the event singles out. If fewer were, to go elsewhere than the mistake leads would pay.
func congruent(some, of int) func(levels) error {
	return func(l levels) error {
		if f := l.of("congruent"); slices.Contains(f.Number, 0) && slices.Contains(f.Number, 1) {
			f.Number = nil
			for i := range of {
				f.Number = append(f.Number, float64(is(i < some)))
			}
		}
		return nil
	}
}
