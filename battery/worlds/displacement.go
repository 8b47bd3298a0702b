package worlds

import (
	"achilles/gridworld"
	"slices"
)

func displacement() paradigm {
	return paradigm{name: "displacement", plan: planDisplacement, asks: []ability{following()}}
}

// planDisplacement plans an item of invisible displacement (Piaget 1954, stage 6): the reward goes into a box, the box
// visits some wells, one after the other, and is then taken away, empty. All visited wells but one are shallow, so that
// one sees that they are empty. A subject that does not follow the box looks where the reward vanished. The load is the
// number of visits. In congruent items the box shows the reward again before it leaves the reward in a well.
func planDisplacement(d *draft) bool {
	n := d.positions + d.loads[0]
	if !d.row(n, any, 2, 4) {
		return false
	}
	tour := d.tour()
	home := xy(d.places[0].X+d.IntN(d.places[n-1].X-d.places[0].X+1), d.places[0].Y-3)
	e := &d.event
	e.begin(home)
	t := &trick{draft: d, with: e.add(home.plus(0, 1), coverSize)}
	e.move(t.box(), home, gridworld.Air)
	if d.occluder {
		e.hide()
	}
	for _, i := range tour {
		t.carry(home, d.places[i].spot)
		if i == d.right {
			t.leave(d.places[i].spot)
		}
		t.carry(d.places[i].spot, home)
	}
	e.move(t.box(), home, gridworld.Hidden)
	return true
}

// tour draws the wells that the box visits, in order, and makes all of them shallow except the right one.
func (d *draft) tour() []int {
	tour := []int{d.right}
	for len(tour) < d.loads[0] {
		i := d.other(tour...)
		tour = append(tour, i)
		d.places[i].hidden = false
	}
	for i, j := range d.Perm(len(tour)) {
		tour[i], tour[j] = tour[j], tour[i]
	}
	if last := len(tour) - 1; d.congruent { // the well where the reward is shown again comes last
		at := slices.Index(tour, d.right)
		tour[at], tour[last] = tour[last], tour[at]
	}
	return tour
}

// box returns the index of the box among the things; it is the only cover.
func (t *trick) box() int { return 1 }

// carry moves the box from one spot to another.
func (t *trick) carry(from, to spot) {
	for k := 1; k <= 3; k++ {
		t.event.wait(1)
		t.move(t.box(), between(from, to, k, 3))
	}
}

// leave puts the reward into the well at p, above which the box is.
func (t *trick) leave(p spot) {
	if t.congruent && t.occluder {
		t.event.show(p)
		t.event.wait(2)
	}
	t.event.rest(p)
	t.with = 0
}
