package worlds

import (
	"slices"

	"achilles/battery"
	"achilles/battery/measure"
	"achilles/gridworld/policy"
)

func detour() paradigm {
	return paradigm{name: "detour", plan: planDetour, agrees: walksBack, shortcuts: []string{"direct"}, asks: []ability{retreating("detour", battery.Grain{1, 6, 1}, 1, 2, 3, 5)}}
}

// retreating is the ability to go away from the reward first, with the levels of a paradigm.
func retreating(of string, grain battery.Grain, levels ...float64) ability {
	return ability{
		name: "retreat", unit: "cells", most: 6, always: true, doc: "by how many cells the way round a barrier leads away from the reward; 0 where no way does",
		factor: numbers("retreat", "of "+of+": by how many cells the way leads away from the reward first", grain, levels...),
		give:   func(p *policy.Parameters, x float64) { p.Retreat = x },
	}
}

// planDetour plans an item of detour (Köhler 1925): the reward falls into a well beyond a barrier, and every way round it
// leads away from the reward first. A subject that does not go away from where it wants to go stays before the barrier.
// The load is by how many cells one has to. The barrier is a fence, a corner or a cup around the actor; in congruent
// items it is not in the way to the right well, or has a door there.
func planDetour(d *draft) bool {
	if !d.wellsInRow() || !d.barrier() {
		return false
	}
	e := &d.event
	e.begin(d.places[d.right].spot)
	e.rest(d.places[d.right].spot)
	e.wait(1)
	return true
}

// walksBack says whether every cell away from the reward is walked twice: the way is never longer than it has to be for the load.
func walksBack(d *draft, m *measure.Measurement) string {
	if m.Steps-d.distance != 2*d.loads[0]*is(!d.congruent) {
		return "a way longer than need be"
	}
	return fits
}

// barrier lays a wall across the room, perhaps with a door. Its ends are some cells outside the columns through which the shortest ways to
// two of the wells lead, which may be any: so it is as likely to be in the way to one well as to another, and whether it asks for the load
// is measured. A cup has legs at both ends, which reach some rows behind the actor, and a corner has one at one end. barrier returns false
// if the actor would stand in it.
func (d *draft) barrier() bool {
	row := 1 + d.IntN(d.places[0].Y-leastAhead+1) // at least three rows before the wells, which take walls beside them for tubes
	any := func() int { return d.places[d.IntN(len(d.places))].X }
	west, east := min(0, any())-d.IntN(6), max(0, any())+d.IntN(6)
	wall := line(nil, xy(west, row), xy(east, row))
	legs, ends := d.IntN(4), [2]int{west, east}
	shape := d.IntN(3)
	if d.IntN(2) == 0 {
		ends = [2]int{east, west}
	}
	for _, x := range ends[:shape] { // a fence, a corner or a cup
		if x == 0 {
			return false
		}
		wall = line(wall, xy(x, row-1), xy(x, -legs))
	}
	door := spot{}
	if d.IntN(3) == 0 {
		door = xy(west+d.IntN(east-west+1), row)
	}
	d.wallOf(d.colours()[0], slices.DeleteFunc(wall, func(p spot) bool { return p == door }))
	return true
}
