package opiaagets

import (
	"math"
	"strconv"
)

// unknown returns NaN, which stands for a number that a coding does not tell or an instance does not have. In a battery it
// becomes a missing value.
func unknown() float64 { return math.NaN() }

// A side is the side on which the reward ends, seen along the agent's start heading: −1 left, 0 straight ahead, 1 right.
type side float64

const (
	left   side = -1
	middle side = 0
	right  side = 1
)

// word returns Left or Right, as in the suite's names.
func (s side) word() string {
	if s == left {
		return "Left"
	}
	return "Right"
}

func sides() []side { return []side{left, right} }

// A colour is the colour of an occluding wall. The zero value means no wall; unknown means that nothing is known about
// a wall.
type colour struct {
	name    string
	rgb     [3]float64
	unknown bool
}

// wallColours returns the six colours of the paper's instances, in the order of their names. The paper left out a
// seventh, random.
func wallColours() []colour {
	return []colour{
		{name: "Beige", rgb: [3]float64{236, 195, 153}},
		{name: "Brown", rgb: [3]float64{102, 51, 1}},
		{name: "DarkBlue", rgb: [3]float64{1, 1, 153}},
		{name: "DarkGreen", rgb: [3]float64{1, 100, 1}},
		grey(),
		{name: "OffWhite", rgb: [3]float64{248, 253, 212}},
	}
}

// Colours returns the names of the six wall colours with their red, green and blue in 0 … 255.
func Colours() (names []string, rgb [][3]float64) {
	for _, c := range wallColours() {
		names, rgb = append(names, c.name), append(rgb, c.rgb)
	}
	return names, rgb
}

func grey() colour { return colour{name: "Grey", rgb: [3]float64{153, 153, 153}} }

// platformBlue returns the colour of the grid paradigm's platform, which hides what is in its holes.
func platformBlue() colour { return colour{name: "Blue", rgb: [3]float64{0, 0, 255}} }

// label returns the colour's name, or none.
func (c colour) label() string {
	if c.name == "" {
		return none
	}
	return c.name
}

// channel returns red, green or blue (i = 0, 1, 2), from 0 to 255; unknown if there is no wall.
func (c colour) channel(i int) float64 {
	if c.name == "" {
		return unknown()
	}
	return c.rgb[i]
}

// none is the label of a colour that an instance does not have.
const none = "none"

// inName returns a number as it stands in the suite's file names: 0.5, 1, 2.5.
func inName(size float64) string { return strconv.FormatFloat(size, 'g', -1, 64) }

// is returns 1 for true and 0 for false.
func is(claim bool) float64 {
	if claim {
		return 1
	}
	return 0
}
