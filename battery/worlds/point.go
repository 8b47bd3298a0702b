package worlds

import (
	"fmt"
	"slices"

	"achilles/battery"
)

// A point is one combination of levels, which an item must have.
type point struct {
	paradigm
	occluder, congruent bool
	hidden              int // ticks for which the reward cannot be seen
	positions           int // number of wells, without the right one and without those that a box visits
	size                int // 100 times goalSize
	distance            int // in cells, without diagonals
	side                int // −1 left, 0 ahead, 1 right
	colour              int // index of goalColours
	// loads say how much of the paradigm's abilities the item asks for, in the order of paradigm.load; the first is 1 if it is all or
	// nothing, and those beyond are 0.
	loads [mostLoads]int
}

// mostLoads is the largest number of loads of a paradigm.
const mostLoads = 2

// pointAt returns the point with a level of every factor, by index.
func pointAt(p paradigm, factors levels, level []int) point {
	out := point{paradigm: p, loads: [mostLoads]int{1}}
	for i, f := range factors {
		if f.Name == "goalColour" {
			out.colour = slices.Index(goalColours[:], f.Text[level[i]])
		} else if f.Text == nil {
			out.set(f.Name, f.Number[level[i]])
		}
	}
	if out.positions == 0 { // the loads say how many wells there are
		for _, n := range out.loads {
			out.positions += n
		}
	}
	return out
}

// set sets the level of a factor.
func (p *point) set(factor string, x float64) {
	switch factor {
	case "occluder":
		p.occluder = x != 0
	case "congruent":
		p.congruent = x != 0
	case "timeUnderOcclusion":
		p.hidden = whole(x * TicksPerTime)
	case "numPositions":
		p.positions = whole(x)
	case "goalSize":
		p.size = whole(x * 100)
	case "goalDistance":
		p.distance = whole(x / UnitsPerCell)
	case "rightLeft":
		p.side = whole(x)
	default:
		if k := p.load(factor); k >= 0 {
			p.loads[k] = whole(x)
		}
	}
}

// impossible reports whether there can be no item with these levels.
func (p *point) impossible() bool { return p.never != nil && p.never(p) }

// loadOf returns how much of an ability a test asks for. Of an ability of other paradigms it is as much as of the first of
// its own.
func (p *point) loadOf(b ability) int {
	return p.loads[max(p.load(b.factor.Name), 0)]
}

// task returns the name of the kind of item, such as tubes-test.
func (p *point) task() string {
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

// String returns the levels of p as text.
func (p point) String() string {
	return fmt.Sprintf("paradigm %s, loads %v, occluder %t, congruent %t, timeUnderOcclusion %g, numPositions %d, goalSize %g, goalDistance %d, rightLeft %d",
		p.name, p.loads, p.occluder, p.congruent, float64(p.hidden)/TicksPerTime, p.positions, float64(p.size)/100, p.distance*UnitsPerCell, p.side)
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
