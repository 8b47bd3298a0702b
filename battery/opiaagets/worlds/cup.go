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

// planCups draws the row where the lanes begin.
func (s *sketch) planCups(slack int) {
	s.reach = 2 // the column beside the place, and the wall beyond it
	s.ahead = 1 - 2*s.IntN(2)
	depth := 2 + s.IntN(min(slack, 2)+1)
	s.zone = s.dy - depth
	s.band = s.bandTo(s.zone)
	end := s.zone - s.rise()
	if s.rise() == 0 && s.point.strips() > 0 {
		end-- // a free row from which to choose a lane
	}
	s.across(end)
}

// lanes appends the rows of lanes at row y: some to the east of the start, and the others to the west. The inner walls of the innermost two
// face each other, or are one wall, unless one lane lies straight ahead.
func (r room) lanes(list [][]spot, y int) [][]spot {
	for _, inner := range [][2]int{{1, 1}, {1, 2}, {2, 1}, {0, lanePitch}} {
		for east := range r.stations + 1 {
			var spots []spot
			for i := range east {
				spots = append(spots, xy(inner[0]+lanePitch*i, y))
			}
			for i := range r.stations - east {
				spots = append(spots, xy(-inner[1]-lanePitch*i, y))
			}
			list = append(list, spots)
		}
	}
	return list
}

// outward returns the direction, 1 or −1, from a lane's place to the second column of the lane: away from the start, or either if it lies
// straight ahead.
func (s *sketch) outward(x int) int {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return s.ahead
}

// buildCups builds the lanes. If a lane must hide its place, its inner wall is opaque.
func (s *sketch) buildCups() {
	for _, st := range s.stations {
		s.sideWall(st.x+2*s.outward(st.x), st.hidden)
	}
	for _, hidden := range []bool{false, true} { // hidden lanes come last, so that a wall shared by two lanes is opaque if one of them must hide its place
		for _, st := range s.stations {
			if st.hidden == hidden {
				s.sideWall(st.x-s.outward(st.x), hidden)
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
