package gridworld

import "math/bits"

// A Viewer says how the actor sees. The zero Viewer sees in every direction, at any distance, and watches no cells.
type Viewer struct {
	HalfAngle int    // half the field of view: degrees to each side of the heading, 1 … 180; 0: every direction
	Acuity    int    // in hundredths: a thing of s size units is seen up to a distance of s·Acuity/100 cells; 0: at any distance
	Overhead  bool   // sees everything from above, even in the dark
	Watch     *Board // the cells to report in View.Seen; nil: none
}

// A Sighting is a thing that is seen, in its present state, with its index.
type Sighting struct {
	Index int
	Thing
}

// A View is what a viewer sees at one tick, and what the actor knows of itself. It shares nothing with the world.
type View struct {
	Tick          int
	Width, Height int
	Self          Actor
	Dark          bool // the lights are out: nothing is seen, unless from overhead
	Frozen        bool // an intent now will have no effect
	Carrying      bool
	Trapped       bool
	Things        []Sighting // things that are seen, sorted by index; carried and taken ones are never among them
	Seen          Board      // watched cells that are in sight, at any distance; a deep hole only if its contents are in sight
	watched       bool       // Seen may have cells, and must be cleared before the next view
	palette       []paint    // copy of the world's cells, of which Cell returns the seen ones
	cells         []uint8
}

// View fills v with what the viewer sees now, reusing v's memory. Without an actor in the world only an overhead viewer
// sees anything.
//
// A thing is seen if the lights are on, it is within the field of view and within range, and World.Sees holds for its
// cell; no obstacle hides a thing in the air. The range is a Euclidean distance between cells.
func (w *World) View(viewer Viewer, v *View) {
	v.Tick, v.Width, v.Height = w.tick, w.width, w.height
	v.Self = w.actor
	v.Dark, v.Frozen = w.Dark(), w.Frozen()
	v.Carrying, v.Trapped = w.Carrying(), w.Trapped()
	v.Things = v.Things[:0]
	if v.watched {
		v.Seen, v.watched = Board{}, false
	}
	if !viewer.Overhead && (v.Dark || !w.Inside(w.actor.Pos)) {
		return
	}
	for i := range w.things {
		if t := &w.things[i]; t.State <= Air && viewer.spots(w, t) {
			v.Things = append(v.Things, Sighting{i, *t})
		}
	}
	if viewer.Watch != nil {
		v.watch(w, viewer)
	}
}

// spots says whether the viewer sees t, which must be on the ground or in the air.
func (viewer *Viewer) spots(w *World, t *Thing) bool {
	if viewer.Overhead {
		return true
	}
	a := &w.actor
	dx, dy := t.Pos.X-a.Pos.X, t.Pos.Y-a.Pos.Y
	if viewer.Acuity > 0 {
		reach := int64(t.Size) * int64(viewer.Acuity) // in units of 1e-4 cells
		if int64(dx*dx+dy*dy)*1e8 > reach*reach {
			return false
		}
	}
	if !inView(viewer.HalfAngle, a.Heading, dx, dy) {
		return false
	}
	return t.State == Air || w.Sees(a.Pos, t.Pos)
}

// watch adds the watched cells that are in sight to v.Seen, and copies the world's cells for View.Cell.
func (v *View) watch(w *World, viewer Viewer) {
	v.watched = true
	v.palette, v.cells = append(v.palette[:0], w.palette...), append(v.cells[:0], w.cells...)
	a, inside := &w.actor, w.inside()
	if viewer.Overhead {
		for y := range w.height {
			v.Seen[y] = viewer.Watch[y] & inside
		}
		return
	}
	watched := viewer.Watch
	var ahead Board // those in the field of view
	if viewer.HalfAngle > 0 {
		for y := range w.height {
			for row := watched[y] & inside; row != 0; row &= row - 1 {
				if x := bits.TrailingZeros64(row); inView(viewer.HalfAngle, a.Heading, x-a.Pos.X, y-a.Pos.Y) {
					ahead[y] |= 1 << uint(x)
				}
			}
		}
		watched = &ahead
	}
	w.sight(a.Pos, watched, &v.Seen)
}

// inside has the columns of w, one bit each.
func (g *ground) inside() uint64 { return ^uint64(0) >> (MaxSide - g.width) }

// sight adds to seen the watched cells of which who is at a, and may look in every direction, can see what lies in them.
func (l *layout) sight(a Pos, watched, seen *Board) {
	screen := &l.planes[planeOpaque+l.heightAt(a)]
	for _, north := range [...]int{1, -1} {
		between := uint64(0) // columns in which a cell blocks sight, in any row from the actor's to row y
		for y := a.Y; y >= 0 && y < l.height; y += north {
			between |= screen[y]
			if row := watched[y] & l.inside(); row != 0 {
				seen[y] |= l.rowInSight(a, y, row, around(between, a.X))
			}
		}
	}
}

// rowInSight returns the watched cells of row y that are in sight from a. `free` has the columns of row y to which no cell blocks the view;
// deep holes hide their contents nevertheless.
func (l *layout) rowInSight(a Pos, y int, watched, free uint64) (seen uint64) {
	if l.planes[planeDeep].Has(a) {
		free = 0
	}
	seen = watched & free &^ l.planes[planeDeep][y]
	for row := watched &^ seen; row != 0; row &= row - 1 {
		if x := bits.TrailingZeros64(row); l.Sees(a, Pos{x, y}) {
			seen |= 1 << uint(x)
		}
	}
	return seen
}

// around returns the columns that are not taken and are joined to column x by such columns, one bit each. It returns 0
// if x itself is taken.
func around(taken uint64, x int) uint64 {
	east := taken >> uint(x) << uint(x)
	west := taken &^ east
	if taken>>uint(x)&1 != 0 {
		return 0
	}
	return (east&-east - 1) &^ (1<<uint(bits.Len64(west)) - 1)
}

// Cell returns the watched cell at p; ok is false if p is not in Seen.
func (v *View) Cell(p Pos) (c Cell, ok bool) {
	if !v.Seen.Has(p) || p.X >= v.Width || p.Y >= v.Height {
		return Cell{}, false
	}
	return v.palette[v.cells[p.Y*v.Width+p.X]].cell, true
}

// Everywhere returns the set of all cells that any world can have, for Viewer.Watch.
func Everywhere() *Board {
	var b Board
	for y := range b {
		b[y] = ^uint64(0)
	}
	return &b
}
