package worlds

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

func decoy() paradigm {
	return paradigm{name: "decoy", plan: planDecoy, narrow: congruent(1, 2), shortcuts: []string{"lastGone"}, asks: []ability{{
		name: "decoys", unit: "0 or 1", most: 1, doc: "passing requires knowing which hidden thing is the reward",
		give: func(p *policy.Parameters, x float64) { p.Decoys = x > 0 },
	}}}
}

// planDecoy plans an item with a decoy: something of the form and size of the reward, but of another colour and worth nothing, moves from well to
// well and goes into one after the reward has gone into another. A subject that follows what vanished last goes wrong. In congruent items
// the decoy goes first.
func planDecoy(d *draft) bool {
	if !d.wellsInRow() {
		return false
	}
	worthless := kind{colour: (d.colour + 1 + d.IntN(len(goalColours)-1)) % len(goalColours)}
	end, first := d.places[d.right].spot, d.places[d.IntN(len(d.places))].spot
	other := d.places[d.other(d.right)].spot
	e := &d.event
	e.begin(end)
	t := e.add(first.plus(0, 2), 0)
	e.things[t].kind = worthless
	wanders := func() {
		n := 2 + d.IntN(4)
		for i := 1; i <= n; i++ {
			e.move(t, between(first, other, i, n).plus(0, 2*is(i < n)), gridworld.Air)
			e.wait(1)
		}
		e.move(t, other, gridworld.Ground)
	}
	if d.congruent {
		wanders()
		e.wait(1)
		e.rest(end)
	} else {
		e.rest(end)
		e.wait(1)
		wanders()
	}
	e.wait(1)
	if !d.occluder { // the lights go out after that
		e.hides = e.tick
	}
	return true
}
