package worlds

import (
	"strconv"

	"achilles/battery/measure"
)

// The grid has 4, 8 or 12 holes in rows of four; pitches are in cells. An actor cannot leave a hole. It sees what lies in a
// deep hole from nowhere else, and what lies in a shallow hole from anywhere.
const (
	gridColumns = 4
	columnPitch = 4
	rowPitch    = 3
)

func grid() paradigm {
	return family("grid", "grid", "GridLikeTasks", course{
		places: func(d onCourse) int { return (d.total(1) + gridColumns - 1) / gridColumns * gridColumns },
		least:  func(p *point) int { return 2 + len(p.obstacles()) + p.rise() }, // start, strips, rise, free row, place
		rooms: func(list [][]spot, n, y, farthest int) [][]spot {
			return rows(list, n, gridColumns, columnPitch, y, farthest)
		},
		across: func(d onCourse, slack int) {
			d.zone = d.lowest() - 1
			end := d.zone - d.IntN(slack+1)
			d.band = d.bandTo(end)
			d.across(end-d.rise(), d.obstacles()...)
		},
		stand: func(d onCourse) { d.dig(d.paint) },
		task:  func(d onCourse, _ *measure.Measurement) string { return strconv.Itoa(len(d.places)) + "CupGrid" },
	})
}
