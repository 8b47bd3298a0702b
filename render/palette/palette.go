// Package palette has the colours of the viewer, the pictures, the figures and the report. Colour-blind readers can
// tell them apart, and no meaning depends on colour alone.
package palette

import (
	"fmt"
	"image/color"
)

// A Colour is 0xRRGGBBAA, not premultiplied. It is a color.Color.
type Colour uint32

var _ color.Color = Colour(0)

// The eight colours of Okabe and Ito (2008), Color universal design, which colour-blind readers can tell apart.
const (
	Black      Colour = 0x000000ff
	Orange     Colour = 0xe69f00ff
	SkyBlue    Colour = 0x56b4e9ff
	Green      Colour = 0x009e73ff
	Yellow     Colour = 0xf0e442ff
	Blue       Colour = 0x0072b2ff
	Vermillion Colour = 0xd55e00ff
	Purple     Colour = 0xcc79a7ff
)

// Colours of backgrounds, lines and text.
const (
	White    Colour = 0xffffffff
	Paper    Colour = 0xf6f6f3ff // background of everything
	Panel    Colour = 0xffffffff // background of a group of things
	Edge     Colour = 0xd4d6d8ff // borders of panels, and grid lines
	Ink      Colour = 0x1c2126ff // text
	Muted    Colour = 0x5d666eff // less important text; contrast at least 4.5:1 on Paper
	Greyed   Colour = 0xa6acb1ff // text of a control that cannot be used now
	Selected Colour = 0xd8e8f4ff // selected row
	Hover    Colour = 0xebf0f4ff // row under the pointer
	Warning  Colour = 0xa33d00ff // text of a warning
)

// Colours with a meaning, which is the same in all pictures, figures and pages.
const (
	Actual     = Blue       // what happened
	Predicted  = Vermillion // what a profile or an observer predicts
	Truth      = Black      // the sealed truth
	Belief     = Purple     // where a subject believes the reward to be, or which goal an observer believes an actor to have
	Sight      = SkyBlue    // what a subject sees
	Expected   = Blue       // the expected outcome
	Unexpected = Vermillion // the unexpected outcome
	Success    = Green
	Failure    = Vermillion
)

// Category returns the colour of thing i, i ≥ 0, in a figure whose things have no order. The first colours are the
// easiest to tell apart. After eight, the colours repeat.
func Category(i int) Colour {
	order := [...]Colour{Blue, Vermillion, Green, Orange, Purple, SkyBlue, Black, Yellow}
	return order[i%len(order)]
}

// RGB returns an opaque colour.
func RGB(r, g, b uint8) Colour {
	return Colour(r)<<24 | Colour(g)<<16 | Colour(b)<<8 | 0xff
}

// NRGBA returns c for package image/color.
func (c Colour) NRGBA() color.NRGBA {
	return color.NRGBA{R: uint8(c >> 24), G: uint8(c >> 16), B: uint8(c >> 8), A: uint8(c)}
}

// RGBA implements color.Color.
func (c Colour) RGBA() (r, g, b, a uint32) { return c.NRGBA().RGBA() }

// Fade returns c with its opacity multiplied by alpha, which is cut to [0, 1].
func (c Colour) Fade(alpha float64) Colour {
	a := float64(c&0xff) * min(max(alpha, 0), 1)
	return c&^0xff | Colour(a+0.5)
}

// Mix returns (1 − t) c + t d, component by component. t is cut to [0, 1].
func (c Colour) Mix(d Colour, t float64) Colour {
	t = min(max(t, 0), 1)
	var m Colour
	for shift := 0; shift < 32; shift += 8 {
		from, to := float64(c>>shift&0xff), float64(d>>shift&0xff)
		m |= Colour(from+t*(to-from)+0.5) << shift
	}
	return m
}

// Hex returns c for CSS and SVG: "#rrggbb", or "#rrggbbaa" if c is not opaque.
func (c Colour) Hex() string {
	if c&0xff == 0xff {
		return fmt.Sprintf("#%06x", uint32(c>>8))
	}
	return fmt.Sprintf("#%08x", uint32(c))
}

// contrast returns the contrast ratio of two opaque colours, 1 … 21 (Web Content Accessibility Guidelines 2.1). Small
// text needs 4.5, large text 3.
func (c Colour) contrast(d Colour) float64 {
	a, b := c.luminance(), d.luminance()
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// On returns Black or White, whichever has more contrast on c.
func On(c Colour) Colour {
	if c.contrast(Black) >= c.contrast(White) {
		return Black
	}
	return White
}
