package worlds

import "achilles/gridworld"

// screen builds the wall of a station, before or behind its place, over `reach` columns to each side.
func (s *sketch) screen(st station, reach int) {
	y, kind := st.y-1, gridworld.Occluder
	switch {
	case st.hidden:
	case s.front == bareFront:
		return
	case s.front == backWall:
		y = st.y + 1
	default:
		kind = s.seeThrough()
	}
	s.fill(st.x-reach, y, st.x+reach, y, kind, s.paint)
}

// screens places n stations in a row, with a free column between their screens. The number of stations to the west of the
// reward's station is `west`.
func (s *sketch) screens(n, west int) {
	pitch := 2*s.reach + 2
	for i := range n {
		s.stations = append(s.stations, station{x: s.dx + pitch*(i-west), y: s.dy})
	}
}

// buildScreens builds free-standing walls in front of the places.
func (s *sketch) buildScreens() {
	for _, st := range s.stations {
		s.screen(st, s.reach)
	}
}
