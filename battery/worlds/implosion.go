package worlds

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

func implosion() paradigm {
	return paradigm{name: "implosion", plan: planImplosion, narrow: congruent(1, 2), shortcuts: []string{"bestSeen"}, asks: []ability{{
		name: "gone", unit: "0 or 1", most: 1, doc: "passing requires taking what vanished in the open to be gone",
		give: func(p *policy.Parameters, x float64) { p.Gone = x > 0 },
	}}}
}

// planImplosion plans an item of implosion and explosion (Scholl and Pylyshyn 1999): one reward is hidden in a well; then a better one
// vanishes in the open, high above another well. A subject to whom what is out of sight is out of sight, however it went, goes there. In
// congruent items the better one falls into that well. In half of the items the other reward has come out of nothing: it is there all the same.
func planImplosion(d *draft) bool {
	if !d.wellsInRow() {
		return false
	}
	const high = 3 // above what could fall into a well
	worse, better := kind{value: 1, colour: (d.colour + 1) % len(goalColours)}, kind{value: 2, colour: d.colour}
	other := d.places[d.other(d.right)].spot
	end := d.places[d.right].spot
	explodes := d.IntN(2) == 0
	e := &d.event
	if d.congruent {
		e.begin(end.plus(0, high))
	} else {
		e.begin(end)
	}
	second := e.add(other.plus(0, high), 0)
	e.things[0].kind, e.things[second].kind = worse, better
	plain := 0 // the one that is hidden first
	if d.congruent {
		plain = second
		e.things[0].kind, e.things[second].kind = better, worse
		e.things[second].spot = other
	}
	if explodes {
		e.things[plain].late = true
		e.move(plain, e.things[plain].spot, gridworld.Air)
		e.wait(2)
	}
	wait := 2 + d.IntN(4)
	if d.congruent {
		e.move(second, other, gridworld.Ground)
		e.wait(wait)
		e.show(end)
		e.wait(1)
		e.rest(end)
	} else {
		e.rest(end)
		e.wait(wait)
		e.move(second, other.plus(0, high), gridworld.Hidden)
	}
	e.wait(1)
	if !d.occluder { // the lights go out after that
		e.hides = e.tick
	}
	return true
}
