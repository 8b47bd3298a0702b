package worlds

import (
	"strconv"

	"achilles/battery/measure"
	"achilles/gridworld"
)

// lanePitch is the number of columns from one lane to the next. In the cups the actor chooses among three to twelve lanes
// that lie side by side, with the reward behind a wall near the end of one. A lane is two columns wide, so that one can
// walk round the wall. If a ledge or a one-way ramp leads to the lanes, an actor cannot leave the lane that it chose.
//
//	..#..#..     A lane east of the start has its place beside its western wall, one west of the start beside its
//	.g#.g#g.     eastern wall: the walls between lanes hide from the side what the cups do not.
//	.O#.O#O.
//	..#..#..
const lanePitch = 3 // place, the column beside it, wall

// cups has three cups and more. In them the lava lies in the lanes.
func cups() paradigm {
	return family("cups", "cup", "3CupLikeTasks", course{
		places: func(d onCourse) int { return min(d.total(3)+d.IntN(2), 12) },
		least: func(p *point) int { // start, strips, rise (or else a free row), two rows of lane, place
			return 3 + is(p.transparent) + max(p.rise(), is(p.transparent))
		},
		rooms: func(list [][]spot, n, y, _ int) [][]spot { return lanes(list, n, y) },
		across: func(d onCourse, slack int) {
			d.reach = 2 // the column beside the place, and the wall beyond it
			d.ahead = 1 - 2*d.IntN(2)
			d.zone = d.end().Y - 2 - d.IntN(min(slack, 2)+1)
			d.band = d.bandTo(d.zone)
			if !d.transparent {
				return
			}
			end := d.zone - d.rise()
			if d.rise() == 0 {
				end-- // a free row from which to choose a lane
			}
			d.across(end, gridworld.ClearWall)
		},
		stand: onCourse.buildCups,
		task: func(d onCourse, m *measure.Measurement) string {
			if m.Forced {
				return strconv.Itoa(len(d.places)) + "CupFC" + d.frontWord("NoW")
			}
			return strconv.Itoa(len(d.places)) + "CupFree" + d.frontWord("NoW")
		},
	})
}

// lanes appends the rows of n lanes at row y: some to the east of the start, and the others to the west. The inner walls of the innermost two
// face each other, or are one wall, unless one lane lies straight ahead.
func lanes(list [][]spot, n, y int) [][]spot {
	for _, inner := range [][2]int{{1, 1}, {1, 2}, {2, 1}, {0, lanePitch}} {
		for east := range n + 1 {
			var spots []spot
			for i := range east {
				spots = append(spots, xy(inner[0]+lanePitch*i, y))
			}
			for i := range n - east {
				spots = append(spots, xy(-inner[1]-lanePitch*i, y))
			}
			list = append(list, spots)
		}
	}
	return list
}

// laneSide returns the direction, 1 or −1, from a lane's place to the second column of the lane: away from the start, or either if it lies
// straight ahead.
func (d onCourse) laneSide(x int) int {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return d.ahead
}

// buildCups builds the lanes. If a lane must hide its place, its inner wall is opaque.
func (d onCourse) buildCups() {
	for _, st := range d.places {
		d.sideWall(st.X+2*d.laneSide(st.X), st.hidden)
	}
	for _, hidden := range []bool{false, true} { // hidden lanes come last, so that a wall shared by two lanes is opaque if one of them must hide its place
		for _, st := range d.places {
			if st.hidden == hidden {
				d.sideWall(st.X-d.laneSide(st.X), hidden)
			}
		}
	}
	d.screens(0)
	if d.lava {
		for _, st := range d.places {
			d.put(xy(st.X, d.zone), gridworld.Lava, gridworld.None)
		}
	}
}

// sideWall builds a wall beside a lane.
func (d onCourse) sideWall(x int, opaque bool) {
	kind := d.seeThrough()
	if opaque {
		kind = gridworld.Wall
	}
	d.fill(x, d.zone, x, d.north, kind, gridworld.None)
}
