package gridworld

import "strconv"

// A Colour is a red, green and blue value, or None, the zero Colour: a picture then chooses a colour. Colours have no
// effect on movement or sight.
type Colour uint32

// None means no colour.
const None Colour = 0

// RGB returns the colour with those components.
func RGB(r, g, b uint8) Colour { return 1<<24 | Colour(r)<<16 | Colour(g)<<8 | Colour(b) }

// RGB returns the components of c; ok is false for None.
func (c Colour) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c != None
}

// String returns "r,g,b", or "none".
func (c Colour) String() string {
	if c == None {
		return "none"
	}
	return string(c.append(nil))
}

func (c Colour) append(b []byte) []byte {
	b = strconv.AppendUint(b, uint64(c>>16&0xff), 10)
	b = strconv.AppendUint(append(b, ','), uint64(c>>8&0xff), 10)
	return strconv.AppendUint(append(b, ','), uint64(c&0xff), 10)
}
