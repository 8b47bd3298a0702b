package permanence

// planTunnel plans an item with a tunnel: the reward goes into a tunnel with an exit above every well. The ways to the
// exits differ in length, and between each exit and its well is a gap in which a reward that comes out is seen. The
// lights go out at a time at which the reward would have come out of any exit but the farthest. A subject that ignores
// time expects it at the nearest exit; one that ignores tunnels expects it straight on. In congruent items it is seen
// to come out.
func planTunnel(d *draft) bool {
	n := d.positions + 1
	end := (n - 1) * d.IntN(2)
	right := end
	if d.congruent {
		right = d.IntN(n)
	}
	if !d.row(n, right, 2+d.IntN(2)) {
		return false
	}
	mouth := d.dig(n - 1 - end)
	e := &d.event
	e.begin(mouth.plus(0, 4))
	e.moveReward(mouth.plus(0, 1), 3)
	e.wait(1)
	entered := e.tick
	path := d.pathTo(mouth, d.right)
	switch d.through(path[:len(path)-1]); {
	case d.congruent || !d.occluder:
		e.show(path[len(path)-1])
		e.wait(1)
	default:
		second := entered + len(d.pathTo(mouth, d.nextTo(d.right))) - 1 // the tick at which it would have passed the second-farthest gap
		e.darkFrom = second + 1 + d.IntN(e.tick-second)
		e.wait(2)
	}
	e.rest(d.wells[d.right].spot)
	e.wait(1)
	return true
}

// dig lays a tunnel whose mouth is above the well with index `end`, which is first or last in the row, or up to two
// columns further out. It returns the mouth.
func (d *draft) dig(end int) spot {
	first, last := d.wells[0], d.wells[len(d.wells)-1]
	mouth := d.wells[end].plus(0, tunnelTop)
	outward := 1
	if end == 0 {
		outward = -1
	}
	mouth.x += outward * d.IntN(3)
	paint := d.colours()[0]
	path := line([]spot{mouth}, spot{min(first.x, mouth.x), first.y + tunnelTop - 1}, spot{max(last.x, mouth.x), first.y + tunnelTop - 1})
	for _, w := range d.wells {
		path = append(path, w.plus(0, tunnelTop-2))
	}
	for _, p := range path {
		d.pieces = append(d.pieces, piece{p, paint})
	}
	return mouth
}

// tunnelTop is the number of rows from the wells to the mouth. Between them are two rows of tunnel and a gap.
const tunnelTop = 4

// pathTo returns the cells from the mouth through the tunnel to the gap before a well.
func (d *draft) pathTo(mouth spot, well int) []spot {
	w := d.wells[well]
	path := line([]spot{mouth}, spot{mouth.x, w.y + tunnelTop - 1}, w.plus(0, tunnelTop-1))
	return line(path, w.plus(0, tunnelTop-1), w.plus(0, 1))
}

// nextTo returns the index of the well beside `end`, which is the index of the first or the last well.
func (d *draft) nextTo(end int) int {
	if end == 0 {
		return 1
	}
	return end - 1
}
