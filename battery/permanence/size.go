package permanence

// planSize plans an item of size: the reward is shown at a well, the lights go out, and when they are on again every well is
// covered. A subject that ignores sizes expects the reward where it was shown; but the cover there is smaller than the
// reward, and so are all others as near. In congruent items the reward is where it was shown.
func planSize(d *draft) bool {
	if !d.wellsInRow() {
		return false
	}
	from := d.start()
	e := &d.event
	e.begin(d.wells[from].spot)
	for i, w := range d.wells {
		size := d.size * (40 + d.IntN(41)) / 100
		if d.admits(i, from) {
			size = d.size * (120 + d.IntN(61)) / 100
		}
		e.put(e.add(w.plus(0, 1), size), w.spot)
	}
	e.rest(d.wells[d.right].spot)
	e.lightsOut(3)
	return true
}
