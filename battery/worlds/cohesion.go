package worlds

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

func cohesion() paradigm {
	return paradigm{name: "cohesion", plan: func(d *draft) bool { return heaps{d}.planPieces() }, shortcuts: []string{"mostPieces"}, asks: []ability{telling(), {
		name: "cohesion", unit: "0 or 1", most: 1, always: true, doc: "passing requires counting what moves together as one",
		give: func(p *policy.Parameters, x float64) { p.Cohesion = x > 0 },
	}}}
}

// planPieces plans an item of cohesion (Spelke 1990): rewards are shown above wells. Those above the right well move one by one; those above
// others are of several pieces each, which move together and are worth one. Then all fall into the wells at the same time. There are fewer
// rewards in other wells, but more pieces: a subject that counts pieces goes wrong. The load is that of ratio. In congruent items there are
// pieces above the right well only.
func (d heaps) planPieces() bool {
	if !d.row(d.positions+1, any, 4) {
		return false
	}
	most := d.loads[0]
	rival := d.rival()
	e := &d.event
	e.begin(d.places[d.right].plus(0, 2))
	objects := [][]int{{0}}
	for i, w := range d.places {
		n, pieces := 0, 2
		switch {
		case i == d.right:
			n, pieces = most-1, 1
		case d.congruent:
		case i == rival:
			n = most - 1
		default:
			n = d.IntN(most)
		}
		if i == rival && most == 2 { // one of three pieces against two
			pieces = 3
		}
		if i == d.right && d.congruent {
			pieces = 2
		}
		for k := range n {
			object := []int{}
			for j := range pieces {
				t := e.add(w.plus(j-1+is(pieces == 1), 2*k+2+2*is(i == d.right)), 0)
				e.things[t].value = is(j == 0)
				object = append(object, t)
			}
			objects = append(objects, object)
		}
	}
	for _, k := range d.Perm(len(objects)) { // one after another goes up a cell
		e.wait(1)
		for _, t := range objects[k] {
			if up := e.things[t].plus(0, 1); t == 0 {
				e.show(up)
			} else {
				e.move(t, up, gridworld.Air)
			}
		}
	}
	e.wait(1)
	d.fall()
	return true
}
