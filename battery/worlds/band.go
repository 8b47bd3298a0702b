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

// plain returns the plain cell of a height, 0 or 1.
func plain(height uint8) gridworld.Cell {
	if height == 0 {
		return gridworld.Cell{}
	}
	return gridworld.Cell{Kind: gridworld.Platform, Height: height}
}

// put places a cell of a kind on the ground at (x, y).
func (d *draft) put(x, y int, kind gridworld.Kind, colour gridworld.Colour) {
	d.world.Place(d.at(xy(x, y)), gridworld.Cell{Kind: kind, Height: d.band.height(x, y), Colour: colour})
}

// fill puts cells of a kind into a rectangle: at once into rows of the same ground.
func (d *draft) fill(x0, y0, x1, y1 int, kind gridworld.Kind, colour gridworld.Colour) {
	if d.band.shape == walkway {
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				d.put(x, y, kind, colour)
			}
		}
		return
	}
	for y := y0; y <= y1; {
		first, height := y, d.band.height(x0, y)
		for y++; y <= y1 && d.band.height(x0, y) == height; {
			y++
		}
		d.world.Fill(d.at(xy(x0, first)), d.at(xy(x1, y-1)), gridworld.Cell{Kind: kind, Height: height, Colour: colour})
	}
}

// lay lays the ground: the ramp and the high ground of the band; everything else is low.
func (d *draft) lay() {
	slope, sloped := d.band.slope()
	isSlope := func(y int) bool { return sloped && y == d.band.ramp }
	if d.band.shape == walkway {
		for y := d.south; y <= d.north; y++ {
			d.world.Place(d.at(xy(0, y)), plain(d.band.height(0, y)))
		}
		return
	}
	for y := d.south; y <= d.north; {
		first, cell := y, plain(d.band.height(0, y))
		if y++; isSlope(first) {
			cell = slope
		} else { // rows of the same ground are filled at once
			for y <= d.north && !isSlope(y) && plain(d.band.height(0, y)) == cell {
				y++
			}
		}
		if cell != (gridworld.Cell{}) {
			d.world.Fill(d.at(xy(d.west, first)), d.at(xy(d.east, y-1)), cell)
		}
	}
}
