package permanence

import (
	"achilles/battery/opiaagets"
	"achilles/gridworld"
)

// planTubes plans an item of tubes (Hood 1995): the reward goes into a tube that leads to another well than the one
// straight on. It falls in from above, or it rolls in from the side. In the second case gravity does not pull it
// towards the well below; the load is then 0. A subject that ignores tubes expects the reward in the well straight on,
// if there is one. In congruent items the tube is straight.
func planTubes(d *draft) bool {
	if !d.wellsInRow() {
		return false
	}
	from := d.right
	if !d.congruent {
		from = d.other(d.right)
	}
	paint := d.colours()
	path := d.tube(from, d.right, tubeTop-2, paint[0])
	if !d.congruent && len(d.wells) > 2 {
		d.tube(d.other(from, d.right), from, tubeTop-4, paint[1])
	}
	mouth := path[0]
	ahead := spot{0, 1}
	if d.loads[0] == 0 {
		ahead = spot{1 - 2*d.IntN(2), 0}
	}
	d.event.begin(mouth.plus(4*ahead.x, 4*ahead.y))
	d.event.moveReward(mouth.plus(ahead.x, ahead.y), 3)
	d.event.wait(1)
	d.through(path)
	d.event.rest(d.wells[d.right].spot)
	return true
}

// tubeTop is the number of rows from the wells to the upper ends of tubes.
const tubeTop = 6

// tube lays a tube from the well with index from to that with index to. The tube begins tubeTop cells above the first
// well, goes straight down to `row` cells above the wells, then sideways, and down to the cell above the second well. tube
// returns the cells of the tube in this order.
func (d *draft) tube(from, to, row int, colour gridworld.Colour) []spot {
	path := line(nil, d.wells[from].plus(0, tubeTop), d.wells[from].plus(0, row))
	path = line(path, d.wells[from].plus(0, row), d.wells[to].plus(0, row))
	path = line(path, d.wells[to].plus(0, row), d.wells[to].plus(0, 1))
	for _, p := range path {
		d.pieces = append(d.pieces, piece{p, colour})
	}
	return path
}

// line appends the cells of a straight line to a path, without its first cell if the path ends there.
func line(path []spot, from, to spot) []spot {
	step := spot{sign(to.x - from.x), sign(to.y - from.y)}
	for p := from; ; p = p.plus(step.x, step.y) {
		if len(path) == 0 || path[len(path)-1] != p {
			path = append(path, p)
		}
		if p == to {
			return path
		}
	}
}

func sign(x int) int { return max(-1, min(1, x)) }

// through moves the reward along a path, one cell per tick. It is in sight in controls only.
func (d *draft) through(path []spot) {
	if d.occluder {
		d.event.hide()
		d.event.wait(len(path))
		return
	}
	for _, p := range path {
		d.event.show(p)
		d.event.wait(1)
	}
}

// colours returns the colours of walls in O-PIAAGETS, in a random order.
func (d *draft) colours() []gridworld.Colour {
	var out []gridworld.Colour
	_, rgb := opiaagets.Colours()
	for _, i := range d.Perm(len(rgb)) {
		out = append(out, gridworld.RGB(uint8(rgb[i][0]), uint8(rgb[i][1]), uint8(rgb[i][2])))
	}
	return out
}
