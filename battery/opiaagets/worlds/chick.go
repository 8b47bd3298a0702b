package worlds

import "achilles/gridworld"

// This file plans items after the experiment with chicks: a lake of lava or a fence of the same extent ahead, and screens
// beyond it on both sides. An actor that has stepped off the walkway cannot climb back.

// A lake is the area of lava or fence: from row y0 to y1, and reach columns to each side of the start.
type lake struct{ reach, y0, y1 int }

func (s *sketch) planChick(slack int) {
	n := s.total(2)
	s.reach = 2
	if n > 6 {
		s.reach = 1 // so many wide screens do not fit into a world
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
	s.lake.y1 = s.dy + 1 // up to the last row, so that no way joins the two sides
}

// flank places n screens on both sides of the start, in mirrored pairs as far as possible.
func (s *sketch) flank(n int) {
	pitch := 2*s.reach + 2
	switch {
	case s.dx == 0:
		s.screens(n, n/2)
		return
	case 2*s.dx < pitch: // a screen at the reward and its mirror image would overlap
		s.screens(n, s.IntN(n))
		return
	}
	before := s.IntN(min((2*s.dx-pitch)/(2*pitch), n-1) + 1) // number of screens between the start and the reward's screen
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
	s.fill(-s.lake.reach, s.lake.y0, s.lake.reach, s.lake.y1, kind, gridworld.None)
	if s.transparent {
		s.fill(-1, south, -1, 0, gridworld.ClearWall, gridworld.None)
		s.fill(1, south, 1, 0, gridworld.ClearWall, gridworld.None)
	}
}
