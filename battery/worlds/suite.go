package worlds

import (
	"slices"

	"achilles/battery"
	"achilles/battery/shortcut"
)

// A Coding is a set of paradigms, with the factors and features that they have.
type Coding struct {
	paradigms []paradigm
	positions factor  // numPositions
	longest   float64 // the longest delay, in ticks
}

// Suite names the suite of every item.
const Suite = "permanence"

// Displaced has the paradigms in which the reward moves on unseen, or was hidden elsewhere before.
func Displaced() Coding {
	return Coding{[]paradigm{aNotB(), transposition(), displacement(), rotation(), tubes(), tunnel()}, positions(), 200}
}

// Comparative has paradigms of comparative psychology: what an animal does about barriers, openings, covers and numbers.
func Comparative() Coding {
	return Coding{[]paradigm{detour(), aperture(), size(), number(), whatWhereWhen()}, positions(), 220} // what perishes takes time
}

// Radial has the radial maze: which arms were seen to be emptied, and which never had a reward.
func Radial() Coding {
	return Coding{[]paradigm{radialMaze()}, numbers("numPositions", "no level can be chosen: the number of other arms is `visits` + `unbaited`", battery.Grain{0, 0, 1}, 0), 220}
}

func positions() factor {
	return numbers("numPositions", "1 to 7; controls have 0", battery.Grain{1, 7, 1}, 1, 2, 3, 5, 7)
}

// factors returns the factors of c. Those that all paradigms have come first.
func (c Coding) factors() []factor {
	var names []string
	for _, p := range c.paradigms {
		names = append(names, p.name)
	}
	out := []factor{
		texts("paradigm", names...),
		numbers("occluder", "with 0 the item is a control", battery.Grain{0, 1, 1}, 0, 1, 1, 1),
		numbers("congruent", "the mistake leads to the right well", battery.Grain{0, 1, 1}, 0, 0, 0, 1),
		numbers("timeUnderOcclusion", "multiples of 0.02 from 1", battery.Grain{1, longestTime, 1.0 / TicksPerTime}, 1, 2, 3, 4),
		c.positions,
		numbers("goalSize", "0.5 to 5", battery.Grain{0.5, 5, 0.01}, 1, 2, 3, 4, 5),
		numbers("goalDistance", "even, 16 to 40", battery.Grain{16, 40, UnitsPerCell}, 16, 20, 24, 28, 32, 36, 40),
		numbers("rightLeft", "", battery.Grain{-1, 1, 1}, -1, -1, 0, 1, 1),
		texts("goalColour", goalColours[:]...),
	}
	for _, a := range c.abilities() {
		if a.factor.Name != "" {
			out = append(out, a.factor)
		}
	}
	return out
}

// Factors returns the factors of a design with their default levels; a level that is listed twice is used twice as
// often. Everything else is measured. Loads belong to some paradigms only.
func (c Coding) Factors() []battery.Factor {
	var out []battery.Factor
	for _, f := range c.factors() {
		out = append(out, f.Factor)
	}
	return out
}

// abilities returns the abilities that the paradigms of c are about.
func (c Coding) abilities() (list []ability) {
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
func (c Coding) shortcuts() []shortcut.Policy {
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

// Demands returns the features of a design whose correlations must be small, for Battery.Correlate. The abilities are left
// out, because each belongs to some paradigms only.
func Demands() []string {
	return []string{"timeUnderOcclusion", "numPositions", "goalSize", "goalDistance", "rightLeft", "family"}
}

// goalColours has the names of the colours of rewards.
var goalColours = [...]string{"Green", "Yellow", "Red"}
