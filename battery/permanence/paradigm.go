package permanence

import "achilles/battery"

// A paradigm is one kind of task.
type paradigm struct {
	name, doc string
	plan      func(*draft) bool // draws what stands where and what happens; false: the attempt failed
	load      int               // index of the factor that says how much of its ability an item asks for; −1: none
	never     string            // the combination of levels that is impossible, in words; empty: none
}

// paradigms returns all paradigms.
func paradigms() []paradigm {
	return []paradigm{
		{"a-not-b", "the reward was hidden and found in one well, some times, before it is hidden in another", planANotB, byHidings, ""},
		{"transposition", "it is hidden under a cover, and covers change places", planTransposition, byMoves, "two covers that change places an even number of times are where they were"},
		{"displacement", "it is put into a box that visits wells, and comes back empty", planDisplacement, byMoves, ""},
		{"rotation", "it is hidden under a cover, and the row of covers is turned by half turns", planRotation, byMoves, ""},
		{"tubes", "it goes into a tube that leads to another well than the one straight on", planTubes, byGravity, "straight tubes (congruent) have gravity"},
		{"tunnel", "it goes into a tunnel with exits at unequal distances, and the lights go out before it can have come to the farthest", planTunnel, -1, ""},
	}
}

// The indices of the factors, in the order of Factors.
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
	byHidings
	byMoves
	byGravity
	factorCount
)

// Factors returns the factors of a design with their default levels; a level that is listed twice is used twice as
// often. Everything else is measured. Only the paradigm a-not-b uses hidings, only tubes use gravity, and only the
// paradigms with covers or a box use moves; rotation uses the odd levels of moves.
func Factors() []battery.Factor {
	var names []string
	for _, p := range paradigms() {
		names = append(names, p.name)
	}
	return []battery.Factor{
		byParadigm:  {Name: "paradigm", Text: names},
		byOccluder:  {Name: "occluder", Number: []float64{0, 1, 1, 1}},
		byCongruent: {Name: "congruent", Number: []float64{0, 0, 0, 1}},
		byTime:      {Name: "timeUnderOcclusion", Number: []float64{1, 2, 3, 4}},
		byPositions: {Name: "numPositions", Number: []float64{1, 2, 3, 5, 7}},
		bySize:      {Name: "goalSize", Number: []float64{1, 2, 3, 4, 5}},
		byDistance:  {Name: "goalDistance", Number: []float64{16, 24, 32, 40}},
		bySide:      {Name: "rightLeft", Number: []float64{-1, 0, 1}},
		byColour:    {Name: "goalColour", Text: goalColours[:]},
		byHidings:   {Name: "hidings", Number: []float64{1, 2, 4, 6}},
		byMoves:     {Name: "moves", Number: []float64{1, 2, 3}},
		byGravity:   {Name: "gravity", Number: []float64{0, 1, 1}},
	}
}

// Demands returns the features of a design whose correlations must be small, for Battery.Correlate. hidings, moves,
// tubes and timing are left out, because each belongs to some paradigms only.
func Demands() []string {
	return []string{"timeUnderOcclusion", "numPositions", "goalSize", "goalDistance", "rightLeft", "family"}
}

// goalColours has the names of the colours of rewards.
var goalColours = [...]string{"Green", "Yellow", "Red"}
