package measure_test

import (
	"testing"

	"achilles/battery/measure"
	"achilles/gridworld"
	"achilles/sim/rng"
)

// TestMeasureByHand checks the measurements of small worlds against values counted by hand.
func TestMeasureByHand(t *testing.T) {
	pos := func(x, y int) gridworld.Pos { return gridworld.Pos{X: x, Y: y} }
	for _, c := range []struct {
		why, world string
		to         gridworld.Pos
		places     []gridworld.Pos
		want       measure.Measurement
	}{
		{"straight ahead, in sight from first to last", `world 1
limit 9
map
g
.
A
`, pos(0, 2), []gridworld.Pos{pos(0, 2)},
			measure.Measurement{Finished: true, Manhattan: 2, Steps: 2, Places: 1}},

		{"behind a wall: hidden from tick 2, held till 5, seen again beside it at tick 9", `world 1
limit 20
legend g floor + reward air final
map
..#g.
O.#O.
...A.

cue 2 thing 0 3,2 ground
freeze 0 5
`, pos(3, 2), []gridworld.Pos{pos(0, 2), pos(3, 2)},
			// The actor turns right, steps, turns left and steps. From (4, 1) the line of sight only grazes a corner of the
			// wall, so the reward is seen again at tick 9: it is hidden for the seven ticks 2 to 8.
			measure.Measurement{Finished: true, Occluder: true, Manhattan: 2, Steps: 4, Turns: 3, Hidden: 7, Delay: 3, Positions: 1, Places: 2}},

		{"moves on in the dark, into a hole: elsewhere than it was last seen", `world 1
limit 20
legend g floor + reward final
map
o.H
...
gA.

cue 1 thing 0 0,1 ground
cue 3 thing 0 2,2 ground
freeze 0 4
dark 2 4
`, pos(2, 2), []gridworld.Pos{pos(2, 2)},
			// Ticks 2 and 3 are dark; from tick 4 on the actor takes three steps and a turn, and sees into the hole when it is in it, at tick 8.
			measure.Measurement{Finished: true, Occluder: true, Manhattan: 3, Steps: 3, Turns: 1, Side: 1, Hidden: 6, Delay: 1, Dark: true, Bounce: true, Displaced: true, Places: 1}},

		{"a ramp that one need not take, and a ledge", `world 1
limit 20
map
.==.
.^..
g.A.
`, pos(0, 0), []gridworld.Pos{pos(0, 0)},
			measure.Measurement{Finished: true, Manhattan: 2, Steps: 2, Turns: 1, Side: -1, Platform: true, Places: 1}},

		{"a ramp that one must take, and no ledge", `world 1
limit 20
legend g platform + reward final
map
=g=
^^^
.A.
`, pos(1, 2), []gridworld.Pos{pos(1, 2)},
			measure.Measurement{Finished: true, Manhattan: 2, Steps: 2, Ramp: true, Places: 1}},

		{"holes: no second try; lava and a clear wall; out of time", `world 1
limit 2
legend G shallow-hole + reward final
map
h.G
LT.
.A.
`, pos(2, 2), []gridworld.Pos{pos(0, 2), pos(2, 2)},
			measure.Measurement{Manhattan: 3, Steps: 3, Turns: 2, Side: 1, Forced: true, Lava: true, Transparent: true, Places: 2}},

		{"one other place, which walls shut off", `world 1
limit 9
map
.#g
##.
A..
`, pos(2, 2), []gridworld.Pos{pos(0, 2)},
			// The actor turns right, steps twice, turns left and steps twice; it is in line with the reward from tick 3 on.
			measure.Measurement{Finished: true, Occluder: true, Manhattan: 4, Steps: 4, Turns: 2, Side: 1, Hidden: 3, Positions: 1, Forced: true, Places: 1}},

		{"one other place, from which a way leads", `world 1
limit 9
map
..g
A..
`, pos(2, 1), []gridworld.Pos{pos(0, 1)},
			// The actor steps, turns right and steps twice.
			measure.Measurement{Finished: true, Manhattan: 3, Steps: 3, Turns: 1, Side: 1, Places: 1}},

		{"no other place, although the reward's is listed twice", `world 1
limit 9
map
g
A
`, pos(0, 1), []gridworld.Pos{pos(0, 1), pos(0, 1)},
			measure.Measurement{Finished: true, Manhattan: 1, Steps: 1, Places: 2}},

		{"facing south: what lies east is on the left", `world 1
limit 9
legend S floor + actor south
map
..g
S..
`, pos(2, 1), []gridworld.Pos{pos(2, 1)},
			measure.Measurement{Finished: true, Manhattan: 3, Steps: 3, Turns: 2, Side: -1, Places: 1}},
	} {
		w, err := gridworld.Parse(c.world)
		if err != nil {
			t.Fatalf("%s: %v", c.why, err)
		}
		var m measure.Meter
		var y measure.Way
		y.Walk(w, c.to, false)
		if m.Measure(w, c.places, &y); m.Measurement != c.want {
			t.Errorf("%s:\n%+v, want\n%+v", c.why, m.Measurement, c.want)
		}
	}
}

// TestRampsAsFields checks whether a ramp is needed against the field that avoids all ramps: in worlds with ramps of any width, in which
// the way may lead over one that is not needed.
func TestRampsAsFields(t *testing.T) {
	r := rng.Stream(1, "ramps")
	var m measure.Meter
	var y measure.Way
	needed, of := 0, 0
	for range 3000 {
		w := gridworld.New(3+r.IntN(12), 3+r.IntN(12), gridworld.Rules{Limit: 200})
		any := func() gridworld.Pos { return gridworld.Pos{X: r.IntN(w.Width()), Y: r.IntN(w.Height())} }
		row, wide := 1+r.IntN(w.Height()-1), 1+r.IntN(w.Width()+3)
		for x := range w.Width() {
			for above := row + 1; above < w.Height(); above++ {
				if r.IntN(2) == 0 {
					w.Place(gridworld.Pos{X: x, Y: above}, gridworld.Cell{Kind: gridworld.Platform, Height: 1})
				}
			}
			if x < wide {
				w.Place(gridworld.Pos{X: x, Y: row}, gridworld.Cell{Kind: gridworld.Ramp})
			}
		}
		for range r.IntN(w.Width() * w.Height() / 3) {
			w.Place(any(), gridworld.Cell{Kind: gridworld.Wall})
		}
		start, to := any(), any()
		w.Place(start, gridworld.Cell{})
		if !w.At(to).Kind.Passable() || start == to {
			continue
		}
		w.SetActor(start, gridworld.North)
		w.Add(gridworld.Thing{Kind: gridworld.Reward, Pos: to, Size: 100, Value: 1, Final: true})
		if !y.Walk(w, to, false) {
			continue
		}
		var ramps gridworld.Board
		for y := range w.Height() {
			for x := range w.Width() {
				if p := (gridworld.Pos{X: x, Y: y}); w.At(p).Kind.Sloped() {
					ramps.Set(p)
				}
			}
		}
		goals := gridworld.BoardOf(to)
		field := gridworld.Field{Avoid: &ramps}
		_, without := field.Until(w, &goals, start)
		m.Measure(w, []gridworld.Pos{to}, &y)
		if want := !without && !ramps.Empty(); m.Ramp != want {
			t.Fatalf("from %v to %v a ramp is needed: %t, by the field %t, in\n%v", start, to, m.Ramp, want, w)
		}
		if of++; m.Ramp {
			needed++
		}
	}
	if needed < 100 || needed > of-100 {
		t.Errorf("%d of %d worlds need a ramp, so that the test shows too little", needed, of)
	}
}
