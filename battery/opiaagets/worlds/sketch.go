package worlds

import (
	"achilles/battery/workshop"
	"achilles/gridworld"
	"achilles/sim/rng"
)

// A sketch is an item that is being drawn: first its plan in arena cells, and then its world.
type sketch struct {
	point
	rng.Rand
	others   []float64       // levels of numPositions in the design
	levels   workshop.Levels // of the design
	rooms    map[room]*workshop.Rooms
	mirrored bool

	dx, dy   int // column and row where the reward ends
	zone     int // first row of the stations
	band     band
	strips   []strip
	lake     lake
	stations []station
	front    front // what stands at stations that are in sight
	reach    int   // number of columns that a screen takes to each side of its place
	paint    gridworld.Colour
	ahead    int  // outward of a lane straight ahead
	turned   bool // the actor starts with its back to the stations

	west, east, north int // first and last column and last row of the world; its first row is `south`
	world             gridworld.World
	event             event
}

// A station is a place in which the reward could be, with what stands around it.
type station struct {
	x, y   int
	hidden bool // a reward at the station cannot be seen from the start
	row    int  // row of the grid, from the south
	outer  bool // in the first or last column of a grid
}

// A front is what stands at a place that is in sight.
type front uint8

const (
	bareFront  front = iota
	lowFront         // a low wall, over which the actor can see
	clearFront       // a clear wall, through which the actor can see
	backWall         // a wall behind the place
)

// A strip is a row of obstacles across the way, in row y from column x0 to x1.
type strip struct {
	y, x0, x1 int
	kind      gridworld.Kind
}

// south is the first row of every world, behind the actor.
const south = -1

// at returns the cell of the world for the plan's (x, y).
func (s *sketch) at(x, y int) gridworld.Pos {
	if s.mirrored {
		return gridworld.Pos{X: s.east - x, Y: y - south}
	}
	return gridworld.Pos{X: x - s.west, Y: y - south}
}

// put places a cell of a kind on the ground at (x, y).
func (s *sketch) put(x, y int, kind gridworld.Kind, colour gridworld.Colour) {
	s.world.Place(s.at(x, y), gridworld.Cell{Kind: kind, Height: s.band.height(x, y), Colour: colour})
}

// fill puts cells of a kind into a rectangle: at once into rows of the same ground.
func (s *sketch) fill(x0, y0, x1, y1 int, kind gridworld.Kind, colour gridworld.Colour) {
	if s.band.shape == walkway {
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				s.put(x, y, kind, colour)
			}
		}
		return
	}
	for y := y0; y <= y1; {
		first, height := y, s.band.height(x0, y)
		for y++; y <= y1 && s.band.height(x0, y) == height; {
			y++
		}
		s.world.Fill(s.at(x0, first), s.at(x1, y-1), gridworld.Cell{Kind: kind, Height: height, Colour: colour})
	}
}

// bare puts the plain ground at (x, y).
func (s *sketch) bare(x, y int) {
	s.world.Place(s.at(x, y), ground(s.band.height(x, y)))
}

// build makes the world of the plan, without the reward and its schedule.
func (s *sketch) build(limit int) {
	s.world.Reset(s.east-s.west+1, s.north-south+1, gridworld.Rules{Limit: limit})
	s.lay()
	for _, o := range s.strips {
		s.fill(o.x0, o.y, o.x1, o.y, o.kind, gridworld.None)
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

// lay lays the ground: the ramp and the high ground of the band; everything else is low.
func (s *sketch) lay() {
	slope, sloped := s.band.slope()
	isSlope := func(y int) bool { return sloped && y == s.band.ramp }
	if s.band.shape == walkway {
		for y := south; y <= s.north; y++ {
			s.bare(0, y)
		}
		return
	}
	for y := south; y <= s.north; {
		first, cell := y, ground(s.band.height(0, y))
		if y++; isSlope(first) {
			cell = slope
		} else { // rows of the same ground are filled at once
			for y <= s.north && !isSlope(y) && ground(s.band.height(0, y)) == cell {
				y++
			}
		}
		if cell != (gridworld.Cell{}) {
			s.world.Fill(s.at(s.west, first), s.at(s.east, y-1), cell)
		}
	}
}

// seeThrough returns the kind of wall that blocks the way but not the sight.
func (s *sketch) seeThrough() gridworld.Kind {
	if s.transparent {
		return gridworld.ClearWall
	}
	return gridworld.LowWall
}
