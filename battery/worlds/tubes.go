package worlds

import (
	"errors"

	"achilles/battery"
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

func tubes() paradigm {
	return paradigm{name: "tubes", plan: func(d *draft) bool { return pipes{d}.planTubes() }, narrow: func(l levels) error { return errors.Join(threeWells(l), congruent(1, 3)(l)) }, asks: []ability{{
		name: "tubes", unit: "0 or 1", most: 1, doc: "passing requires taking tubes into account",
		factor: numbers("gravity", "of tubes: with 0 the reward rolls in from aside", battery.Grain{0, 1, 1}, 0, 1, 1),
		give:   func(p *policy.Parameters, x float64) { p.Tubes = x > 0 },
	}},
		never: func(p *point) bool { return p.congruent && p.loads[0] == 0 },
		why:   "straight tubes (congruent) have gravity",
	}
}

func threeWells(l levels) error {
	return l.only("numPositions", func(x float64) bool { return x > 1 },
		"of two wells a tube or a tunnel can lead to one only: give it a level above 1, or leave out the paradigms tubes and tunnel")
}

// pipes is a draft of an item in which the reward goes through a tube or tunnel.
type pipes struct{ *draft }

// planTubes plans an item of tubes (Hood 1995): tubes lead from above every well but the last to the next one, and the reward goes into
// one of them. It falls in from above, or it rolls in from the side. In the second case gravity does not pull it towards the well below;
// the load is then 0. A subject that ignores tubes expects the reward in the well straight on. In congruent items all tubes are straight.
func (d pipes) planTubes() bool {
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
	d.event.begin(mouth.plus(4*ahead.X, 4*ahead.Y))
	d.event.moveReward(mouth.plus(ahead.X, ahead.Y), 3)
	d.event.wait(1)
	d.through(path)
	d.event.rest(d.places[d.right].spot)
	return true
}

// tube lays a tube from the well with index from to that with index to. The tube begins `top` cells above the first
// well, goes straight down to `row` cells above the wells, then sideways, and down to the cell above the second well. tube
// returns the cells of the tube in this order.
func (d pipes) tube(from, to, row, top int, colour gridworld.Colour) []spot {
	path := line(nil, d.places[from].plus(0, top), d.places[from].plus(0, row))
	path = line(path, d.places[from].plus(0, row), d.places[to].plus(0, row))
	path = line(path, d.places[to].plus(0, row), d.places[to].plus(0, 1))
	d.wallOf(colour, path)
	return path
}

// through moves the reward along a path, one cell per tick. It is in sight in controls only.
func (d pipes) through(path []spot) {
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
