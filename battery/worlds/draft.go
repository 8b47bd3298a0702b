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
	coding *Coding
	wanted wanted    // of the design, as are sizes and others
	sizes  []int     // levels of goalSize, in hundredths
	others []float64 // levels of numPositions
	rooms  map[layout]*rooms
	paints []gridworld.Colour // of the suite's walls

	places   []place
	right    int // index of the place in which the reward ends
	pieces   []piece
	beyond   []spot // that the world has too; in a maze, behind every well, not only those from which a reward is carried off
	ground          // of a family of O-PIAAGETS
	reach    int    // number of columns that something takes to each side of every place
	mirrored bool   // the world is the mirror image of the plan
	turned   bool   // the actor starts with its back to the places
	event    event
	shown    int   // index of the well at which the reward is shown before the lights go out
	order    []int // by thing of the event: its index in the world; a random order, so that an index says nothing

	west, east, south, north int
	world                    gridworld.World
	cells                    []gridworld.Pos // of the places, row by row from the south-west
	cues                     []gridworld.Cue
}

// A place is where the reward could be. What lies in a hidden one is not seen from the start.
type place struct {
	spot
	hidden bool
}

// A piece is a cell of a wall.
type piece struct {
	spot
	kind   gridworld.Kind
	colour gridworld.Colour
}

// wallOf appends the pieces of a wall that controls can look through.
func (d *draft) wallOf(colour gridworld.Colour, spots []spot) {
	kind := gridworld.Occluder
	if !d.occluder {
		kind = gridworld.ClearWall
	}
	for _, p := range spots {
		d.pieces = append(d.pieces, piece{p, kind, colour})
	}
}

// A layout names the ways to lay out places that do not differ but in what a design varies.
type layout struct {
	of       string
	n, first int
}

// layOut lays out places, and draws the right one, among those whose index may be, such that it has the distance and the side of the point,
// and the room says as little as possible of which it is (rooms). list has all ways, up to a distance. It returns false if none fits.
func (d *draft) layOut(l layout, list func(farthest int) [][]spot, side int, may func(right int) bool) bool {
	if d.rooms[l] == nil {
		d.rooms[l] = d.wanted.rooms(list(slices.Max(d.wanted.distances)))
	}
	room, right := d.rooms[l].draw(&d.Rand, d.distance, side, may)
	d.right = right
	for _, p := range room {
		d.places = append(d.places, place{p, d.occluder})
	}
	return room != nil
}

// leastAhead is the least number of rows from the start to the row of wells; mostAside is the largest number of columns
// from the start to the right well.
const (
	leastAhead = 4
	mostAside  = 12
)

// row places n wells in a row, some number of columns apart; the right one is one that may be. It returns false if there is no such row.
func (d *draft) row(n int, may func(right int) bool, pitches ...int) bool {
	return d.layOut(layout{fmt.Sprint(pitches), n, leastAhead}, func(farthest int) (list [][]spot) {
		for _, pitch := range pitches {
			for y := leastAhead; y <= farthest && pitch*(n-1) < gridworld.MaxSide-12; y++ {
				list = rows(list, n, n, pitch, y, mostAside)
			}
		}
		return list
	}, d.side, may)
}

// rows appends all rows of n spots, `pitch` columns apart, that lie at most `aside` columns beside the start. The first row of spots is y; no row
// has more than `columns` of them.
func rows(list [][]spot, n, columns, pitch, y, aside int) [][]spot {
	for x := -aside - pitch*(columns-1); x <= aside; x++ {
		var spots []spot
		for i := range n {
			spots = append(spots, xy(x+pitch*(i%columns), y+rowPitch*(i/columns)))
		}
		list = append(list, spots)
	}
	return list
}

// any lets every place be the right one.
func any(int) bool { return true }

// wellsInRow places the wells of the point in a row; any may be the right one.
func (d *draft) wellsInRow() bool { return d.row(d.positions+1, any, 2, 4) }

// other draws the index of a place that is not in `than`.
func (d *draft) other(than ...int) int {
	for {
		if i := d.IntN(len(d.places)); !slices.Contains(than, i) {
			return i
		}
	}
}

// drawn draws the plan; it returns false if the attempt fails.
func (d *draft) drawn() bool {
	d.places, d.pieces, d.beyond = d.places[:0], d.pieces[:0], d.beyond[:0]
	d.ground, d.reach, d.mirrored, d.turned = ground{strips: d.strips[:0]}, 0, false, false
	d.event.reset(d.colour)
	if !d.plan(d) || !d.margins() {
		return false
	}
	if d.happens != nil {
		d.happens(d)
	}
	return true
}

// margins sets the extent of the world: everything that stands or happens in it, and some empty cells around. It
// returns false if the world would be too large.
func (d *draft) margins() bool {
	d.west, d.east, d.south, d.north = -d.coding.aside, d.coding.aside, -1, 0
	include := func(p spot) {
		d.west, d.east, d.south, d.north = min(d.west, p.X), max(d.east, p.X), min(d.south, p.Y), max(d.north, p.Y)
	}
	for _, w := range d.places {
		include(w.plus(-d.reach, 0))
		include(w.plus(d.reach, 0))
	}
	for _, p := range d.beyond {
		include(p)
	}
	for _, o := range d.strips {
		include(xy(o.x0, o.y))
		include(xy(o.x1, o.y))
	}
	for _, p := range d.pieces {
		include(p.spot)
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
func (d *draft) at(p spot) gridworld.Pos {
	if d.mirrored {
		return gridworld.Pos{X: d.east - p.X, Y: p.Y - d.south}
	}
	return gridworld.Pos{X: p.X - d.west, Y: p.Y - d.south}
}

// end returns the spot where the reward ends.
func (d *draft) end() spot { return d.places[d.right].spot }

// build makes the world of the plan, without things and schedule.
func (d *draft) build() {
	d.world.Reset(d.east-d.west+1, d.north-d.south+1, gridworld.Rules{Limit: d.limit()})
	d.stand(d)
	heading := gridworld.North
	if d.turned {
		heading = gridworld.South
	}
	d.world.SetActor(d.at(spot{}), heading)
	var cells gridworld.Board
	for _, p := range d.places {
		cells.Set(d.at(p.spot))
	}
	d.cells = slices.AppendSeq(d.cells[:0], cells.All())
}

// wells builds wells in a row and the pieces. A clear fence before the wells has a door at each, so that an actor on the way to one well does
// not look into another.
func (d *draft) wells() {
	d.dig(gridworld.None)
	first, last := d.places[0], d.places[len(d.places)-1]
	for x := first.X - 1; x <= last.X+1; x++ {
		if !slices.ContainsFunc(d.places, func(w place) bool { return w.X == x }) {
			d.put(xy(x, first.Y-1), gridworld.ClearWall, gridworld.None)
		}
	}
	d.putPieces()
}

// bare builds wells without a fence, and the pieces.
func (d *draft) bare() {
	d.dig(gridworld.None)
	d.putPieces()
}

// dig makes holes of the places.
func (d *draft) dig(colour gridworld.Colour) {
	for _, w := range d.places {
		kind := gridworld.ShallowHole
		if w.hidden {
			kind = gridworld.Hole
		}
		d.put(w.spot, kind, colour)
	}
}

func (d *draft) putPieces() {
	for _, p := range d.pieces {
		d.put(p.spot, p.kind, p.colour)
	}
}

// limit returns the time limit in ticks: some ticks plus two for every cell to the farthest place, counted from when the time
// under occlusion ends. It does not depend on which place is the right one.
func (d *draft) limit() int {
	farthest := 0
	for _, w := range d.places {
		farthest = max(farthest, w.away())
	}
	return d.event.hides + d.hidden + 2*farthest + d.coding.spare
}

// schedule adds the things, their event and the time for which the actor is held. mean and most are the times for which an actor walks
// until it sees into a place, on average over the places and at most: with the first the reward is hidden for the time of the point, with
// the second never for longer than the longest, whichever place is right. schedule returns false if the actor would have to be set free
// before everything is at rest.
func (d *draft) schedule(mean, most int) bool {
	e := &d.event
	free := e.hides + d.hidden // the tick at which the actor may act
	if d.occluder {
		free = e.hides + min(d.hidden-mean, longestTime*TicksPerTime-most)
	}
	if free < e.tick || free == e.tick && e.tick > e.hides {
		return false
	}
	d.order = append(d.order[:0], 0)
	if len(e.things) > 1 {
		d.order = append(d.order[:0], d.Perm(len(e.things))...)
	}
	for at := range e.things {
		i := slices.Index(d.order, at)
		d.world.Add(d.thing(i, e.things[i]))
	}
	d.cues = d.cues[:0]
	for _, c := range e.cues {
		d.cues = append(d.cues, gridworld.Cue{Tick: c.tick, Thing: d.order[c.thing], Pos: d.at(c.spot), State: c.state})
	}
	d.world.Script(d.cues...)
	d.world.Freeze(gridworld.Window{From: 0, To: free})
	switch {
	case !d.occluder && free > e.hides:
		d.world.Darken(gridworld.Window{From: e.hides, To: free})
	case e.darkFrom > 0 && e.darkTo == untilFree:
		d.world.Darken(gridworld.Window{From: e.darkFrom, To: free})
	case e.darkFrom > 0:
		d.world.Darken(gridworld.Window{From: e.darkFrom, To: cmp.Or(e.darkTo, e.tick)})
	}
	return true
}

// thing returns what is thing i of the event.
func (d *draft) thing(i int, x thing) gridworld.Thing {
	t := gridworld.Thing{Kind: gridworld.Shape, State: gridworld.Air, Pos: d.at(x.spot), Size: x.size, Colour: gridworld.RGB(102, 51, 1), Name: cmp.Or(x.name, "cover")}
	if x.late {
		t.State = gridworld.Hidden
	}
	switch {
	case x.size == 0:
		t.Kind, t.Size, t.Value, t.Colour, t.Name, t.Final = gridworld.Reward, cmp.Or(x.wide, d.size), x.value, goalRGB(x.colour), "", i == 0 || x.final
	case !d.occluder: // in controls covers are small, so that pictures show the reward
		t.Size = 100
	}
	return t
}
