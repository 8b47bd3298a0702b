package worlds

import "achilles/gridworld"

// The grid has 4, 8 or 12 holes in rows of four; pitches are in cells. An actor cannot leave a hole. It sees what lies in a
// deep hole only from the rim of the hole, and what lies in a shallow hole from anywhere.
const (
	gridColumns = 4
	columnPitch = 4
	rowPitch    = 3
)

func (s *sketch) planGrid(slack int) {
	s.zone = s.lowest() - 1
	end := s.zone - s.IntN(slack+1)
	s.band = s.bandTo(end)
	s.across(end - s.rise())
}

// buildGrid digs the holes.
func (s *sketch) buildGrid() {
	for _, st := range s.stations {
		kind := gridworld.ShallowHole
		if st.hidden {
			kind = gridworld.Hole
		}
		s.put(st.x, st.y, kind, s.paint)
	}
}
