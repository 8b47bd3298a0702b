package worlds

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

func whatWhereWhen() paradigm {
	return paradigm{name: "what-where-when", plan: planWhatWhereWhen, narrow: congruent(1, 2), asks: []ability{lasting()}}
}

// lasting is the ability to reckon with how long rewards last.
func lasting() ability {
	return ability{
		name: "when", unit: "0 or 1", most: 1, doc: "passing requires taking into account how long rewards last",
		give: func(p *policy.Parameters, x float64) { p.When = x > 0 },
	}
}

// planWhatWhereWhen plans an item of what, where and when (Clayton and Dickinson 1998): two rewards are hidden, of which the
// better one perishes. A sample of the better one, which is out of reach and worth nothing, stays in the open: when it
// perishes, so does the reward. A subject that ignores time goes to where the better one was. In congruent items neither
// perishes.
func planWhatWhereWhen(d *draft) bool {
	if !d.wellsInRow() {
		return false
	}
	worse := kind{value: 1, colour: (d.colour + 1) % len(goalColours)}
	better := kind{value: 2, colour: d.colour}
	e := &d.event
	other := d.places[d.other(d.right)].spot
	e.begin(d.places[d.right].spot)
	second := e.add(other, 0)
	sample := e.add(d.places[0].plus(0, 4), 0)
	e.things[sample].kind = kind{colour: better.colour}
	e.things[0].kind, e.things[second].kind = worse, better
	if d.congruent {
		e.things[0].kind, e.things[second].kind = better, worse
	}
	e.rest(d.places[d.right].spot)
	e.move(second, other, gridworld.Ground)
	e.wait(4 + d.IntN(12))
	if !d.congruent {
		e.move(second, other, gridworld.Hidden)
		e.move(sample, d.places[0].plus(0, 4), gridworld.Hidden)
	}
	e.wait(1)
	if !d.occluder { // the lights go out after that
		e.hides = e.tick
	}
	return true
}
