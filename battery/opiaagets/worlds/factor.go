package worlds

import (
	"slices"

	"achilles/battery"
	"achilles/battery/opiaagets"
)

// TicksPerTime is the number of ticks in one unit of timeUnderOcclusion; UnitsPerCell is the width of a cell in arena
// units.
const (
	TicksPerTime = 50
	UnitsPerCell = 2
)

// longestTime is the longest timeUnderOcclusion.
const longestTime = 4

// MinDistance is the least goalDistance, in arena units: it leaves room for every obstacle.
const MinDistance = 16

// The indices of the factors, in the order of Factors.
const (
	byFamily = iota
	byOccluder
	byTime
	byPositions
	bySize
	byDistance
	bySide
	byLava
	byRamp
	byPlatform
	byTransparent
	byBounce
	byDisplaced
	byWallColour
	byGoalColour
	factorCount
)

// Factors returns the factors of a design with their default levels. Everything else is measured. The levels of
// numPositions apply to items with an occluder; without one the reward is in sight and numPositions is 0. The levels of
// displaced apply to items with an occluder and no other position: only in these can a subject find, by exclusion, a
// reward that has moved unseen.
func Factors() []battery.Factor {
	flag := []float64{0, 1}
	return []battery.Factor{
		byFamily:      {Name: "family", Text: families[:]},
		byOccluder:    {Name: "occluder", Number: flag},
		byTime:        {Name: "timeUnderOcclusion", Number: []float64{0, 1, 2, 3, 4}},
		byPositions:   {Name: "numPositions", Number: []float64{0, 0, 0, 0, 0, 1, 2, 3, 5, 7, 11}},
		bySize:        {Name: "goalSize", Number: []float64{0.5, 1, 1.5, 2, 2.5, 3, 4, 5}},
		byDistance:    {Name: "goalDistance", Number: []float64{16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56}},
		bySide:        {Name: "rightLeft", Number: []float64{-1, -1, 0, 1, 1}},
		byLava:        {Name: "lava", Number: flag},
		byRamp:        {Name: "ramp", Number: flag},
		byPlatform:    {Name: "platform", Number: flag},
		byTransparent: {Name: "transparent", Number: flag},
		byBounce:      {Name: "bounce", Number: flag},
		byDisplaced:   {Name: "displaced", Number: []float64{1}},
		byWallColour:  {Name: "occluderColour", Text: wallColours()},
		byGoalColour:  {Name: "goalColour", Text: goalColours[:]},
	}
}

// LikeSuite returns levels with those of the factors added that make a design more like the suite: what is hidden moves on unseen in few items, so
// that going to where the reward was last seen passes nine of ten. Factors that levels has keep theirs.
func LikeSuite(levels []battery.Factor) []battery.Factor {
	for _, f := range []battery.Factor{{Name: "numPositions", Number: []float64{0, 0, 1, 2, 3, 5, 7, 11}}, {Name: "displaced", Number: []float64{0, 1}}} {
		if !slices.ContainsFunc(levels, func(l battery.Factor) bool { return l.Name == f.Name }) {
			levels = append(slices.Clone(levels), f)
		}
	}
	return levels
}

// Demands returns the features of a design whose correlations must be small, for Battery.Correlate. occluder is left
// out, because without an occluder numPositions is 0: these two are always correlated.
func Demands() []string {
	return []string{"timeUnderOcclusion", "goalDistance", "goalSize", "rightLeft", "lava", "ramp", "platform", "transparent", "family", "numPositions"}
}

// withLevels returns the default factors, with their levels replaced by those in l.
func withLevels(l []battery.Factor) ([]battery.Factor, error) {
	return battery.WithLevels(Factors(), l, func(f int, x float64) error { return grains[f].Check(x) })
}

// grains says which numbers can be levels of a number factor, by index of the factor.
var grains = [factorCount]battery.Grain{
	byOccluder:    {0, 1, 1},
	byTime:        {0, longestTime, 1.0 / TicksPerTime},
	byPositions:   {0, 11, 1},
	bySize:        {0.5, 5, 0.01},
	byDistance:    {MinDistance, 56, UnitsPerCell},
	bySide:        {-1, 1, 1},
	byLava:        {0, 1, 1},
	byRamp:        {0, 1, 1},
	byPlatform:    {0, 1, 1},
	byTransparent: {0, 1, 1},
	byBounce:      {0, 1, 1},
	byDisplaced:   {0, 1, 1},
}

// wallColours returns the names of the six colours of the paper's walls, and Random, which means a colour drawn for each
// item.
func wallColours() []string {
	names, _ := opiaagets.Colours()
	return append(names, randomColour)
}

const randomColour = "Random"

// goalColours has the names of the colours of the suite's rewards.
var goalColours = [...]string{"Green", "Yellow", "Red"}
