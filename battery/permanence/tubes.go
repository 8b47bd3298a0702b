package permanence

import (
	"achilles/battery/opiaagets"
	"achilles/gridworld"
)

// planTubes plans an item of tubes (Hood 1995): tubes lead from above every well but the last to the next one, and the reward goes into
// one of them. It falls in from above, or it rolls in from the side. In the second case gravity does not pull it towards the well below;
// the load is then 0. A subject that ignores tubes expects the reward in the well straight on. In congruent items all tubes are straight.
func planTubes(d *draft) bool {
	n := d.positions + 1
	to := 1 - 2*d.IntN(2) // the direction in which tubes lead, along the row
	first := (n - 1) * is(to < 0)
	if !d.row(n, func(k int) bool { return d.congruent || k != first }, 2, 4) {
		return false
	}
	paint := d.colours()
	var path []spot
	for i := range n { // from the well to which no tube leads on
		from := first + to*i
		end, row := from+to, 3+2*i // nothing else may come as near to a well as two cells above it
		if d.congruent {
			end = from
		}
		if end < 0 || end == n {
			continue
		}
		if tube := d.tube(from, end, row, 2*n+1, paint[i%len(paint)]); end == d.right {
			path = tube
		}
	}
	mouth := path[0]
	ahead := xy(0, 1)
	if d.loads[0] == 0 {
		ahead = xy(1-2*d.IntN(2), 0)
	}
	d.event.begin(mouth.Plus(4*ahead.X, 4*ahead.Y))
	d.event.moveReward(mouth.Plus(ahead.X, ahead.Y), 3)
	d.event.wait(1)
	d.through(path)
	d.event.rest(d.wells[d.right].spot)
	return true
}

// tube lays a tube from the well with index from to that with index to. The tube begins `top` cells above the first
// well, goes straight down to `row` cells above the wells, then sideways, and down to the cell above the second well. tube
// returns the cells of the tube in this order.
func (d *draft) tube(from, to, row, top int, colour gridworld.Colour) []spot {
	path := line(nil, d.wells[from].Plus(0, top), d.wells[from].Plus(0, row))
	path = line(path, d.wells[from].Plus(0, row), d.wells[to].Plus(0, row))
	path = line(path, d.wells[to].Plus(0, row), d.wells[to].Plus(0, 1))
	for _, p := range path {
		d.pieces = append(d.pieces, piece{p, colour})
	}
	return path
}

// line appends the cells of a straight line to a path, without its first cell if the path ends there.
func line(path []spot, from, to spot) []spot {
	step := xy(sign(to.X-from.X), sign(to.Y-from.Y))
	for p := from; ; p = p.Plus(step.X, step.Y) {
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
