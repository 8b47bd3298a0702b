package worlds

import "achilles/gridworld"

// lanePitch is the number of columns from one lane to the next. In the cups the actor chooses among three to twelve lanes
// that lie side by side, with the reward behind a wall near the end of one. A lane is two columns wide, so that one can
// walk round the wall. If a ledge or a one-way ramp leads to the lanes, an actor cannot leave the lane that it chose.
//
//	..#..#..     A lane east of the start has its place beside its western wall, one west of the start beside its
//	.g#.g#g.     eastern wall: the walls between lanes hide from the side what the cups do not.
//	.O#.O#O.
//	..#..#..
const lanePitch = 3 // place, the column beside it, wall

// planCups draws the lanes and the row where they begin.
func (s *sketch) planCups(slack int) {
	s.reach = 2 // the column beside the place, and the wall beyond it
	depth := 2 + s.IntN(min(slack, 2)+1)
	s.zone = s.dy - depth
	s.band = s.bandTo(s.zone)
	end := s.zone - s.rise()
	if s.rise() == 0 && s.point.strips() > 0 {
		end-- // a free row from which to choose a lane
	}
	s.across(end)
	n := min(s.total(3)+s.IntN(2), 12)
	s.lanes(n, s.IntN(n))
}

// lanes places n lanes; the number of lanes to the west of the reward's lane is `west`.
func (s *sketch) lanes(n, west int) {
	for i := range n - west {
		s.stations = append(s.stations, station{x: s.dx + lanePitch*i, y: s.dy})
	}
	for x := s.dx; west > 0; west-- {
		if x == 0 || x == 1 { // the inner walls of this lane and the next face each other: they are one wall
			x++
		}
		x -= lanePitch
		s.stations = append(s.stations, station{x: x, y: s.dy})
	}
}

// outward returns the direction, 1 or −1, from a lane's place to the second column of the lane.
func outward(x int) int {
	if x < 0 {
		return -1
	}
	return 1
}

// buildCups builds the lanes. If a lane must hide its place, its inner wall is opaque.
func (s *sketch) buildCups() {
	for _, st := range s.stations {
		s.sideWall(st.x+2*outward(st.x), st.hidden)
	}
	for _, hidden := range []bool{false, true} { // hidden lanes come last, so that a wall shared by two lanes is opaque if one of them must hide its place
		for _, st := range s.stations {
			if st.hidden == hidden {
				s.sideWall(st.x-outward(st.x), hidden)
			}
		}
	}
	for _, st := range s.stations {
		s.screen(st, 0)
		if s.lava {
			s.put(st.x, s.zone, gridworld.Lava, gridworld.None)
		}
	}
}

// sideWall builds a wall beside a lane.
func (s *sketch) sideWall(x int, opaque bool) {
	kind := s.seeThrough()
	if opaque {
		kind = gridworld.Wall
	}
	s.fill(x, s.zone, x, s.north, kind, gridworld.None)
}
