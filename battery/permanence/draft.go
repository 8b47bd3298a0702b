package permanence

import (
	"slices"

	"achilles/gridworld"
	"achilles/sim/rng"
)

// A draft is an item that is being drawn: first its plan, and then its world.
type draft struct {
	point
	rng.Rand

	wells   []well
	right   int // index of the well in which the reward ends
	pitch   int // number of columns from one well to the next
	pieces  []piece
	walls   []spot // clear walls of a maze; empty: wells in a row have a fence
	outward []spot // by well of a maze: the direction of its arm
	event   event

	west, east, south, north int
	world                    gridworld.World
	places                   []gridworld.Pos
}

// A spot is a cell of the plan.
type spot struct{ x, y int }

func (p spot) plus(x, y int) spot { return spot{p.x + x, p.y + y} }

// A well is a place in which the reward could be. The contents of a shallow one are seen from everywhere.
type well struct {
	spot
	shallow bool
}

// A piece is a cell of a tube.
type piece struct {
	spot
	colour gridworld.Colour
}

// leastAhead is the least number of rows from the start to the row of wells; mostAside is the largest number of columns
// from the start to the right well.
const (
	leastAhead = 4
	mostAside  = 12
)

// row places n wells in a row, `pitch` columns apart, such that the well with index `right` has the distance and the
// side of the point. It returns false if the row is too long.
func (d *draft) row(n, right, pitch int) bool {
	dx := d.side * (1 + d.IntN(min(d.distance-leastAhead, mostAside)))
	dy := d.distance - max(dx, -dx)
	d.right, d.pitch = right, pitch
	for i := range n {
		d.wells = append(d.wells, well{spot{dx + pitch*(i-right), dy}, !d.occluder})
	}
	return pitch*(n-1) < gridworld.MaxSide-12
}

// wellsInRow places the wells of the point in a row; the right one has a random index.
func (d *draft) wellsInRow() bool {
	n := d.positions + 1
	return d.row(n, d.IntN(n), 2+2*d.IntN(2))
}

// other draws the index of a well that is not in `than`.
func (d *draft) other(than ...int) int {
	for {
		if i := d.IntN(len(d.wells)); !slices.Contains(than, i) {
			return i
		}
	}
}

// draw draws the plan; it returns false if the attempt fails.
func (d *draft) draw() bool {
	d.wells, d.pieces, d.walls = d.wells[:0], d.pieces[:0], d.walls[:0]
	d.event.reset(d.colour)
	return d.paradigm.plan(d) && d.margins()
}

// margins sets the extent of the world: everything that stands or happens in it, and some empty cells around. It
// returns false if the world would be too large.
func (d *draft) margins() bool {
	d.west, d.east, d.south, d.north = -3, 3, -1, 0
	include := func(p spot) {
		d.west, d.east, d.south, d.north = min(d.west, p.x), max(d.east, p.x), min(d.south, p.y), max(d.north, p.y)
	}
	for _, w := range d.wells {
		include(w.spot)
	}
	for _, p := range d.pieces {
		include(p.spot)
	}
	for _, p := range d.walls {
		include(p)
	}
	for _, t := range d.event.things {
		include(t.spot)
	}
	for _, c := range d.event.cues {
		include(c.spot)
	}
	d.west, d.east, d.north = d.west-1-d.IntN(3), d.east+1+d.IntN(3), d.north+1
	return d.east-d.west < gridworld.MaxSide && d.north-d.south < gridworld.MaxSide
}

// at returns the cell of the world for a cell of the plan.
func (d *draft) at(p spot) gridworld.Pos { return gridworld.Pos{X: p.x - d.west, Y: p.y - d.south} }

// build makes the world of the plan, without things and schedule.
func (d *draft) build(limit int) {
	d.world.Reset(d.east-d.west+1, d.north-d.south+1, gridworld.Rules{Limit: limit})
	d.places = d.places[:0]
	for _, w := range d.wells {
		kind := gridworld.Hole
		if w.shallow {
			kind = gridworld.ShallowHole
		}
		d.world.Place(d.at(w.spot), gridworld.Cell{Kind: kind})
		d.places = append(d.places, d.at(w.spot))
	}
	if len(d.walls) == 0 {
		d.fence()
	}
	for _, p := range d.walls {
		d.world.Place(d.at(p), gridworld.Cell{Kind: gridworld.ClearWall})
	}
	for _, p := range d.pieces {
		kind := gridworld.Occluder
		if !d.occluder {
			kind = gridworld.ClearWall
		}
		d.world.Place(d.at(p.spot), gridworld.Cell{Kind: kind, Colour: p.colour})
	}
	d.world.SetActor(d.at(spot{}), gridworld.North)
	cells := gridworld.BoardOf(d.places...)
	d.places = slices.AppendSeq(d.places[:0], cells.All())
}

// fence puts a clear fence before the wells, with a door at each, so that an actor on the way to one well does not look
// into another.
func (d *draft) fence() {
	first, last := d.wells[0], d.wells[len(d.wells)-1]
	for x := first.x - 1; x <= last.x+1; x++ {
		if !slices.ContainsFunc(d.wells, func(w well) bool { return w.x == x }) {
			d.world.Place(d.at(spot{x, first.y - 1}), gridworld.Cell{Kind: gridworld.ClearWall})
		}
	}
}

// limit returns the time limit in ticks: 30 ticks plus two for every cell of the distance, counted from when the time
// under occlusion ends.
func (d *draft) limit() int { return d.event.hides + d.hidden + 2*d.distance + 30 }

// schedule adds the things, their event and the time for which the actor is held. sighting is the number of actions that
// the full-information actor takes until the reward is in sight again. It returns false if the actor would have to be set
// free before everything is at rest.
func (d *draft) schedule(sighting int) bool {
	e := &d.event
	free := e.hides + d.hidden // the tick at which the actor may act
	if d.occluder {
		free -= sighting
	}
	if free <= e.tick {
		return false
	}
	for i, p := range e.things {
		d.world.Add(d.thing(i, p))
	}
	var cues []gridworld.Cue
	for _, c := range e.cues {
		cues = append(cues, gridworld.Cue{Tick: c.tick, Thing: c.thing, Pos: d.at(c.spot), State: c.state})
	}
	d.world.Script(cues...)
	d.world.Freeze(gridworld.Window{From: 0, To: free})
	switch {
	case !d.occluder:
		d.world.Darken(gridworld.Window{From: e.hides, To: free})
	case e.darkFrom > 0:
		d.world.Darken(gridworld.Window{From: e.darkFrom, To: e.tick})
	}
	return true
}

// thing returns thing i of the world.
func (d *draft) thing(i int, x thing) gridworld.Thing {
	t := gridworld.Thing{Kind: gridworld.Shape, State: gridworld.Air, Pos: d.at(x.spot), Size: x.size, Colour: gridworld.RGB(102, 51, 1), Name: "cover"}
	switch {
	case x.size == 0:
		t.Kind, t.Size, t.Value, t.Colour, t.Name, t.Final = gridworld.Reward, d.size, x.value, goalRGB(x.colour), "", i == 0 || x.final
	case !d.occluder: // in controls covers are small, so that pictures show the reward
		t.Size = 100
	}
	return t
}

// goalRGB returns the colour of a reward by its index in goalColours.
func goalRGB(i int) gridworld.Colour {
	return [...]gridworld.Colour{gridworld.RGB(0, 255, 0), gridworld.RGB(255, 255, 0), gridworld.RGB(255, 0, 0)}[i]
}
