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
	rows := (s.total(1) + gridColumns - 1) / gridColumns
	row := s.IntN(min(rows-1, slack/rowPitch) + 1)
	column := s.IntN(gridColumns)
	slack -= rowPitch * row
	s.zone = s.dy - rowPitch*row - 1
	end := s.zone - s.IntN(slack+1)
	s.band = s.bandTo(end)
	s.across(end - s.rise())
	for j := range rows {
		for i := range gridColumns {
			s.stations = append(s.stations, station{
				x: s.dx + columnPitch*(i-column), y: s.dy + rowPitch*(j-row), row: j, outer: i == 0 || i == gridColumns-1,
			})
		}
	}
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
