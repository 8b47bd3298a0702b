package worlds

import (
	"achilles/gridworld"
	"slices"

	"achilles/battery"
	"achilles/gridworld/policy"
)

func radialMaze() paradigm {
	return paradigm{name: "radial-maze", plan: func(d *draft) bool { return maze{d}.plan() }, stand: (*draft).bare, shortcuts: []string{"perseverate"}, asks: []ability{{
		name: "visits", unit: "arms", most: 4, drawn: true, doc: "how many arms were seen to be emptied, to which a subject must not go; 0 where none was, or the reward is in sight",
		factor: numbers("visits", "arms of which the reward is carried off, 1 to 4", battery.Grain{1, 4, 1}, 1, 2, 3, 4),
		give:   func(p *policy.Parameters, x float64) { p.Visits = x },
	}, {
		name: "unbaited", unit: "arms", most: 3, drawn: true, doc: "in how many arms no reward was ever seen; 0 where the reward is in sight",
		factor: numbers("unbaited", "arms that never have a reward, 0 to 3", battery.Grain{0, 3, 1}, 0, 1, 2, 3),
		give:   func(p *policy.Parameters, x float64) { p.Unbaited = x },
	}}}
}

// A maze is a draft of an item of the radial maze.
type maze struct{ *draft }

// plan plans an item of the radial maze (Olton and Samuelson 1976; Olton and Papas 1979): arms lead away from
// a hub, with a well at the end of each. Rewards are shown at some wells, and fall in; then they are lifted out again and
// carried off over the ends of their arms, all but one. A subject without working memory goes to an arm that it has seen
// emptied: the load is their number. One without reference memory goes to an arm in which it has never seen a reward. In
// congruent items there is a reward in every arm, and those that are lifted out fall back.
func (d maze) plan() bool {
	if !d.arms() {
		return false
	}
	e := &d.event
	e.usual.final = d.congruent
	e.begin(d.places[0].spot)
	things := []int{0} // by well: the reward
	for _, w := range d.places[1:d.baited()] {
		things = append(things, e.add(w.spot, 0))
	}
	e.rest(d.places[0].spot)
	for i, thing := range things[1:] {
		e.move(thing, d.places[i+1].spot, gridworld.Ground)
	}
	e.wait(2)
	for i := 1; i <= d.loads[0]; i++ {
		d.carryOff(i, things[i])
	}
	if d.congruent { // the right one is hidden last, so that who forgets it has forgotten all
		e.show(d.places[0].spot)
		e.wait(2)
		e.rest(d.places[0].spot)
		e.wait(1)
	}
	if !d.occluder { // the lights go out after that
		e.hides = e.tick
	}
	return true
}

// baited returns the number of arms that have a reward at first. The right arm is the first, and those that are emptied come
// next.
func (d maze) baited() int {
	if d.congruent {
		return len(d.places)
	}
	return 1 + d.loads[0]
}

// carryOff lifts the reward out of well i. In congruent items it falls back; otherwise it vanishes beyond the end of the arm,
// where there is no well into which it could have fallen.
func (d maze) carryOff(i, thing int) {
	e, w := &d.event, d.places[i]
	e.move(thing, w.spot, gridworld.Air)
	e.wait(1)
	if d.congruent {
		e.wait(1)
		e.move(thing, w.spot, gridworld.Ground)
		e.wait(1)
		return
	}
	e.move(thing, d.beyond[i], gridworld.Air)
	e.wait(2)
	e.move(thing, d.beyond[i], gridworld.Hidden)
}

// hub is the number of cells from the start to the side of the square hub, and from one arm of a side to the next; shortest
// is the least number of cells of an arm; a reward vanishes so many cells beyond its well.
const (
	hub      = 4
	shortest = 1
	past     = 2
)

// arms lays the hub and the arms of the point; the first arm has the distance and the side of the point. In tests the distances and sides of
// the others are drawn from those of the design, so that no arm differs from the right one. Elsewhere there may be a reward in each of them, and
// each is further to walk, so that who knows all rewards goes to the right one, of which the features are. arms returns false if the attempt fails.
func (d maze) arms() bool {
	d.right = 0
	gates := []spot{xy(-hub, -hub), xy(-hub, 0), xy(-hub, hub), xy(0, -hub), xy(0, hub), xy(hub, -hub), xy(hub, 0), xy(hub, hub)}
	var open []spot
	for x := -hub; x <= hub; x++ {
		open = line(open, xy(x, -hub), xy(x, hub))
	}
	for i := range d.positions + 1 {
		away, side := d.distance, d.side
		switch {
		case i > 0 && d.occluder && !d.congruent:
			away, side = d.wanted.distances[d.IntN(len(d.wanted.distances))], d.wanted.sides[d.IntN(len(d.wanted.sides))]
		case i > 0:
			away, side = away+1+d.IntN(4), d.wanted.sides[d.IntN(len(d.wanted.sides))]
		}
		k := d.gate(gates, away, side)
		if k < 0 {
			return false
		}
		gate := gates[k]
		gates = slices.Delete(gates, k, k+1)
		out, cells := d.outOf(gate), away-gate.away()
		end := gate.plus(out.X*cells, out.Y*cells)
		d.beyond = append(d.beyond, end.plus(past*out.X, past*out.Y))
		d.places = append(d.places, place{end, d.occluder})
		open = line(open, gate, end)
	}
	d.enclose(open)
	return true
}

// gate draws the index of a gate on a side, or of any if there is none on it, whose arm is long enough that the actor does not see into its
// well from the hub. It returns −1 if there is none.
func (d maze) gate(gates []spot, away, side int) int {
	order := d.Perm(len(gates))
	for _, here := range []bool{true, false} {
		for _, k := range order {
			if (gates[k].side() == side) == here && away-gates[k].away() > shortest {
				return k
			}
		}
		if len(d.places) == 0 { // the right one is on its side
			return -1
		}
	}
	return -1
}

// outOf returns the direction of the arm at a cell of the edge of the hub. It draws one of the two directions of a corner.
func (d maze) outOf(gate spot) spot {
	out := xy(sign(gate.X), sign(gate.Y))
	switch {
	case out.X == 0 || out.Y == 0:
	case d.IntN(2) == 0:
		out.X = 0
	default:
		out.Y = 0
	}
	return out
}

// enclose puts clear walls round a set of cells.
func (d maze) enclose(open []spot) {
	inside := map[spot]bool{}
	for _, p := range open {
		inside[p] = true
	}
	for _, p := range open {
		for y := -1; y <= 1; y++ {
			for x := -1; x <= 1; x++ {
				if q := p.plus(x, y); !inside[q] {
					inside[q] = true
					d.pieces = append(d.pieces, piece{q, gridworld.ClearWall, gridworld.None})
				}
			}
		}
	}
}
