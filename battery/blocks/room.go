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
	reward := gridworld.Thing{Kind: gridworld.Reward, State: gridworld.Ground, Pos: r.wells[t.right], Size: 500, Value: 1, Colour: gridworld.RGB(0, 200, 0), Final: true}
	if t.shown {
		reward.State = gridworld.Air
	}
	i := w.Add(reward)
	if t.shown {
		w.Script(gridworld.Cue{Tick: shownTicks, Thing: i, Pos: reward.Pos, State: gridworld.Ground})
	}
	w.Freeze(gridworld.Window{From: 0, To: free})
}

// shownTicks is the number of ticks for which a reward is shown.
const shownTicks = 3
