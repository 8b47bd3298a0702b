package worlds

import (
	"achilles/battery/measure"
	"achilles/gridworld"
)

// basic has the basic controls: an open room with no, one or several obstacles on the way. With an occluder the reward
// lies behind one of several free-standing walls, and nothing keeps the actor from looking behind another.
func basic() paradigm {
	return family("basic", "basic", "Navigation", course{turns: true, stand: func(d onCourse) { d.screens(d.reach) }, task: basicTask,
		places: func(d onCourse) int {
			if n := d.total(1); d.occluder || d.front != bareFront {
				return n
			}
			return 1 // without an obstacle a place does not differ from the rest of the room
		},
		least: func(p *point) int { return 3 + len(p.obstacles()) + p.rise() }, // start, strips, rise, free row, screen, place
		rooms: func(list [][]spot, n, y, farthest int) [][]spot { return rows(list, n, n, columnPitch, y, farthest) },
		across: func(d onCourse, slack int) {
			d.reach, d.zone = 1, d.end().Y-2
			end := d.zone - d.IntN(slack+1)
			d.band = d.bandTo(end)
			end -= d.rise()
			kinds := d.obstacles()
			if len(kinds) == 0 && end > 1 && d.IntN(2) == 0 {
				kinds = append(kinds, gridworld.LowWall)
			}
			d.across(end, kinds...)
		},
	})
}

// basicTask returns the name of a basic control, by its first obstacle.
func basicTask(d onCourse, _ *measure.Measurement) string {
	switch {
	case d.occluder:
		return "HighW"
	case d.turned:
		return "TurnAround"
	case d.ramp && d.band.shape == down:
		return "RampDown"
	case d.ramp:
		return "RampUp"
	case d.lava:
		return "Lava"
	case d.transparent:
		return "TransparentW"
	case d.platform:
		return "Ledge"
	case len(d.strips) > 0 || d.front == lowFront:
		return "OpaqueW"
	case d.bounce:
		return "Moving"
	case d.side != 0:
		return "Turning"
	}
	return "Sanity"
}
