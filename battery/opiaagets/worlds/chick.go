package worlds

import "achilles/gridworld"

// This file plans items after the experiment with chicks: a lake of lava or a fence of the same extent ahead, and screens
// beyond it on both sides. An actor that has stepped off the walkway cannot climb back.

// A lake is the area of lava or fence: from row y0 to y1, and reach columns to each side of the start.
type lake struct{ reach, y0, y1 int }

func (s *sketch) planChick(slack int) {
	s.reach = room{family: chick, stations: len(s.stations)}.reach()
	s.zone = s.dy - 2
	end := 1 + max(s.rise(), 1) + s.IntN(slack+1)
	s.band = s.bandTo(end)
	s.lake = lake{reach: 1 + s.IntN(2), y0: end, y1: s.zone - 1}
	for _, st := range s.stations {
		if st.x-s.reach <= s.lake.reach && st.x+s.reach >= -s.lake.reach {
			return
		}
	}
	s.lake.y1 = s.dy + 1 // up to the last row, so that no way joins the two sides
}

// reach returns the number of columns that a screen of the chicks takes to each side of its place.
func (r room) reach() int {
	if r.stations > 6 {
		return 1 // so many wide screens do not fit into a world
	}
	return 2
}

// flanks appends the rows of screens at row y on both sides of the start, in mirrored pairs as far as possible.
func (r room) flanks(list [][]spot, y int) [][]spot {
	pitch := 2*r.reach() + 2
	for inner := pitch / 2; inner <= pitch/2+mostApart; inner++ {
		for _, east := range []int{r.stations / 2, (r.stations + 1) / 2}[:1+r.stations%2] {
			var spots []spot
			for i := range r.stations {
				x := inner + pitch*i
				if i >= east {
					x = -(inner + pitch*(i-east))
				}
				spots = append(spots, xy(x, y))
			}
			list = append(list, spots)
		}
	}
	return list
}

// mostApart is the largest number of columns by which the screens nearest to the start are farther from it than they need be.
const mostApart = 12

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
