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

// buildScreens builds free-standing walls in front of the places.
func (s *sketch) buildScreens() {
	for _, st := range s.stations {
		s.screen(st, s.reach)
	}
}
