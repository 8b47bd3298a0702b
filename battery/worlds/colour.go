package worlds

import (
	"achilles/battery/opiaagets"
	"achilles/gridworld"
)

// goalColours has the names of the colours of rewards.
var goalColours = [...]string{"Green", "Yellow", "Red"}

// goalRGB returns the colour of a reward by its index in goalColours.
func goalRGB(i int) gridworld.Colour {
	return [...]gridworld.Colour{gridworld.RGB(0, 255, 0), gridworld.RGB(255, 255, 0), gridworld.RGB(255, 0, 0)}[i]
}

// wallColours returns the colours of walls in O-PIAAGETS.
func wallColours() (list []gridworld.Colour) {
	_, rgb := opiaagets.Colours()
	for _, c := range rgb {
		list = append(list, gridworld.RGB(uint8(c[0]), uint8(c[1]), uint8(c[2])))
	}
	return list
}

// colours returns the colours of walls in a random order.
func (d *draft) colours() []gridworld.Colour {
	var out []gridworld.Colour
	for _, i := range d.Perm(len(d.paints)) {
		out = append(out, d.paints[i])
	}
	return out
}
