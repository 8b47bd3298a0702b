package permanence

import "achilles/battery"

// A paradigm is one kind of task.
type paradigm struct {
	name, doc string
	plan      func(*draft) bool // draws what stands where and what happens; false: the attempt failed
	loadBy    []int             // indices of the factors that say how much of its abilities an item asks for; nil: all or nothing
	never     string            // the combination of levels that is impossible, in words; empty: none
}

// A Coding is a set of paradigms, with the factors and features that they have.
type Coding int

const (
	// Displaced has the paradigms in which the reward moves on unseen, or was hidden elsewhere before.
	Displaced Coding = iota
	// Comparative has paradigms of comparative psychology: what an animal does about barriers, openings, covers and numbers.
	Comparative
	// Radial has the radial maze: which arms were seen to be emptied, and which never had a reward.
	Radial
)

// paradigms returns all paradigms of c.
func (c Coding) paradigms() []paradigm {
	switch c {
	case Radial:
		return []paradigm{{"radial-maze", "rewards are seen in some arms of a maze, and all but one are seen to be taken", planRadialMaze, []int{byVisits, byUnbaited}, ""}}
	case Comparative:
		small := "tests (not congruent) need rewards that are wider than a cell (goalSize above 2)"
		return []paradigm{
			{"detour", "it lies behind a barrier, and the way round leads away from it first", planDetour, []int{byRetreat}, ""},
			{"aperture", "it goes in the dark through one of the openings of a wall, of which some are too narrow for it", planAperture, nil, small},
			{"size", "it is covered in the dark, and some covers are smaller than it", planSize, nil, small},
			{"number", "equal rewards are hidden in several wells, in one more than in the others", planNumber, []int{byNumber}, ""},
			{"what-where-when", "two rewards are hidden, and the better one perishes", planWhatWhereWhen, nil, ""},
		}
	}
	return []paradigm{
		{"a-not-b", "the reward was hidden and found in one well, some times, before it is hidden in another", planANotB, []int{byHidings}, ""},
		{"transposition", "it is hidden under a cover, and covers change places", planTransposition, []int{byMoves}, "two covers that change places an even number of times are where they were"},
		{"displacement", "it is put into a box that visits wells, and comes back empty", planDisplacement, []int{byMoves}, ""},
		{"rotation", "it is hidden under a cover, and the row of covers is turned by half turns", planRotation, []int{byMoves}, ""},
		{"tubes", "it goes into a tube that leads to another well than the one straight on", planTubes, []int{byGravity}, "straight tubes (congruent) have gravity"},
		{"tunnel", "it goes into a tunnel with exits at unequal distances, and the lights go out before it can have come to the farthest", planTunnel, nil, ""},
	}
}

// The indices of the factors, in the order of Factors. From byLoad on they belong to some paradigms only.
const (
	byParadigm = iota
	byOccluder
	byCongruent
	byTime
	byPositions
	bySize
	byDistance
	bySide
	byColour
	byLoad
)

// The indices of further factors: of Displaced, of Comparative, and of Radial.
const (
	byHidings = byLoad + iota
	byMoves
	byGravity
)
const (
	byRetreat = byLoad + iota
	byNumber
)
const (
	byVisits = byLoad + iota
	byUnbaited
)

// A factor is a factor of a design with its default levels, and the numbers that can be levels.
type factor struct {
	battery.Factor
	grain battery.Grain
}

func numbers(name string, grain battery.Grain, levels ...float64) factor {
	return factor{battery.Factor{Name: name, Number: levels}, grain}
}

func texts(name string, levels ...string) factor {
	return factor{battery.Factor{Name: name, Text: levels}, battery.Grain{}}
}

// factors returns the factors of c.
func (c Coding) factors() []factor {
	var names []string
	for _, p := range c.paradigms() {
		names = append(names, p.name)
	}
	common := []factor{
		byParadigm:  texts("paradigm", names...),
		byOccluder:  numbers("occluder", battery.Grain{0, 1, 1}, 0, 1, 1, 1),
		byCongruent: numbers("congruent", battery.Grain{0, 1, 1}, 0, 0, 0, 1),
		byTime:      numbers("timeUnderOcclusion", battery.Grain{1, longestTime, 1.0 / TicksPerTime}, 1, 2, 3, 4),
		byPositions: numbers("numPositions", battery.Grain{1, 7, 1}, 1, 2, 3, 5, 7),
		bySize:      numbers("goalSize", battery.Grain{0.5, 5, 0.01}, 1, 2, 3, 4, 5),
		byDistance:  numbers("goalDistance", battery.Grain{16, 40, UnitsPerCell}, 16, 20, 24, 28, 32, 36, 40),
		bySide:      numbers("rightLeft", battery.Grain{-1, 1, 1}, -1, -1, 0, 1, 1),
		byColour:    texts("goalColour", goalColours[:]...),
	}
	switch c {
	case Radial:
		common[byPositions] = numbers("numPositions", battery.Grain{0, 0, 1}, 0) // the other arms: visits + unbaited
		return append(common,
			numbers("visits", battery.Grain{1, 4, 1}, 1, 2, 3, 4),
			numbers("unbaited", battery.Grain{0, 3, 1}, 0, 1, 2, 3),
		)
	case Comparative:
		return append(common,
			numbers("retreat", battery.Grain{1, 6, 1}, 1, 2, 3, 5),
			numbers("number", battery.Grain{2, 6, 1}, 2, 3, 4, 6),
		)
	}
	return append(common,
		numbers("hidings", battery.Grain{1, 6, 1}, 1, 2, 4, 6),
		numbers("moves", battery.Grain{1, 3, 1}, 1, 2, 3),
		numbers("gravity", battery.Grain{0, 1, 1}, 0, 1, 1),
	)
}

// Factors returns the factors of a design with their default levels; a level that is listed twice is used twice as
// often. Everything else is measured. Only the paradigm a-not-b uses hidings, only tubes use gravity, only the paradigms
// with covers or a box use moves, only detour uses retreat and only number uses number; rotation uses the odd levels of
// moves, and aperture the levels of goalSize above a cell's width. The radial maze uses visits and unbaited, and its
// numPositions is their sum.
func (c Coding) Factors() []battery.Factor {
	var out []battery.Factor
	for _, f := range c.factors() {
		out = append(out, f.Factor)
	}
	return out
}

// Demands returns the features of a design whose correlations must be small, for Battery.Correlate. The abilities are left
// out, because each belongs to some paradigms only.
func Demands() []string {
	return []string{"timeUnderOcclusion", "numPositions", "goalSize", "goalDistance", "rightLeft", "family"}
}

// goalColours has the names of the colours of rewards.
var goalColours = [...]string{"Green", "Yellow", "Red"}
