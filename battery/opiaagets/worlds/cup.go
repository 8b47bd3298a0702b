package worlds

import "achilles/gridworld"

// Three cups, and up to twelve: lanes side by side, the reward behind a wall near the end of one of them. A lane is two
// columns wide, so that one can walk round the wall. Where the lanes lie beyond a ledge or a one-way ramp, whoever is
// in one stays there.
//
//	..#..#..     A lane east of the start has its place beside its western wall, one west of the start beside its
//	.g#.g#g.     eastern wall: the walls hide from aside what the cups alone would not hide.
//	.O#.O#O.
//	..#..#..
const lanePitch = 3 // place, the column beside it, wall

// planCups draws the lanes and where they begin.
func (s *sketch) planCups(slack int) {
	s.reach = 2 // the column beside the place, and the wall beyond
	depth := 2 + s.IntN(min(slack, 2)+1)
	s.zone = s.dy - depth
	s.band = s.bandTo(s.zone)
	end := s.zone - s.rise()
	if s.rise() == 0 && s.point.strips() > 0 {
		end-- // leave a row to choose a lane from
	}
	s.across(end)
	n := min(s.total(3)+s.IntN(2), 12)
	s.lanes(n, s.IntN(n))
}

// lanes places n lanes of which the reward's has so many to its west.
func (s *sketch) lanes(n, west int) {
	for i := range n - west {
		s.stations = append(s.stations, station{x: s.dx + lanePitch*i, y: s.dy})
	}
	for x := s.dx; west > 0; west-- {
		if x == 0 || x == 1 { // this lane and the next turn their walls towards the start: it is one wall
			x++
		}
		x -= lanePitch
		s.stations = append(s.stations, station{x: x, y: s.dy})
	}
}

// outward is the direction from a lane's place to the column beside it.
func outward(x int) int {
	if x < 0 {
		return -1
	}
	return 1
}

// buildCups builds the lanes. The inner wall of a lane that is to hide its place is opaque.
func (s *sketch) buildCups() {
	for _, st := range s.stations {
		s.sideWall(st.x+2*outward(st.x), st.hidden)
	}
	for _, hidden := range []bool{false, true} { // in this order: a wall that two lanes share is opaque if one is to hide
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
	s.fill(x, s.zone, x, s.north, kind)
}
