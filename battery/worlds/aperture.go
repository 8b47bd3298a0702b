package worlds

import (
	"slices"

	"achilles/gridworld/policy"
)

func aperture() paradigm {
	return paradigm{name: "aperture", plan: planAperture, narrow: congruent(1, 2), never: (*point).fitsAll, why: fitsAllWhy, asks: []ability{{
		name: "openings", unit: "0 or 1", most: 1, doc: "passing requires taking the width of openings into account",
		give: func(p *policy.Parameters, x float64) { p.Openings = x > 0 },
	}}}
}

// fitsAll says whether a reward that should not fit everywhere is no wider than a cell.
func (p *point) fitsAll() bool { return !p.congruent && p.size <= widest }

const fitsAllWhy = "tests (not congruent) need rewards that are wider than a cell (goalSize above 2)"

// widest is the size of a reward that is as wide as a cell, in hundredths.
const widest = 100 * UnitsPerCell

// planAperture plans an item of aperture: the reward comes up to an opening in a wall, the lights go out, and it goes
// through an opening to a well. A subject that ignores the width of openings expects it behind the one that it came to;
// but this one is narrower than the reward, and so are all others as near. In congruent items it goes through that one, which is a
// narrow one too: a small reward fits through it. So the widths alone do not tell where the reward goes, nor does what is seen of its way.
func planAperture(d *draft) bool {
	n := d.positions + 1
	if !d.row(n, any, 4) {
		return false
	}
	need := (d.size + 100*UnitsPerCell - 1) / (100 * UnitsPerCell)
	narrow, wide := 1, 2+d.IntN(2)
	from, fits := d.start(), d.fitting()
	if fits == nil || !d.congruent && need > wide {
		return false
	}
	if d.congruent {
		narrow, wide = max(narrow, need), max(wide, need)
	}
	gaps := map[spot]bool{}
	for i, w := range d.places {
		cells := narrow
		if fits[i] {
			cells = wide
		}
		first := (1 - cells) / 2
		if cells == 2 {
			first = -d.IntN(2)
		}
		for k := range cells {
			gaps[w.plus(first+k, 1)] = true
		}
	}
	wall := line(nil, d.places[0].plus(-2, 1), d.places[n-1].plus(2, 1))
	d.wallOf(d.colours()[0], slices.DeleteFunc(wall, func(p spot) bool { return gaps[p] }))
	e := &d.event
	e.begin(d.places[from].plus(0, 6))
	e.moveReward(d.places[from].plus(0, 3), 3)
	e.wait(1)
	e.rest(d.places[d.right].spot)
	e.lightsOut(3)
	return true
}

// start draws the index of the well at which the reward is shown before the lights go out: the right one in congruent items only.
func (d *draft) start() int {
	d.shown = d.right
	if !d.congruent {
		d.shown = d.other(d.right)
	}
	return d.shown
}

// fitting draws which wells have a wide opening, or a large cover: half of them, and not the one where the reward is shown. In tests
// these are those that the reward fits, and the right one is the nearest of them. fitting returns nil if the attempt fails.
func (d *draft) fitting() []bool {
	n := len(d.places)
	fits := make([]bool, n)
	for _, i := range d.Perm(n)[:(n+d.IntN(2))/2] {
		fits[i] = true
	}
	aside := func(k int) int { return max(k-d.shown, d.shown-k) }
	for i := range fits {
		switch {
		case i == d.shown && fits[i], i == d.right && fits[i] == d.congruent:
			return nil
		case !d.congruent && i != d.right && fits[i] && aside(i) <= aside(d.right):
			return nil
		}
	}
	return fits
}
