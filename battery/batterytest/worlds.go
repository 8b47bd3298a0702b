package batterytest

import "achilles/battery"

// World returns the world of a text, packed, and no world for an empty text. It panics if the text is no world.
func World(text string) (x battery.World) {
	if err := x.UnmarshalText([]byte(text)); err != nil {
		panic(err)
	}
	return x
}
