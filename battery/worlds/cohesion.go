package worlds

import (
	"achilles/battery"
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

func cohesion() paradigm {
	return paradigm{name: "cohesion", plan: func(d *draft) bool { return heaps{d}.planPieces() }, shortcuts: []string{"mostPieces"}, asks: []ability{telling(), {
		name: "cohesion", unit: "0 or 1", most: 1, always: true, doc: "passing requires counting what moves together as one",
		factor: numbers("cohesion", "of cohesion: 1: the fewer rewards are of more pieces", battery.Grain{0, 1, 1}, 0, 1),
		give:   func(p *policy.Parameters, x float64) { p.Cohesion = x > 0 },
	}}}
}

// planPieces plans an item of cohesion (Spelke 1990): rewards are shown above wells, move one by one, and fall into the wells at the same time. Those
// above other wells are of several pieces each, which move together and are worth one: there are fewer rewards, but more pieces, and a subject
// that counts pieces goes wrong. In as many items those above the right well are of several pieces, and those above the other well that has as many but one of one. The first load is that
// of ratio, the second says which it is. In congruent items there are rewards above the right well only.
func (d heaps) planPieces() bool {
	if !d.row(d.positions+1, any, 4) {
		return false
	}
	most := d.loads[0]
	rival := d.other(d.right)
	e := &d.event
	e.begin(d.places[d.right].plus(0, 2))
	objects := [][]int{{0}}
	for i, w := range d.places {
		n, pieces := 0, 1+d.loads[1]
		switch {
		case i == d.right:
			n, pieces = most-1, 2-d.loads[1]*is(!d.congruent)
		case d.congruent:
		case i == rival:
			n = most - 1
		default: // of either kind, or the right well would be the odd one out
			n, pieces = d.IntN(most), 1+d.IntN(2)
		}
		if i == rival && most == 2 && pieces == 2 { // one of three pieces against two
			pieces = 3
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
