package worlds

import "achilles/gridworld"

// The chicks: a lake of lava ahead, or a fence of the same extent, and screens beyond it on both sides. Whoever has
// stepped off the walkway cannot climb back.

// A lake is what lies ahead of the actor in the chicks' world: so many columns to each side, from row y0 to y1.
type lake struct{ reach, y0, y1 int }

func (s *sketch) planChick(slack int) {
	n := s.total(2)
	s.reach = 2
	if n > 6 {
		s.reach = 1 // a dozen wide screens do not fit into a world
	}
	s.zone = s.dy - 2
	end := 1 + max(s.rise(), 1) + s.IntN(slack+1)
	s.band = s.bandTo(end)
	s.lake = lake{reach: 1 + s.IntN(2), y0: end, y1: s.zone - 1}
	s.flank(n)
	for _, st := range s.stations {
		if st.x-s.reach <= s.lake.reach && st.x+s.reach >= -s.lake.reach {
			return
		}
	}
	s.lake.y1 = s.dy + 1 // up to the back: the two sides have no way between them
}

// flank places n screens on both sides of the start, mirror images of each other as far as there are enough.
func (s *sketch) flank(n int) {
	pitch := 2*s.reach + 2
	switch {
	case s.dx == 0:
		s.screens(n, n/2)
		return
	case 2*s.dx < pitch: // its mirror image would stand in its way
		s.screens(n, s.IntN(n))
		return
	}
	before := s.IntN(min((2*s.dx-pitch)/(2*pitch), n-1) + 1) // screens between the start and the reward's
	inner := s.dx - pitch*before
	east := max((n+1)/2, before+1)
	for i := range n {
		x := inner + pitch*i
		if i >= east {
			x = -(inner + pitch*(i-east))
		}
		s.stations = append(s.stations, station{x: x, y: s.dy})
	}
}

func (s *sketch) buildLake() {
	kind := s.seeThrough()
	if s.lava {
		kind = gridworld.Lava
	}
	s.fill(-s.lake.reach, s.lake.y0, s.lake.reach, s.lake.y1, kind)
	if s.transparent {
		s.fill(-1, south, -1, 0, gridworld.ClearWall)
		s.fill(1, south, 1, 0, gridworld.ClearWall)
	}
}
