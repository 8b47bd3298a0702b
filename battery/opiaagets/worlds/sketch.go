package worlds

import (
	"achilles/gridworld"
	"achilles/sim/rng"
)

// A sketch is an item being drawn: first a plan in arena cells, then the world.
type sketch struct {
	point
	rng.Rand
	others   []float64 // the design's levels of numPositions
	mirrored bool

	dx, dy   int // where the reward ends
	zone     int // first row that belongs to the stations
	band     band
	strips   []strip
	lake     lake
	stations []station
	front    front // of stations in which a reward could be seen
	reach    int   // columns that a screen takes up to each side of its place
	paint    gridworld.Colour
	turned   bool // the actor starts with its back to the stations

	west, east, north int // the world's last columns and row; its southern row is −1
	world             gridworld.World
	event             event
}

// A station is a place in which the reward could be, with what stands around it.
type station struct {
	x, y   int
	hidden bool // what lies there cannot be seen from the start
	row    int  // of a grid, from the south
	outer  bool // in the first or last column of a grid
}

// A front is what stands before a place and does not hide it.
type front uint8

const (
	bareFront  front = iota
	lowFront         // a low wall, seen over
	clearFront       // a clear wall, seen through
	backWall         // a wall behind the place
)

// A strip is a row of obstacles across the way, from column x0 to x1.
type strip struct {
	y, x0, x1 int
	kind      gridworld.Kind
}

// south is the southern row of every world: one behind the actor.
const south = -1

// at is the cell of the world that (x, y) is built in.
func (s *sketch) at(x, y int) gridworld.Pos {
	if s.mirrored {
		return gridworld.Pos{X: s.east - x, Y: y - south}
	}
	return gridworld.Pos{X: x - s.west, Y: y - south}
}

// put places a cell that stands on the ground at (x, y).
func (s *sketch) put(x, y int, kind gridworld.Kind, colour gridworld.Colour) {
	s.world.Place(s.at(x, y), gridworld.Cell{Kind: kind, Height: s.band.height(x, y), Colour: colour})
}

// fill puts cells into a rectangle.
func (s *sketch) fill(x0, y0, x1, y1 int, kind gridworld.Kind) {
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			s.put(x, y, kind, gridworld.None)
		}
	}
}

// bare makes (x, y) the ground that it is without anything on it.
func (s *sketch) bare(x, y int) {
	s.world.Place(s.at(x, y), ground(s.band.height(x, y)))
}

// build makes the world of the plan, without things and schedule.
func (s *sketch) build(limit int) {
	s.world.Reset(s.east-s.west+1, s.north-south+1, gridworld.Rules{Limit: limit})
	s.lay()
	for _, o := range s.strips {
		s.fill(o.x0, o.y, o.x1, o.y, o.kind)
	}
	switch s.family {
	case cup:
		s.buildCups()
	case grid:
		s.buildGrid()
	case chick:
		s.buildLake()
		s.buildScreens()
	case basic:
		s.buildScreens()
	}
	heading := gridworld.North
	if s.turned {
		heading = gridworld.South
	}
	s.world.SetActor(s.at(0, 0), heading)
}

// lay lays the ground.
func (s *sketch) lay() {
	slope, sloped := s.band.slope()
	for y := south; y <= s.north; y++ {
		switch {
		case sloped && y == s.band.ramp:
			s.world.Fill(s.at(s.west, y), s.at(s.east, y), slope)
		case s.band.shape == walkway:
			s.bare(0, y)
		case s.band.height(0, y) > 0:
			s.world.Fill(s.at(s.west, y), s.at(s.east, y), ground(1))
		}
	}
}

// seeThrough is the wall that blocks the way and not sight.
func (s *sketch) seeThrough() gridworld.Kind {
	if s.transparent {
		return gridworld.ClearWall
	}
	return gridworld.LowWall
}
