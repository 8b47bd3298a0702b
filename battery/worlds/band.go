package worlds

import "achilles/gridworld"

// A band is the profile of the ground from south to north: a ramp as wide as the world, a ledge as wide as the world,
// both, or neither. In the chicks' worlds the ledge may instead be the edge of a walkway.
type band struct {
	shape  shape
	ramp   int // row of the ramp, if there is one
	edge   int // first row below the ledge
	oneWay bool
}

type shape uint8

const (
	level   shape = iota
	up            // a ramp, and all north of it is high
	down          // a ramp down: all south of it is high
	ledge         // all south of the edge is high
	upLedge       // up a ramp, then down a ledge
	ledgeUp       // down a ledge, then up a ramp
	walkway       // only the column of the start is high, up to the edge
)

// bandTo returns a band that has the ramp and the ledge of the point and ends just before row `end`. Choices that the point
// leaves open are drawn.
func (d *draft) bandTo(end int) band {
	b := band{ramp: end - 1, edge: end, oneWay: d.IntN(2) == 0}
	second := d.IntN(2) == 0
	switch {
	case d.ramp && d.platform && second:
		b.shape, b.edge = ledgeUp, end-2
	case d.ramp && d.platform:
		b.shape, b.ramp = upLedge, end-2
	case d.ramp && second:
		b.shape = down
	case d.ramp:
		b.shape = up
	case d.platform && d.name == "chick":
		b.shape = walkway
	case d.platform:
		b.shape = ledge
	}
	return b
}

// height returns the height of the ground at (x, y), 0 or 1. It does not apply to ramps (slope).
func (b *band) height(x, y int) uint8 {
	var high bool
	switch b.shape {
	case up:
		high = y > b.ramp
	case down:
		high = y < b.ramp
	case ledge:
		high = y < b.edge
	case upLedge:
		high = y > b.ramp && y < b.edge
	case ledgeUp:
		high = y < b.edge || y > b.ramp
	case walkway:
		high = x == 0 && y < b.edge
	}
	return uint8(is(high))
}

// slope returns the cell that the ramp consists of; ok is false if there is no ramp.
func (b *band) slope() (c gridworld.Cell, ok bool) {
	switch b.shape {
	case up, upLedge, ledgeUp:
		c = gridworld.Cell{Kind: gridworld.Ramp, Facing: gridworld.North}
		if b.oneWay {
			c.Kind = gridworld.Climb
		}
		return c, true
	case down:
		c = gridworld.Cell{Kind: gridworld.Ramp, Facing: gridworld.South}
		if b.oneWay {
			c.Kind = gridworld.Slide
		}
		return c, true
	}
	return c, false
}

// fill puts cells of a kind on the ground of a rectangle. Each of its rows has one height.
func (d *draft) fill(x0, y0, x1, y1 int, kind gridworld.Kind, colour gridworld.Colour) {
	for y := y0; y <= y1; y++ {
		d.world.Fill(d.at(xy(x0, y)), d.at(xy(x1, y)), gridworld.Cell{Kind: kind, Height: d.band.height(x0, y), Colour: colour})
	}
}

// put puts a cell of a kind on the ground at p.
func (d *draft) put(p spot, kind gridworld.Kind, colour gridworld.Colour) {
	d.fill(p.X, p.Y, p.X, p.Y, kind, colour)
}

// lay lays the ground: the ramp and the high ground of the band; everything else is low.
func (d *draft) lay() {
	slope, sloped := d.band.slope()
	west, east := d.west, d.east
	if d.band.shape == walkway {
		west, east = 0, 0
	}
	for y := d.south; y <= d.north; y++ {
		cell := gridworld.Cell{Kind: gridworld.Platform, Height: d.band.height(0, y)}
		if sloped && y == d.band.ramp {
			cell = slope
		} else if cell.Height == 0 {
			continue
		}
		d.world.Fill(d.at(xy(west, y)), d.at(xy(east, y)), cell)
	}
}
