package worlds

import (
	"cmp"
	"fmt"
	"slices"

	"achilles/gridworld"
	"achilles/sim/rng"
)

// A draft is an item that is being drawn: first its plan, and then its world.
type draft struct {
	point
	rng.Rand
	wanted wanted // of the design
	sizes  []int  // levels of the design, in hundredths

	wells   []well
	right   int               // index of the well in which the reward ends
	rows    map[string]*rooms // by number of wells and pitches
	pieces  []piece
	walls   []spot // clear walls of a maze; empty: wells in a row have a fence
	outward []spot // by well of a maze: the direction of its arm
	event   event
	shown   int // index of the well at which the reward is shown before the lights go out

	order []int // by thing of the event: its index in the world; a random order, so that an index says nothing

	west, east, south, north int
	world                    gridworld.World
	places                   []gridworld.Pos
}

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

// row places n wells in a row, some number of columns apart, and draws the right one, among those whose index may be, such that it has
// the distance and the side of the point, and the row says as little as possible of which it is (rooms). It returns false if
// there is no such row.
func (d *draft) row(n int, may func(right int) bool, pitches ...int) bool {
	key := fmt.Sprint(n, pitches)
	if d.rows[key] == nil {
		d.rows[key] = d.wanted.rooms(rowsOf(n, slices.Max(d.wanted.distances), pitches))
	}
	room, right := d.rows[key].draw(&d.Rand, d.distance, d.side, may)
	d.right = right
	for _, p := range room {
		d.wells = append(d.wells, well{p, !d.occluder})
	}
	return room != nil
}

// rowsOf returns all rows of n wells of which one may be the right one.
func rowsOf(n, farthest int, pitches []int) (list [][]spot) {
	for _, pitch := range pitches {
		for y := leastAhead; y <= farthest && pitch*(n-1) < gridworld.MaxSide-12; y++ {
			for x := -mostAside - pitch*(n-1); x <= mostAside; x++ {
				var row []spot
				for i := range n {
					row = append(row, xy(x+pitch*i, y))
				}
				list = append(list, row)
			}
		}
	}
	return list
}

// any lets every well be the right one.
func any(int) bool { return true }

// wellsInRow places the wells of the point in a row; any may be the right one.
func (d *draft) wellsInRow() bool { return d.row(d.positions+1, any, 2, 4) }

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
		d.west, d.east, d.south, d.north = min(d.west, p.X), max(d.east, p.X), min(d.south, p.Y), max(d.north, p.Y)
	}
	for _, w := range d.wells {
		include(w.spot)
	}
	for i, out := range d.outward { // beyond every arm, not only those from which a reward is carried off
		include(d.wells[i].plus(beyond*out.X, beyond*out.Y))
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
func (d *draft) at(p spot) gridworld.Pos { return gridworld.Pos{X: p.X - d.west, Y: p.Y - d.south} }

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
	for x := first.X - 1; x <= last.X+1; x++ {
		if !slices.ContainsFunc(d.wells, func(w well) bool { return w.X == x }) {
			d.world.Place(d.at(xy(x, first.Y-1)), gridworld.Cell{Kind: gridworld.ClearWall})
		}
	}
}

// limit returns the time limit in ticks: 30 ticks plus two for every cell to the farthest well, counted from when the time
// under occlusion ends. It does not depend on which well is the right one.
func (d *draft) limit() int {
	farthest := 0
	for _, w := range d.wells {
		farthest = max(farthest, max(w.X, -w.X)+max(w.Y, -w.Y))
	}
	return d.event.hides + d.hidden + 2*farthest + 30
}

// schedule adds the things, their event and the time for which the actor is held. mean and most are the times for which an actor walks
// until it sees into a well, on average over the wells and at most: with the first the reward is hidden for the time of the point, with
// the second never for longer than the longest, whichever well is right. schedule returns false if the actor would have to be set free
// before everything is at rest.
func (d *draft) schedule(mean, most int) bool {
	e := &d.event
	free := e.hides + d.hidden // the tick at which the actor may act
	if d.occluder {
		free = e.hides + min(d.hidden-mean, longestTime*TicksPerTime-most)
	}
	if free <= e.tick {
		return false
	}
	d.order = d.order[:0]
	if len(e.things) > 1 {
		d.order = append(d.order, d.Perm(len(e.things))...)
	} else {
		d.order = append(d.order, 0)
	}
	for at := range e.things {
		i := slices.Index(d.order, at)
		d.world.Add(d.thing(i, e.things[i]))
	}
	var cues []gridworld.Cue
	for _, c := range e.cues {
		cues = append(cues, gridworld.Cue{Tick: c.tick, Thing: d.order[c.thing], Pos: d.at(c.spot), State: c.state})
	}
	d.world.Script(cues...)
	d.world.Freeze(gridworld.Window{From: 0, To: free})
	switch {
	case !d.occluder:
		d.world.Darken(gridworld.Window{From: e.hides, To: free})
	case e.darkFrom > 0:
		d.world.Darken(gridworld.Window{From: e.darkFrom, To: cmp.Or(e.darkTo, e.tick)})
	}
	return true
}

// thing returns what is thing i of the event.
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
