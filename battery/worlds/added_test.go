package worlds

// This file is all that a new paradigm needs, but for a film of it in testdata.

// Added returns the coding Displaced with a paradigm more in its list.
func Added() *Coding { return wellsOf(positions(), 200, append(Displaced().paradigms, ladder())...) }

func ladder() paradigm {
	return paradigm{name: "ladder", plan: planLadder, shortcuts: []string{"cover"}, asks: []ability{following()},
		never: func(p *point) bool { return !p.congruent && p.positions < p.loads[0] },
		why:   "the cover needs a well for every move",
	}
}

// planLadder plans an item in which the cover with the reward climbs a row of wells, one by one. In congruent items it stays.
func planLadder(d *draft) bool {
	moves := d.loads[0] * is(!d.congruent)
	if !d.row(d.positions+1, func(k int) bool { return k >= moves }, 2, 4) {
		return false
	}
	t := d.cups(d.right - moves)
	for k := d.right - moves; k < d.right; k++ {
		t.exchange(k, k+1)
	}
	return true
}
