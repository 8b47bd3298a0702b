package palette

import "math"

// Lightness returns the perceived lightness of c, 0 … 1: the L of OKLab.
func (c Colour) Lightness() float64 {
	r, g, b := decode(c>>24), decode(c>>16), decode(c>>8)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return 0.2104542553*l + 0.7936177850*m - 0.0040720468*s
}

// Contrast returns the contrast ratio of two colours, for tests.
func (c Colour) Contrast(d Colour) float64 { return c.contrast(d) }
