package worlds

import (
	"strconv"

	"achilles/battery/measure"
	"achilles/gridworld"
)

// chick has items after the experiment with chicks: a lake of lava or a fence of the same extent ahead, and screens
// beyond it on both sides. An actor that has stepped off the walkway cannot climb back.
func chick() paradigm {
	return family("chick", "cv", "CVChickLikeTasks", course{
		places: func(d onCourse) int { return d.total(2) },
		least:  func(p *point) int { return 4 + max(p.rise(), 1) }, // start, rise (or else a free row), lake, free row, screen, place
		rooms: func(list [][]spot, n, y, farthest int) [][]spot {
			return flanks(rows(list, n, n, 2*screenReach(n)+2, y, farthest), n, y)
		},
		across: onCourse.planLake, stand: onCourse.buildLake,
		task: func(d onCourse, _ *measure.Measurement) string {
			if d.occluder {
				return strconv.Itoa(d.positions+1) + "Occluder"
			}
			return strconv.Itoa(len(d.places)) + d.frontWord("NoOccluder")
		},
	})
}

// A lake is the area of lava or fence: from row y0 to y1, and reach columns to each side of the start.
type lake struct{ reach, y0, y1 int }

// planLake draws where the lake is.
func (d onCourse) planLake(slack int) {
	d.reach = screenReach(len(d.places))
	d.zone = d.end().Y - 2
	end := 1 + max(d.rise(), 1) + d.IntN(slack+1)
	d.band = d.bandTo(end)
	d.lake = lake{reach: 1 + d.IntN(2), y0: end, y1: d.zone - 1}
	for _, st := range d.places {
		if st.X-d.reach <= d.lake.reach && st.X+d.reach >= -d.lake.reach {
			return
		}
	}
	d.lake.y1 = d.end().Y + 1 // up to the last row, so that no way joins the two sides
}

// screenReach returns the number of columns that a screen of n takes to each side of its place.
func screenReach(n int) int {
	if n > 6 {
		return 1 // so many wide screens do not fit into a world
	}
	return 2
}

// flanks appends the rows of n screens at row y on both sides of the start, in mirrored pairs as far as possible.
func flanks(list [][]spot, n, y int) [][]spot {
	pitch := 2*screenReach(n) + 2
	for inner := pitch / 2; inner <= pitch/2+mostApart; inner++ {
		for _, east := range []int{n / 2, (n + 1) / 2}[:1+n%2] {
			var spots []spot
			for i := range n {
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

func (d onCourse) buildLake() {
	kind := d.seeThrough()
	if d.lava {
		kind = gridworld.Lava
	}
	d.fill(-d.lake.reach, d.lake.y0, d.lake.reach, d.lake.y1, kind, gridworld.None)
	if d.transparent {
		d.fill(-1, d.south, -1, 0, gridworld.ClearWall, gridworld.None)
		d.fill(1, d.south, 1, 0, gridworld.ClearWall, gridworld.None)
	}
	d.screens(d.reach)
}
