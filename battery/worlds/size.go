package worlds

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

func size() paradigm {
	return paradigm{name: "size", plan: planSize, narrow: congruent(1, 2), never: (*point).fitsAll, why: fitsAllWhy, shortcuts: []string{"largestCover"}, asks: []ability{{
		name: "sizes", unit: "0 or 1", most: 1, doc: "passing requires taking the size of covers into account",
		give: func(p *policy.Parameters, x float64) { p.Sizes = x > 0 },
	}}}
}

// planSize plans an item of size: the reward is shown at a well, the lights go out, and when they are on again every well is
// covered. A subject that ignores sizes expects the reward where it was shown; but the cover there is smaller than the
// reward, and so are all others as near. In congruent items the reward is where it was shown, and small enough for the small covers.
func planSize(d *draft) bool {
	if !d.wellsInRow() {
		return false
	}
	size := d.size // of a reward that fits the large covers only
	for _, k := range d.Perm(len(d.sizes)) {
		if x := d.sizes[k]; d.congruent && x > widest {
			size = x
		}
	}
	small, large := size*(60+d.IntN(30))/100, size*(110+d.IntN(60))/100
	if d.congruent {
		small = max(small, d.size*21/20)
		large = max(large, small)
	}
	from, fits := d.start(), d.fitting()
	if fits == nil {
		return false
	}
	e := &d.event
	e.begin(d.places[from].spot)
	for i, w := range d.places {
		cover := small
		if fits[i] {
			cover = large
		}
		e.move(e.add(w.plus(0, 1), cover), w.spot, gridworld.Air)
	}
	e.rest(d.places[d.right].spot)
	e.lightsOut(3)
	return true
}
