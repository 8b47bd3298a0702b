package worlds

import (
	"achilles/battery"
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

func ratio() paradigm {
	return paradigm{name: "ratio", plan: func(d *draft) bool { return heaps{d}.plan() }, shortcuts: []string{"largestArea"}, asks: []ability{telling(), {
		name: "area", unit: "0 or 1", most: 1, always: true, doc: "passing requires going by number, not by total area",
		factor: numbers("area", "of ratio: 1: the fewer rewards have the larger total area", battery.Grain{0, 1, 1}, 0, 1),
		give:   func(p *policy.Parameters, x float64) { p.Area = x > 0 },
	}}}
}

// telling is the ability to tell numbers apart by their ratio.
func telling() ability {
	return ability{
		name: "ratio", unit: "rewards", most: 6, always: true, doc: "n, where heaps are in the ratio n − 1 to n; 0 where all are in one place",
		factor: numbers("ratio", "of ratio and cohesion", battery.Grain{2, 6, 1}, 2, 3, 4, 6),
		give:   func(p *policy.Parameters, x float64) { p.Ratio = x },
	}
}

// A heaps is a draft of an item in which heaps of rewards fall into wells at the same time.
type heaps struct{ *draft }

// mostHeaped is the largest number of rewards of a heap whose number is a multiple of that of the ratio.
const mostHeaped = 8

// plan plans an item of ratio (Hanus and Call 2007; Feigenson, Carey and Spelke 2002): equal rewards are shown above wells, and fall into
// them at the same time. The load is n where the right well has n, and another n − 1, or multiples of these: so the ratio and the number vary
// apart. Where the area is opposed, those n − 1 are so much larger that their total area is larger, and a subject that goes by area goes
// wrong; elsewhere they are a little smaller. At further wells fewer are of either size. In congruent items all rewards fall into one well.
func (d heaps) plan() bool {
	if !d.wellsInRow() {
		return false
	}
	times := 1 + d.IntN(max(1, mostHeaped/d.loads[0]))
	most, next := times*d.loads[0], times*(d.loads[0]-1)
	wide := d.size
	if d.loads[1] == 0 { // a little smaller, so that the smallest are not the right ones everywhere; who sees the right ones sees them too
		wide -= wide * (1 + d.IntN(4)) / 100
	} else { // areas go with the squares of sizes
		for next*wide*wide*10 < most*d.size*d.size*(11+d.IntN(8)) {
			wide++
		}
	}
	rival := d.other(d.right)
	e := &d.event
	e.begin(d.places[d.right].plus(0, 1))
	for i, w := range d.places {
		n := 0
		switch {
		case i == d.right:
			n = most - 1 // and the first
		case d.congruent:
		case i == rival:
			n = next
		default:
			n = d.IntN(min(next, 3))
		}
		alike := i == d.right || i != rival && d.IntN(2) == 0 // in size: or the right ones would be the odd ones out
		for k := range n {
			t := e.add(w.plus(0, k+1+is(i == d.right)), 0)
			if !alike {
				e.things[t].wide = wide
			}
		}
	}
	d.fall()
	return true
}

// fall lets all things fall into the wells above which they are.
func (d heaps) fall() {
	e := &d.event
	for _, state := range []gridworld.State{gridworld.Air, gridworld.Ground} {
		for t := range e.things {
			if w := d.below(t); t > 0 {
				e.move(t, w, state)
			} else if state == gridworld.Air {
				e.show(w)
			} else {
				e.rest(w)
			}
		}
		e.wait(1)
	}
}

// below returns the well nearest to a thing at tick 0.
func (d heaps) below(thing int) spot {
	best := d.places[0].spot
	aside := func(w spot) int { return max(w.X-d.event.things[thing].X, d.event.things[thing].X-w.X) }
	for _, w := range d.places {
		if aside(w.spot) < aside(best) {
			best = w.spot
		}
	}
	return best
}
