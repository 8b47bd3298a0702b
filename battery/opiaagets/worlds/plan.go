package worlds

import (
	"slices"

	"achilles/gridworld"
)

// mostMargin is the largest number of empty columns beside the outermost obstacle.
const mostMargin = 3

// plan draws what stands where. It returns fits, or noRoom if the point cannot be built.
func (s *sketch) plan() reason {
	s.strips, s.stations = s.strips[:0], s.stations[:0]
	s.reach, s.lake = 0, lake{} // delete what the plan of the last candidate set
	s.turned = s.family == basic && !s.occluder && s.hidden == 0 && !s.bounce && s.IntN(4) == 0
	coin := s.IntN(2) == 0
	s.mirrored = s.side < 0 || s.side == 0 && coin
	if s.turned && s.side != 0 {
		s.mirrored = !s.mirrored // with its back to the stations, the actor's left is the east
	}
	s.chooseFront()
	if !s.layOut() {
		return noRoom
	}
	slack := s.lowest() - s.least()
	switch s.family {
	case cup:
		s.planCups(slack)
	case grid:
		s.planGrid(slack)
	case chick:
		s.planChick(slack)
	case basic:
		s.planBasic(slack)
	}
	s.chooseHidden()
	s.margins()
	if s.east-s.west+1 > gridworld.MaxSide {
		return noRoom
	}
	return fits
}

// A room is what the layout of stations depends on, besides the levels of the design.
type room struct {
	family   family
	stations int
	least    int
}

// layOut draws the stations, and which of them is the right one, such that it has the distance and the side of the point, and the room
// says as little as possible of which it is (workshop.Rooms). It returns false if there is no such room.
func (s *sketch) layOut() bool {
	key := room{s.family, 0, s.least()}
	switch s.family {
	case cup:
		key.stations = min(s.total(3)+s.IntN(2), 12)
	case grid:
		key.stations = (s.total(1) + gridColumns - 1) / gridColumns * gridColumns
	case chick:
		key.stations = s.total(2)
	case basic:
		if key.stations = s.total(1); !s.occluder && s.front == bareFront {
			key.stations = 1 // without an obstacle a place does not differ from the rest of the room
		}
	}
	if s.rooms[key] == nil {
		s.rooms[key] = s.levels.Rooms(key.all(slices.Max(s.levels.Distances)))
	}
	spots, right := s.rooms[key].Draw(&s.Rand, s.distance, max(s.side, -s.side), func(int) bool { return true })
	if spots == nil {
		return false
	}
	s.dx, s.dy = spots[right].X, spots[right].Y
	for i, p := range spots {
		st := station{x: p.X, y: p.Y}
		if s.family == grid {
			st.row, st.outer = i/gridColumns, i%gridColumns == 0 || i%gridColumns == gridColumns-1
		}
		s.stations = append(s.stations, st)
	}
	return true
}

// all returns all ways to lay out the stations of a room. With each its mirror image is among them.
func (r room) all(farthest int) (list [][]spot) {
	for y := r.least; y <= farthest; y++ {
		switch r.family {
		case cup:
			list = r.lanes(list, y)
		case chick:
			list = r.flanks(r.rows(list, y, 2*r.reach()+2, farthest), y)
		default:
			list = r.rows(list, y, columnPitch, farthest)
		}
	}
	return list
}

// rows appends the rows of stations, or of the grid's columns, some columns apart, whose first row is y.
func (r room) rows(list [][]spot, y, pitch, farthest int) [][]spot {
	columns := r.stations
	if r.family == grid {
		columns = gridColumns
	}
	for x := -farthest - pitch*(columns-1); x <= farthest; x++ {
		var spots []spot
		for i := range r.stations {
			spots = append(spots, xy(x+pitch*(i%columns), y+rowPitch*(i/columns)))
		}
		list = append(list, spots)
	}
	return list
}

func xy(x, y int) spot { return spot{X: x, Y: y} }

// lowest returns the first row of stations.
func (s *sketch) lowest() int {
	y := s.stations[0].y
	for _, st := range s.stations {
		y = min(y, st.y)
	}
	return y
}

// least returns the number of rows that the obstacles of a point need from the start to a place.
func (p *point) least() int {
	strips, rise := p.strips(), p.rise()
	switch p.family {
	case cup: // start, strips, rise (or else a free row), two rows of lane, place
		return 3 + strips + max(rise, is(strips > 0))
	case grid: // start, strips, rise, free row, place
		return 2 + strips + rise
	case chick: // start, rise (or else a free row), lake, free row, screen, place
		return 4 + max(rise, 1)
	}
	return 3 + strips + rise // start, strips, rise, free row, screen, place
}

// chooseFront draws what stands at places that are in sight.
func (s *sketch) chooseFront() {
	s.front = [...]front{bareFront, lowFront, backWall}[s.IntN(3)]
	if s.transparent {
		s.front = clearFront
	}
}

// total returns the number of stations: the right one and the other positions, and at least atLeast. For controls it draws
// the number of other positions from the levels of the design, so that controls have as many stations as items with an
// occluder.
func (s *sketch) total(atLeast int) int {
	others := s.positions
	if !s.occluder {
		others = whole(s.others[s.IntN(len(s.others))])
	}
	return max(atLeast, others+1)
}

// chooseHidden draws which stations hide what lies there. In items with an occluder these are the right one and as many
// others as there are positions; in controls, none.
func (s *sketch) chooseHidden() {
	for i := range s.stations {
		st := &s.stations[i]
		st.hidden = s.occluder && st.x == s.dx && st.y == s.dy
	}
	if !s.occluder {
		return
	}
	open := len(s.stations) - 1
	need := s.positions
	for i := range s.stations {
		if s.stations[i].hidden {
			continue
		}
		if s.IntN(open) < need { // selection sampling: each of the open ones with probability need/open
			s.stations[i].hidden = true
			need--
		}
		open--
	}
}

// margins sets the extent of the world. It has all stations and obstacles, and at least the columns from −4 to 4. A random
// number of empty columns, 1 to mostMargin, is added in the west and in the east, and one empty row in the north.
func (s *sketch) margins() {
	s.west, s.east, s.north = -4, 4, s.dy
	for _, st := range s.stations {
		s.west, s.east, s.north = min(s.west, st.x-s.reach), max(s.east, st.x+s.reach), max(s.north, st.y)
	}
	for _, o := range s.strips {
		s.west, s.east = min(s.west, o.x0), max(s.east, o.x1)
	}
	s.west -= 1 + s.IntN(mostMargin)
	s.east += 1 + s.IntN(mostMargin)
	s.north++
}

// across draws strips of obstacles between the start and row `end`, nearest first. They block the way straight ahead.
func (s *sketch) across(end int) {
	kinds := make([]gridworld.Kind, 0, 2)
	if s.lava && s.family != cup {
		kinds = append(kinds, gridworld.Lava)
	}
	if s.transparent {
		kinds = append(kinds, gridworld.ClearWall)
	}
	if s.family == basic && len(kinds) == 0 && end > 1 && s.IntN(2) == 0 {
		kinds = append(kinds, gridworld.LowWall)
	}
	if len(kinds) == 0 {
		return
	}
	y := 1 + s.IntN(end-len(kinds))
	x0 := s.IntN(3) - 4
	for i, k := range kinds {
		o := strip{y: y + i, x0: x0, x1: x0 + 6, kind: k}
		s.strips = append(s.strips, o)
		if k == gridworld.Lava && s.IntN(3) == 0 { // a second strip in the same row, with a gap between
			o.x0 += 8 - 16*s.IntN(2)
			o.x1 = o.x0 + 6
			s.strips = append(s.strips, o)
		}
	}
}
