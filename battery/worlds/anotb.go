package worlds

import (
	"achilles/battery"
	"achilles/gridworld/policy"
)

func aNotB() paradigm {
	return paradigm{name: "a-not-b", plan: planANotB, shortcuts: []string{"perseverate"}, asks: []ability{{
		name: "hidings", unit: "hidings", most: 6, doc: "number of earlier hidings elsewhere; 0 if perseveration passes",
		factor: numbers("hidings", "of A not B: in A", battery.Grain{1, 6, 1}, 1, 2, 4, 6),
		give:   func(p *policy.Parameters, x float64) { p.Inhibit = x },
	}}}
}

// planANotB plans an item of the task "A not B" (Piaget 1954): the reward is hidden in well A and found there, several
// times; then, in full view, it is hidden in well B. A subject that perseverates goes to A. The load is the number of
// times that the reward is hidden in A. In congruent items B is A.
func planANotB(d *draft) bool {
	if !d.wellsInRow() {
		return false
	}
	a := d.right
	if !d.congruent {
		a = d.other(d.right)
	}
	e := &d.event
	e.begin(d.places[a].spot)
	for range d.loads[0] {
		e.rest(d.places[a].spot)
		e.wait(2)
		e.show(d.places[a].spot)
		e.wait(2)
	}
	if !d.congruent {
		e.moveReward(d.places[d.right].spot, 4)
		e.wait(stillTicks)
	}
	e.rest(d.places[d.right].spot)
	return true
}
