package worlds

import (
	"slices"

	"achilles/gridworld/policy"
)

func tunnel() paradigm {
	return paradigm{name: "tunnel", plan: func(d *draft) bool { return pipes{d}.planTunnel() }, narrow: threeWells, may: "tubes", asks: []ability{{ // straight on from a tunnel there may be a well
		name: "timing", unit: "0 or 1", most: 1, doc: "passing requires taking travel times into account",
		give: func(p *policy.Parameters, x float64) { p.Timing = x > 0 },
	}}}
}

// planTunnel plans an item with a tunnel: the reward goes into a tunnel with an exit above every well. The ways to the
// exits differ in length, and between each exit and its well is a gap in which a reward that comes out is seen. The
// lights are out only while the reward would come out of one exit, which may be any but the nearest: at the others one sees that it does
// not. A subject that ignores time expects it at the nearest exit; one that ignores tunnels expects it straight on. In congruent items
// the exit is the nearest.
func (d pipes) planTunnel() bool {
	n := d.positions + 1
	near := (n - 1) * d.IntN(2) // index of the well with the nearest exit
	if !d.row(n, func(k int) bool { return (k == near) == d.congruent }, 2, 4) {
		return false
	}
	mouth := d.bore(near)
	e := &d.event
	e.begin(mouth.plus(0, 4))
	e.moveReward(mouth.plus(0, 1), 3)
	e.wait(1)
	out := make([]int, n) // by exit: the tick at which the reward would be in its gap
	for k := range n {
		out[k] = e.tick + len(d.pathTo(mouth, k)) - 1
	}
	onward := 1 - 2*is(near > 0) // from one exit to the next farther one
	own := max(d.right-near, near-d.right)
	path := d.pathTo(mouth, d.right)
	if d.through(path[:len(path)-1]); !d.occluder {
		e.show(path[len(path)-1])
	} else {
		before := out[d.right] - 1 // the last tick at which the lights may still be on
		if own > 0 {
			before = out[d.right-onward]
		}
		e.darkFrom = before + 1 + d.IntN(out[d.right]-before)
		e.darkTo = out[d.right] + 1
		if own < n-1 {
			e.darkTo += d.IntN(out[d.right+onward] - out[d.right])
		}
	}
	e.wait(1)
	e.rest(d.places[d.right].spot)
	e.wait(2 + slices.Max(out) - out[d.right]) // the actor is held until nothing more could come out
	return true
}

// bore lays a tunnel whose mouth is above the well with index `end`, which is first or last in the row, or up to two
// columns further out. It returns the mouth.
func (d pipes) bore(end int) spot {
	first, last := d.places[0], d.places[len(d.places)-1]
	mouth := d.places[end].plus(0, tunnelTop)
	outward := 1
	if end == 0 {
		outward = -1
	}
	mouth.X += outward * d.IntN(3)
	path := line([]spot{mouth}, xy(min(first.X, mouth.X), first.Y+tunnelTop-1), xy(max(last.X, mouth.X), first.Y+tunnelTop-1))
	for _, w := range d.places {
		path = append(path, w.plus(0, tunnelTop-2))
	}
	d.wallOf(d.colours()[0], path)
	return mouth
}

// tunnelTop is the number of rows from the wells to the mouth. Between them are two rows of tunnel and a gap.
const tunnelTop = 4

// pathTo returns the cells from the mouth through the tunnel to the gap before a well.
func (d pipes) pathTo(mouth spot, well int) []spot {
	w := d.places[well]
	path := line([]spot{mouth}, xy(mouth.X, w.Y+tunnelTop-1), w.plus(0, tunnelTop-1))
	return line(path, w.plus(0, tunnelTop-1), w.plus(0, 1))
}
