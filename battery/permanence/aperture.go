package permanence

// planAperture plans an item of aperture: the reward comes up to an opening in a wall, the lights go out, and it goes
// through an opening to a well. A subject that ignores the width of openings expects it behind the one that it came to;
// but this one is narrower than the reward, and so are all others as near. In congruent items it comes through that one.
func planAperture(d *draft) bool {
	n := d.positions + 1
	if !d.row(n, d.IntN(n), 4) {
		return false
	}
	from := d.start()
	need := (d.size + 100*UnitsPerCell - 1) / (100 * UnitsPerCell)
	gaps := map[spot]bool{}
	for i, w := range d.wells {
		cells := 1 + d.IntN(need-1)
		if d.admits(i, from) {
			cells = need + d.IntN(4-need)
		}
		first := (1 - cells) / 2
		if cells == 2 {
			first = -d.IntN(2)
		}
		for k := range cells {
			gaps[w.plus(first+k, 1)] = true
		}
	}
	paint := d.colours()[0]
	for _, p := range line(nil, d.wells[0].plus(-2, 1), d.wells[n-1].plus(2, 1)) {
		if !gaps[p] {
			d.pieces = append(d.pieces, piece{p, paint})
		}
	}
	e := &d.event
	e.begin(d.wells[from].plus(0, 6))
	e.moveReward(d.wells[from].plus(0, 3), 3)
	if d.congruent {
		e.moveReward(d.wells[from].plus(0, 1), 2)
	}
	e.wait(1)
	e.rest(d.wells[d.right].spot)
	e.lightsOut(3)
	return true
}

// start returns the index of the well at which the reward is shown before the lights go out: the right one in congruent
// items only.
func (d *draft) start() int {
	if d.congruent {
		return d.right
	}
	return d.other(d.right)
}

// admits draws whether the reward shall fit well i. It shall not where it would then be expected in tests: in wells that
// are no farther than the right one from well `from`, where it was shown.
func (d *draft) admits(i, from int) bool {
	aside := func(k int) int { return max(k-from, from-k) }
	switch {
	case i == d.right:
		return true
	case !d.congruent && aside(i) <= aside(d.right):
		return false
	}
	return d.IntN(2) == 0
}
