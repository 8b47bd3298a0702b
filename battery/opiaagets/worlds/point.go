package worlds

import (
	"math"

	"achilles/battery"
)

// A family is a paradigm of O-PIAAGETS.
type family uint8

const (
	cup family = iota
	grid
	chick
	basic
)

// families are the names of the families in the suite's tables.
var families = [...]string{cup: "cup", grid: "grid", chick: "cv", basic: "basic"}

// A point is one combination of levels, which an item must have.
type point struct {
	family    family
	occluder  bool
	hidden    int // ticks for which the reward cannot be seen
	positions int // number of hidden places besides the right one
	size      int // 100 times goalSize
	distance  int // in cells, without diagonals
	side      int // −1 left, 0 ahead, 1 right

	lava, ramp, platform, transparent bool
	bounce, displaced                 bool // bounce: the reward is seen to move; displaced: it moves while it cannot be seen

	wall, goal int // indices of wallColours, goalColours
}

// pointAt returns the point with one combination of levels. levels has the index of the level of each factor; walls are
// the wallColours.
func pointAt(factors []battery.Factor, levels []int, walls []string) point {
	number := func(f int) float64 { return factors[f].Number[levels[f]] }
	flag := func(f int) bool { return number(f) != 0 }
	p := point{
		occluder: flag(byOccluder),
		hidden:   whole(number(byTime) * TicksPerTime),
		size:     whole(number(bySize) * 100),
		distance: whole(number(byDistance) / UnitsPerCell),
		side:     whole(number(bySide)),
		lava:     flag(byLava), ramp: flag(byRamp), platform: flag(byPlatform),
		transparent: flag(byTransparent), bounce: flag(byBounce),
		family: family(indexOf(families[:], factors[byFamily].Text[levels[byFamily]])),
		wall:   indexOf(walls, factors[byWallColour].Text[levels[byWallColour]]),
		goal:   indexOf(goalColours[:], factors[byGoalColour].Text[levels[byGoalColour]]),
	}
	if p.occluder {
		p.positions = whole(number(byPositions))
		p.displaced = p.positions == 0 && flag(byDisplaced)
	}
	return p
}

func whole(x float64) int { return int(math.Round(x)) }

func indexOf(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	panic("worlds: a checked level is unknown")
}

// strips returns the number of rows that the strips of obstacles take.
func (p *point) strips() int {
	switch {
	case p.family == chick:
		return 0
	case p.family == cup: // in the cups the lava lies in the lanes
		return is(p.transparent)
	}
	return is(p.lava) + is(p.transparent)
}

// rise returns the number of rows that ramp and ledge take; a ledge alone takes none.
func (p *point) rise() int {
	if p.ramp && p.platform {
		return 2
	}
	return is(p.ramp)
}

func is(claim bool) int {
	if claim {
		return 1
	}
	return 0
}
