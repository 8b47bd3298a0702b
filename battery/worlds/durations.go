package worlds

import "achilles/gridworld"

func durations() paradigm {
	return paradigm{name: "durations", plan: planDurations, narrow: congruent(2, 3), shortcuts: []string{"bestSeen"}, asks: []ability{lasting()}}
}

// planDurations plans an item of what, where and when in which it has to be learned beforehand how long a kind of reward lasts (Clayton and
// Dickinson 1998): twice a sample of one colour, worth nothing, comes up in the open and vanishes after the same time. Then a reward of that colour and one of another
// are hidden, of which one is better. In tests the better one is of the colour that perishes, and has perished when the actor may act. In as many
// congruent items it is of the colour that lasts, and in as many it has not yet perished. So who goes for the better one, by its colour alone, or by whether the other
// has perished passes two thirds, the least that is possible: whichever third is made rarer, one of them passes more. A subject that ignores time
// goes for the better one.
func planDurations(d *draft) bool {
	if !d.wellsInRow() {
		return false
	}
	perishing, lasting := d.colour, (d.colour+1)%len(goalColours)
	fresh := d.congruent && d.IntN(2) == 0
	lasts := 5 + d.IntN(max(11, d.hidden-44))
	if fresh {
		lasts = d.hidden + 32 + d.IntN(9) // longer than an actor is on its way
	}
	end, other := d.places[d.right].spot, d.places[d.other(d.right)].spot
	e := &d.event
	e.begin(end)
	e.tick = 0
	second := e.add(other, 0)
	e.things[0].kind, e.things[second].kind = kind{value: 1 + is(d.congruent), colour: lasting}, kind{value: 2 - is(d.congruent), colour: perishing}
	if fresh {
		e.things[0].colour, e.things[second].colour = perishing, lasting
	}
	for i := range 2 {
		at := d.places[0].plus(2*i, 4)
		sample := e.add(at, 0)
		e.things[sample].kind, e.things[sample].late = kind{colour: perishing}, true
		e.wait(1)
		e.move(sample, at, gridworld.Air)
		e.wait(lasts)
		e.move(sample, at, gridworld.Hidden)
	}
	e.things[0].late, e.things[second].late = true, true
	e.wait(1)
	since := e.tick
	e.show(end)
	e.move(second, other, gridworld.Air)
	e.wait(stillTicks)
	e.rest(end)
	e.move(second, other, gridworld.Ground)
	if !fresh {
		e.tick = max(e.tick, since+lasts)
		e.move(second, other, gridworld.Hidden)
	}
	e.wait(1)
	if !d.occluder { // the lights go out after that
		e.hides = e.tick
	}
	return true
}
