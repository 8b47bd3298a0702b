package worlds

import (
	"achilles/battery"
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

func transposition() paradigm {
	return paradigm{name: "transposition", plan: planTransposition, shortcuts: []string{"cover"}, asks: []ability{following()},
		never: func(p *point) bool { return !p.congruent && p.positions == 1 && p.loads[0]%2 == 0 },
		why:   "two covers that change places an even number of times are where they were",
	}
}

// following is the ability to follow a cover.
func following() ability {
	return ability{
		name: "moves", unit: "moves", most: 3, doc: "number of moves of its cover to a well; 0 if the item can be passed without tracking",
		factor: numbers("moves", "of transposition, displacement and, odd ones, rotation: how often the cover comes to a well", battery.Grain{1, 3, 1}, 1, 2, 3),
		give:   func(p *policy.Parameters, x float64) { p.Follow = x },
	}
}

// planTransposition plans an item of transposition: the reward falls into a well under a cover, and covers change
// places, two at a time. A subject that does not follow the cover goes to where the reward fell. The load is the number
// of times that this cover moves. In congruent items this cover comes back, or only other covers move.
func planTransposition(d *draft) bool {
	if !d.wellsInRow() {
		return false
	}
	way := d.wayOfCover()
	t := d.cups(way[0])
	for i, next := range way[1:] {
		if len(d.places) > 3 && d.hidden > TicksPerTime { // there is time for other covers to move too
			t.exchangeOthers(way[i])
		}
		t.exchange(way[i], next)
	}
	if len(way) == 1 {
		for range d.loads[0] {
			t.exchangeOthers(d.right)
		}
	}
	return true
}

// wayOfCover draws the way of the cover that has the reward under it: the indices of the wells above which it is, in
// the order of time.
func (d *draft) wayOfCover() []int {
	switch {
	case d.congruent && len(d.places) == 2:
		return []int{d.right, 1 - d.right, d.right}
	case d.congruent:
		return []int{d.right}
	}
	for {
		way := []int{d.IntN(len(d.places))}
		for range d.loads[0] {
			way = append(way, d.other(way[len(way)-1]))
		}
		if way[0] != d.right && way[d.loads[0]] == d.right {
			return way
		}
	}
}

// A trick moves covers, one of which may have the reward under it.
type trick struct {
	*draft
	cover []int // index of the cover above each well
	with  int   // index of the cover that has the reward under it; 0: none
}

// cups shows the reward at well `first`, with a cover beyond every well; then the covers come down on the wells, and
// the reward is under one of them.
func (d *draft) cups(first int) *trick {
	t := &trick{draft: d}
	d.event.begin(d.places[first].spot)
	for _, w := range d.places {
		t.cover = append(t.cover, d.event.add(w.plus(0, 1), coverSize))
		d.event.move(t.cover[len(t.cover)-1], w.spot, gridworld.Air)
	}
	t.with = t.cover[first]
	d.event.rest(d.places[first].spot)
	d.event.wait(1)
	return t
}

// move moves a cover to p at the present tick. In controls the reward under it is shown at p.
func (t *trick) move(cover int, p spot) {
	if t.event.move(cover, p, gridworld.Air); cover == t.with && !t.occluder {
		t.event.show(p)
	}
}

// exchange lets the covers of wells i and j change places, passing each other, in three ticks.
func (t *trick) exchange(i, j int) {
	a, b := t.places[i].spot, t.places[j].spot
	for k := 1; k < 3; k++ {
		t.event.wait(1)
		t.move(t.cover[i], between(a, b, k, 3).plus(0, 1))
		t.move(t.cover[j], between(b, a, k, 3).plus(0, -1))
	}
	t.event.wait(1)
	t.cover[i], t.cover[j] = t.cover[j], t.cover[i]
	t.arrive(i)
	t.arrive(j)
}

// arrive puts the present cover of well i above the well and, if the reward is under this cover, the reward into the
// well.
func (t *trick) arrive(i int) {
	p := t.places[i].spot
	if t.move(t.cover[i], p); t.cover[i] == t.with {
		t.event.rest(p)
	}
}

// exchangeOthers lets the covers of two wells other than `than` change places. It needs three wells.
func (t *trick) exchangeOthers(than int) {
	i := t.other(than)
	t.exchange(i, t.other(than, i))
}
