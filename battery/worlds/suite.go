package worlds

import (
	"slices"

	"achilles/battery"
	"achilles/battery/shortcut"
)

// A Coding is a set of paradigms, with the factors and features that they have.
type Coding struct {
	suite, word string   // of items, and with which their names begin
	stream      []string // names the random streams of items
	restarts    bool     // an item whose world an earlier one has is drawn from a stream of its own
	mirrors     bool     // items on the left are mirrored; the right place is in the field of view of the actor
	paradigms   []paradigm
	factors     []factor // the paradigm is the first
	demands     []string
	aside       int // least number of columns on each side of the start
	spare       int // ticks of the time limit besides those to walk
	columns     func(*Coding) []column
	blocks      func(c *Coding, factors levels, items int) ([]block, error)
}

// Suite names the suite of the items of Displaced, Comparative and Radial.
const Suite = "permanence"

// TicksPerTime is the number of ticks in one unit of timeUnderOcclusion; UnitsPerCell is the width of a cell in arena
// units.
const (
	TicksPerTime = 50
	UnitsPerCell = 2
)

// longestTime is the longest timeUnderOcclusion.
const longestTime = 4

// Displaced has the paradigms in which the reward moves on unseen, or was hidden elsewhere before.
func Displaced() *Coding {
	return wellsOf(positions(), 200, aNotB(), transposition(), displacement(), rotation(), tubes(), tunnel())
}

// Comparative has paradigms of comparative psychology: what an animal does about barriers, openings, covers and numbers.
func Comparative() *Coding {
	return wellsOf(positions(), 220, detour(), aperture(), size(), number(), whatWhereWhen()) // what perishes takes time
}

// Physical has paradigms of physical cognition: how much there is, what is in the way, what exists still, and what causes what.
func Physical() *Coding {
	return wellsOf(positions(), 400, ratio(), cohesion(), cylinder(), implosion(), decoy(), boards(), tools(), durations())
}

// Radial has the radial maze: which arms were seen to be emptied, and which never had a reward.
func Radial() *Coding {
	return wellsOf(numbers("numPositions", "no level can be chosen: the number of other arms is `visits` + `unbaited`", battery.Grain{0, 0, 1}, 0), 220, radialMaze())
}

// OPIAAGETS has the paradigms of O-PIAAGETS.
func OPIAAGETS() *Coding { return families(cups(), grid(), chick(), basic()) }

func positions() factor {
	return numbers("numPositions", "1 to 7; controls have 0", battery.Grain{1, 7, 1}, 1, 2, 3, 5, 7)
}

// wellsOf returns a coding of paradigms with wells. longest is the longest delay, in ticks.
func wellsOf(positions factor, longest float64, paradigms ...paradigm) *Coding {
	c := &Coding{
		suite: Suite, word: Suite, stream: []string{"battery", Suite, "item"}, paradigms: paradigms, aside: 3, spare: 30,
		demands: []string{"timeUnderOcclusion", "numPositions", "goalSize", "goalDistance", "rightLeft", "family"}, // each ability belongs to some paradigms only
		columns: func(c *Coding) []column { return c.ofWells(longest) }, blocks: (*Coding).byParadigm,
	}
	c.factors = []factor{
		texts("paradigm", c.names()...),
		flag("occluder", "with 0 the item is a control", 0, 1, 1, 1),
		flag("congruent", "the mistake leads to the right well", 0, 0, 0, 1),
		numbers("timeUnderOcclusion", "multiples of 0.02 from 1", battery.Grain{1, longestTime, 1.0 / TicksPerTime}, 1, 2, 3, 4),
		positions,
		numbers("goalSize", "0.5 to 5", battery.Grain{0.5, 5, 0.01}, 1, 2, 3, 4, 5),
		numbers("goalDistance", "even, 16 to 40", battery.Grain{16, 40, UnitsPerCell}, 16, 20, 24, 28, 32, 36, 40),
		numbers("rightLeft", "", battery.Grain{-1, 1, 1}, -1, -1, 0, 1, 1),
		texts("goalColour", goalColours[:]...),
	}
	for i := range paradigms {
		if paradigms[i].stand == nil {
			paradigms[i].stand = (*draft).wells
		}
	}
	for _, a := range c.abilities() {
		if a.factor.Name != "" {
			c.factors = append(c.factors, a.factor)
		}
	}
	return c
}

// names returns the names of the paradigms in designs.
func (c *Coding) names() (names []string) {
	for _, p := range c.paradigms {
		names = append(names, p.family())
	}
	return names
}

// paradigm returns the paradigm of that name in designs.
func (c *Coding) paradigm(family string) *paradigm {
	return &c.paradigms[slices.IndexFunc(c.paradigms, func(p paradigm) bool { return p.family() == family })]
}

// factor returns the factor of that name, with its default levels.
func (c *Coding) factor(name string) battery.Factor { return *levels(c.Factors()).of(name) }

// Factors returns the factors of a design with their default levels; a level that is listed twice is used twice as
// often. Everything else is measured. In wells, factors that say how much of an ability items ask for belong to some paradigms only.
// In O-PIAAGETS, the levels of numPositions apply to items with an occluder; without one the reward is in sight and numPositions is 0. The
// levels of displaced apply to items with an occluder and no other position: only in these can a subject find, by exclusion, a
// reward that has moved unseen.
func (c *Coding) Factors() []battery.Factor {
	var out []battery.Factor
	for _, f := range c.factors {
		out = append(out, f.Factor)
	}
	return out
}

// Demands returns the features of a design whose correlations must be small, for Battery.Correlate.
func (c *Coding) Demands() []string { return c.demands }

// abilities returns the abilities that the paradigms of c are about.
func (c *Coding) abilities() (list []ability) {
	for _, p := range c.paradigms {
		for _, a := range p.asks {
			if !slices.ContainsFunc(list, func(b ability) bool { return b.name == a.name }) {
				list = append(list, a)
			}
		}
	}
	return list
}

// shortcuts returns the shortcuts whose success is a feature.
func (c *Coding) shortcuts() []shortcut.Policy {
	var further []string
	for _, p := range c.paradigms {
		for _, name := range p.shortcuts {
			if !slices.Contains(further, name) {
				further = append(further, name)
			}
		}
	}
	return shortcut.With(further...)
}
