package worlds

import (
	"achilles/battery"
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

func number() paradigm {
	return paradigm{name: "number", plan: planNumber, asks: []ability{{
		name: "number", unit: "rewards", most: 6, always: true, doc: "number of rewards that must be distinguished from one fewer elsewhere; 0 where all are in one place",
		factor: numbers("number", "of number: rewards in the right well; another has one fewer", battery.Grain{2, 6, 1}, 2, 3, 4, 6),
		give:   func(p *policy.Parameters, x float64) { p.Number = x },
	}}}
}

// planNumber plans an item of number (Hanus and Call 2007): equal rewards are shown above wells, and fall into them at the
// same time. A subject that cannot tell their number goes where there are fewer. The load is the number in the right well;
// another well has one fewer, and no well has more. In congruent items all rewards fall into
// one well.
func planNumber(d *draft) bool {
	if !d.wellsInRow() {
		return false
	}
	rival := d.other(d.right)
	e := &d.event
	e.begin(d.places[d.right].plus(0, 1))
	type drop struct{ thing, well int }
	var drops []drop
	for i, w := range d.places {
		n := 0
		switch {
		case i == d.right:
			n = d.loads[0]
		case d.congruent:
		case i == rival:
			n = d.loads[0] - 1
		default:
			n = d.IntN(d.loads[0])
		}
		for k := range n {
			if i != d.right || k > 0 {
				drops = append(drops, drop{e.add(w.plus(0, k+1), 0), i})
			}
		}
	}
	e.show(d.places[d.right].spot)
	for _, x := range drops {
		e.move(x.thing, d.places[x.well].spot, gridworld.Air)
	}
	e.wait(1)
	e.rest(d.places[d.right].spot)
	for _, x := range drops {
		e.move(x.thing, d.places[x.well].spot, gridworld.Ground)
	}
	e.wait(1)
	return true
}
