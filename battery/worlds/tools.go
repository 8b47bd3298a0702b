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
	long := 5 + d.IntN(2)
	far, gap := 0, 0 // of all strips; 0: each its own
	if d.IntN(8) > 0 {
		far = 3 + d.IntN(long-4)
	} else {
		gap = 2 + d.IntN(long-2)
	}
	colour := d.colours()[0]
	best := d.right
	if !d.congruent {
		best = d.other(d.right)
	}
	e := &d.event
	var lost []int
	for k := range d.places { // the right one first
		i := (d.right + k) % len(d.places)
		w := d.places[i]
		cut, up := d.strip(long, far, gap, i == d.right)
		at := w.plus(0, up)
		if i != d.right && cut == 0 {
			at = w.plus(1-2*d.IntN(2), up)
		}
		for y := 1; y <= long; y++ {
			if y != cut {
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

// strip draws where a strip has a gap, if it has one, as half of the strips do, and how far up the reward lies: below the gap where the reward
// comes, else above it. far and gap are that of all strips, if not 0.
func (d *draft) strip(long, far, gap int, comes bool) (cut, up int) {
	has := d.IntN(2) == 0
	switch {
	case !has && far > 0:
		return 0, far
	case !has:
		return 0, 1 + d.IntN(long)
	case far > 0 && comes:
		return far + 1 + d.IntN(long-1-far), far
	case far > 0:
		return 2 + d.IntN(far-2), far
	case comes:
		return gap, 1 + d.IntN(gap-1)
	}
	return gap, gap + 1 + d.IntN(long-gap)
}
