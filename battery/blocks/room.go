package blocks

import (
	"cmp"
	"slices"

	"achilles/gridworld"
)

// A room is where the trials of a block take place. All that is no floor, well or door is a clear wall.
type room struct {
	width, height int
	start         gridworld.Pos
	floor         []gridworld.Pos
	wells, doors  []gridworld.Pos // a well is entered through its door
}

// row draws a room with n wells in a row before the actor.
func (b *block) row(n int) {
	const pitch = 3
	ahead, west := 4+b.IntN(5), 1+b.IntN(4)
	r := room{width: west + pitch*(n-1) + 2 + b.IntN(4), height: ahead + 3}
	from, to := west, west+pitch*(n-1)
	if from == to {
		to++
	}
	r.start = gridworld.Pos{X: from + b.IntN(to-from+1), Y: 1}
	for y := range ahead {
		for x := range r.width {
			r.floor = append(r.floor, gridworld.Pos{X: x, Y: y})
		}
	}
	for i := range n {
		r.wells = append(r.wells, gridworld.Pos{X: west + pitch*i, Y: ahead + 1})
		r.doors = append(r.doors, gridworld.Pos{X: west + pitch*i, Y: ahead})
	}
	b.room = r
}

// maze draws a room with n arms, 2 to 8, on the sides of a square hub. All wells are equally far from its middle.
func (b *block) maze(n int) {
	const half, gate, arm = 3, 2, 3
	const side = 2*(half+arm) + 3
	middle := gridworld.Pos{X: side / 2, Y: side / 2}
	r := room{width: side, height: side, start: middle}
	for y := -half; y <= half; y++ {
		for x := -half; x <= half; x++ {
			r.floor = append(r.floor, gridworld.Pos{X: middle.X + x, Y: middle.Y + y})
		}
	}
	type way struct{ well, door, between gridworld.Pos }
	var ways []way
	for _, k := range b.Perm(8)[:n] {
		across := gate * (2*(k%2) - 1)
		at := func(out int) gridworld.Pos {
			dx, dy := across, out
			for range k / 2 { // a quarter turn for each side
				dx, dy = dy, -dx
			}
			return gridworld.Pos{X: middle.X + dx, Y: middle.Y + dy}
		}
		ways = append(ways, way{at(half + arm), at(half + 1), at(half + 2)})
	}
	slices.SortFunc(ways, func(a, b way) int { return cmp.Or(a.well.Y-b.well.Y, a.well.X-b.well.X) })
	for _, w := range ways {
		r.wells, r.doors, r.floor = append(r.wells, w.well), append(r.doors, w.door), append(r.floor, w.between)
	}
	b.room = r
}

// build makes w the world of a trial.
func (r *room) build(w *gridworld.World, t *trial) {
	free := int(t.delay*TicksPerTime + 0.5)
	if t.shown {
		free += shownTicks - 1 // from the last tick at which it is seen
	}
	farthest := 0
	for _, p := range r.wells {
		farthest = max(farthest, p.Manhattan(r.start))
	}
	w.Reset(r.width, r.height, gridworld.Rules{Limit: free + 2*farthest + 30})
	w.Fill(gridworld.Pos{}, gridworld.Pos{X: r.width - 1, Y: r.height - 1}, gridworld.Cell{Kind: gridworld.ClearWall})
	for _, p := range r.floor {
		w.Place(p, gridworld.Cell{})
	}
	for k, p := range r.wells {
		w.Place(p, gridworld.Cell{Kind: gridworld.Hole})
		if slices.Contains(t.open, k) {
			w.Place(r.doors[k], gridworld.Cell{})
		}
	}
	w.SetActor(r.start, gridworld.North)
	if o := t.other; o != nil && o.first {
		r.hide(w, t.shown, o.well, o.reward, o.lasts, false)
	}
	r.hide(w, t.shown, t.right, t.reward, 0, true)
	if o := t.other; o != nil && !o.first {
		r.hide(w, t.shown, o.well, o.reward, o.lasts, false)
	}
	w.Freeze(gridworld.Window{From: 0, To: free})
}

// hide adds a reward to the world: in a well, or shown above it before. After it has lasted for some time, if that is not 0, it perishes.
func (r *room) hide(w *gridworld.World, shown bool, well int, x reward, lasts float64, final bool) {
	colours := [...]gridworld.Colour{gridworld.RGB(0, 200, 0), gridworld.RGB(255, 255, 0), gridworld.RGB(255, 0, 0)}
	thing := gridworld.Thing{Kind: gridworld.Reward, State: gridworld.Ground, Pos: r.wells[well], Size: 500, Value: max(x.value, 1), Colour: colours[x.colour], Final: final}
	if shown {
		thing.State = gridworld.Air
	}
	i := w.Add(thing)
	if shown {
		w.Script(gridworld.Cue{Tick: shownTicks, Thing: i, Pos: thing.Pos, State: gridworld.Ground})
	}
	if lasts > 0 {
		w.Script(gridworld.Cue{Tick: shownTicks - 1 + int(lasts*TicksPerTime+0.5), Thing: i, Pos: thing.Pos, State: gridworld.Hidden})
	}
}

// shownTicks is the number of ticks for which a reward is shown.
const shownTicks = 3
