package worlds

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

func boards() paradigm {
	return paradigm{name: "boards", plan: planBoards, narrow: congruent(1, 2), asks: []ability{{
		name: "boards", unit: "0 or 1", most: 1, doc: "passing requires seeing by a board what lies under it",
		give: func(p *policy.Parameters, x float64) { p.Boards = x > 0 },
	}}}
}

// planBoards plans an item of causality by shape, in the manner of the primate cognition test battery (Call 2007; Herrmann et al. 2007): the
// reward is shown at a well, the lights go out, and when they are on again every well is under a board. One does not lie flat, but stands
// out: what lies there lifts it. A subject that ignores this expects the reward where it was shown. In congruent items it is there.
func planBoards(d *draft) bool {
	if !d.wellsInRow() {
		return false
	}
	from := d.start()
	e := &d.event
	e.begin(d.places[from].spot)
	for i, w := range d.places {
		t := e.add(w.plus(0, 1), coverSize)
		if e.things[t].name = "board"; i != d.right {
			e.move(t, w.spot, gridworld.Air)
		}
	}
	e.rest(d.places[d.right].spot)
	e.lightsOut(3)
	return true
}
