package worlds

import (
	"achilles/battery"
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

func cylinder() paradigm {
	return paradigm{name: "cylinder", plan: planCylinder, stand: (*draft).bare, agrees: walksBack, shortcuts: []string{"direct"}, asks: []ability{retreating("cylinder", battery.Grain{2, 4, 1}, 2, 3, 4), {
		name: "reach", unit: "0 or 1", most: 1, inSight: true, doc: "passing requires not going straight for a reward in sight",
		give: func(p *policy.Parameters, x float64) { p.Reach = x > 0 },
	}}}
}

// planCylinder plans an item of the cylinder task (Boogert et al. 2011; MacLean et al. 2014): every well is in a tube that is open at one
// end, at its back or at a side. In controls it is clear and the reward in sight in it: who cannot inhibit a direct reach stays before its
// front. Otherwise it is opaque. The load is how many cells one has to go back into it. In congruent items its front is open.
func planCylinder(d *draft) bool {
	if !d.row(d.positions+1, any, 6) {
		return false
	}
	long := d.loads[0] - 1
	behind := d.IntN(2) == 0
	for _, w := range d.places {
		if max(w.X, -w.X) < 2 { // a way round its back would lead aside first
			behind = false
		}
	}
	kind := gridworld.Wall // no occluders, which would be openings for rewards of some sizes only
	if !d.occluder {
		kind = gridworld.ClearWall
	}
	for _, w := range d.places {
		open := xy(0, 1) // where it is open
		switch {
		case d.congruent:
			open = xy(0, -1)
		case !behind:
			if open = xy(sign(w.X), 0); w.X == 0 {
				open = xy(1-2*d.IntN(2), 0)
			}
		}
		aside := xy(open.Y, open.X)
		wall := line(nil, w.plus(long*open.X+aside.X, long*open.Y+aside.Y), w.plus(aside.X-open.X, aside.Y-open.Y))
		wall = line(wall, w.plus(aside.X-open.X, aside.Y-open.Y), w.plus(-aside.X-open.X, -aside.Y-open.Y))
		wall = line(wall, w.plus(-aside.X-open.X, -aside.Y-open.Y), w.plus(long*open.X-aside.X, long*open.Y-aside.Y))
		for _, p := range wall {
			d.pieces = append(d.pieces, piece{p, kind, gridworld.None})
		}
	}
	e := &d.event
	e.begin(d.places[d.right].spot)
	e.rest(d.places[d.right].spot)
	e.wait(1)
	return true
}
