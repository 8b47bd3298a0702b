package worlds

import "errors"

func rotation() paradigm {
	return paradigm{name: "rotation", plan: planRotation, asks: []ability{following()}, narrow: func(l levels) error {
		return errors.Join(congruent(1, 2)(l), l.only("moves", func(x float64) bool { return whole(x)%2 == 1 },
			"a rotation by an even number of half turns changes nothing: give it an odd level, or leave out the paradigm rotation"))
	}}
}

// planRotation plans an item of rotation: the reward falls into a well under a cover, and the row of covers turns about
// its middle by half turns. A subject that does not follow the cover goes to where the reward fell. The load is the
// number of half turns; congruent items have two.
func planRotation(d *draft) bool {
	n := d.positions + 1
	turns := d.loads[0]
	if d.congruent {
		turns = 2
	}
	if !d.row(n, func(k int) bool { return d.congruent || 2*k != n-1 }, 2) { // the middle of the row stays where it is
		return false
	}
	right := d.right
	first := right
	if turns%2 == 1 {
		first = n - 1 - right
	}
	t, side := d.cups(first), 1-2*d.IntN(2)
	for range turns {
		t.turn(side)
	}
	return true
}

// turn turns the row of covers by half a turn, in three ticks; side, 1 or −1, is the direction of the turn.
func (t *trick) turn(side int) {
	n := len(t.places)
	for k := 1; k < 3; k++ {
		t.event.wait(1)
		for i := range n {
			t.move(t.cover[i], t.turned(i, k, side))
		}
	}
	t.event.wait(1)
	for i := range n / 2 {
		t.cover[i], t.cover[n-1-i] = t.cover[n-1-i], t.cover[i]
	}
	for i := range n {
		t.arrive(i)
	}
}

// turned returns the place of the cover of well i after k sixths of a turn: cos 60° is 1/2, sin 60° is 0.866.
func (t *trick) turned(i, k, side int) spot {
	last := t.places[len(t.places)-1]
	x := (t.places[0].X + last.X) / 2 // the wells are an even number of columns apart
	u := t.places[i].X - x
	return xy(x+nearest((3-2*k)*u, 2), last.Y+side*nearest(866*u, 1000))
}
