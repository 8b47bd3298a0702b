package worlds

import (
	"achilles/battery/opiaagets"
	"achilles/gridworld"
)

// goalRGB returns the colour of a reward by its index in goalColours.
func goalRGB(i int) gridworld.Colour {
	return [...]gridworld.Colour{gridworld.RGB(0, 255, 0), gridworld.RGB(255, 255, 0), gridworld.RGB(255, 0, 0)}[i]
}

// choosePaint sets the colour of the walls or holes at the places: colours[s.wall], or a random colour if s.wall is
// beyond the end of colours.
func (s *sketch) choosePaint(colours []gridworld.Colour) {
	random := gridworld.RGB(uint8(s.IntN(256)), uint8(s.IntN(256)), uint8(s.IntN(256)))
	s.paint = random
	if s.wall < len(colours) {
		s.paint = colours[s.wall]
	}
}

// suiteColours returns the six colours of the suite's walls.
func suiteColours() []gridworld.Colour {
	_, rgb := opiaagets.Colours()
	var cs []gridworld.Colour
	for _, c := range rgb {
		cs = append(cs, gridworld.RGB(uint8(c[0]), uint8(c[1]), uint8(c[2])))
	}
	return cs
}
