package worlds

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

func tools() paradigm {
	return paradigm{name: "tools", plan: planTools, shortcuts: []string{"bestSeen"}, asks: []ability{{
		name: "tools", unit: "0 or 1", most: 1, doc: "passing requires knowing what strips bring",
		give: func(p *policy.Parameters, x float64) { p.Tools = x > 0 },
	}}}
}

// planTools plans an item of tool properties, in the manner of the primate cognition test battery (Herrmann et al. 2007): from every well a
// strip leads away, at which lies a reward, one better than the others. The lights go out, and the strips are pulled: into the right
// well comes what lay on it; but where a strip has a gap, or the reward lies beside it, nothing comes. In tests the better reward does not come,
// and of the others only one. A subject that ignores connections goes for the better one. In congruent items that is the one that comes.
func planTools(d *draft) bool {
	if !d.row(d.positions+1, any, 4, 6) {
		return false
	}
	long := 4 + d.IntN(3)
	colour := d.colours()[0]
	best := d.right
	if !d.congruent {
		best = d.other(d.right)
	}
	e := &d.event
	var lost []int
	for k := range d.places { // the right one first
		i := (d.right + k) % len(d.places)
		w, at := d.places[i], spot{}
		gap := (2 + d.IntN(long-2)) * d.IntN(2) // half of the strips have one, whether or not it is in the way
		switch {
		case i == d.right && gap > 0:
			at = w.plus(0, 1+d.IntN(gap-1))
		case i == d.right:
			at = w.plus(0, 1+d.IntN(long))
		case gap > 0:
			at = w.plus(0, gap+1+d.IntN(long-gap))
		default:
			at = w.plus(1-2*d.IntN(2), 1+d.IntN(long))
		}
		for y := 1; y <= long; y++ {
			if y != gap {
				d.pieces = append(d.pieces, piece{w.plus(0, y), gridworld.Floor, colour})
			}
		}
		reward := kind{value: 1, colour: (d.colour + 1) % len(goalColours)}
		if i == best {
			reward = kind{value: 2, colour: d.colour}
		}
		if i == d.right {
			e.begin(at)
			e.things[0].kind = reward
			continue
		}
		t := e.add(at, 0)
		e.things[t].kind = reward
		lost = append(lost, t)
	}
	for _, t := range lost {
		e.move(t, e.things[t].spot, gridworld.Hidden)
	}
	e.rest(d.places[d.right].spot)
	e.lightsOut(3)
	return true
}
