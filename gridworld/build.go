package gridworld

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
)

// MaxDistinct is the largest number of different cells in a world, because the text form needs a character for each.
// The cells that barriers and locks become when they vanish count too.
const MaxDistinct = 64

// A paint is one of the distinct cells of a world, with the planes that it belongs to, one bit each.
type paint struct {
	cell   Cell
	planes uint16
}

// The planes: one set of cells per property, kept up to date by Place.
const (
	planeEnter  = iota // can be entered
	planeLeave         // can be entered and left again
	planeOpaque        // MaxHeight+1 planes: cells that block the view of an actor at height 0, 1, 2, 3
)

const (
	planeLow     = planeOpaque + MaxHeight + 1 + iota
	planeHigh    // planeLow and planeHigh: bits 0 and 1 of the height
	planeSlope   // ramps
	planeDeep    // holes whose contents are seen from adjacent cells only
	planeOpening // barriers and locks
	planeSolid   // cannot be entered
	planeCount
)

func paintOf(c Cell) paint {
	p := paint{cell: c}
	set := func(plane int, on bool) {
		if on {
			p.planes |= 1 << plane
		}
	}
	set(planeEnter, c.Kind.Passable())
	set(planeLeave, c.Kind.Passable() && !c.Kind.Absorbing())
	for eye := range MaxHeight + 1 {
		set(planeOpaque+eye, c.Top() > eye+1)
	}
	set(planeLow, c.Height&1 != 0)
	set(planeHigh, c.Height&2 != 0)
	set(planeSlope, c.Kind.Sloped())
	set(planeDeep, c.Kind.has(deep))
	set(planeOpening, c.Kind.has(removable))
	set(planeSolid, !c.Kind.Passable())
	return p
}

// At returns the cell at p. It panics outside the world.
func (w *World) At(p Pos) Cell { return w.palette[w.cells[w.index(p)]].cell }

func (w *World) index(p Pos) int {
	if !w.Inside(p) {
		panic("gridworld: position outside the world")
	}
	return p.Y*w.width + p.X
}

// Place makes c the cell at p. It panics if p is outside the world, c is not a valid cell, or w would have more than
// MaxDistinct different cells. It does not check whether the actor or a thing at p may be in c; Check does.
func (w *World) Place(p Pos, c Cell) {
	if !w.place(p, c) {
		panic("gridworld: more than 64 different cells in a world")
	}
}

// place does what Place does, but returns false if w would have too many different cells.
func (w *World) place(p Pos, c Cell) bool {
	i := w.index(p)
	w.unshare()
	old := w.palette[w.cells[i]].planes
	w.cells[i] = 0 // if the old cell was the last of its sort, the palette gets room
	k, ok := w.paint(c)
	if !ok {
		return false
	}
	w.cells[i] = k
	changed := old ^ w.palette[k].planes
	w.stale = w.stale || changed != 0
	for ; changed != 0; changed &= changed - 1 {
		w.planes[bits.TrailingZeros16(changed)][p.Y] ^= 1 << uint(p.X)
	}
	return true
}

// cover places c at p and in the next cells to the east, n in all, which must be floor. It returns false if w would have too many
// different cells.
func (w *World) cover(p Pos, n int, c Cell) bool {
	k, ok := w.paint(c)
	if ok {
		w.coverBy(p, n, k)
	}
	return ok
}

// coverBy is cover for a cell of the palette.
func (w *World) coverBy(p Pos, n int, k uint8) {
	first := w.index(p)
	cells := w.cells[first:][:n]
	for i := range cells {
		cells[i] = k
	}
	w.shade(p.Y, ^uint64(0)>>(MaxSide-n)<<p.X, k)
}

// shade changes the planes of columns of row y, which were floor, to those of a cell of the palette.
func (w *World) shade(y int, columns uint64, k uint8) {
	changed := w.palette[0].planes ^ w.palette[k].planes // floor is the first cell of the palette
	w.stale = w.stale || changed != 0
	for ; changed != 0; changed &= changed - 1 {
		w.planes[bits.TrailingZeros16(changed)][y] ^= columns
	}
}

// repeat makes row y, which must be floor, a copy of another row.
func (w *World) repeat(y, like int) {
	copy(w.cells[y*w.width:][:w.width], w.cells[like*w.width:])
	for i := range w.planes {
		w.planes[i][y] = w.planes[i][like]
	}
}

// paint returns the palette index of c, and false if the palette is full. If c can vanish, as barriers and locks do,
// paint also adds the cell that it then becomes, so that opening a lock cannot fail.
func (w *World) paint(c Cell) (uint8, bool) {
	for k := range w.palette {
		if w.palette[k].cell == c {
			return uint8(k), true
		}
	}
	if wrong := c.valid(); wrong != "" {
		panic("gridworld: invalid cell: " + wrong)
	}
	if c.Kind.has(removable) {
		if _, ok := w.paint(c.opened()); !ok {
			return 0, false
		}
	}
	if len(w.palette) == MaxDistinct && !w.compact() {
		return 0, false
	}
	w.palette = append(w.palette, paintOf(c))
	return uint8(len(w.palette) - 1), true
}

// compact removes cells that no longer occur from the palette, and says whether the palette then has room for one more.
// Floor is always kept, as the first cell.
func (w *World) compact() bool {
	var old, used [MaxDistinct]Cell
	for k := range w.palette {
		old[k] = w.palette[k].cell
	}
	n := 1
	number := func(c Cell) uint8 {
		if k := slices.Index(used[:n], c); k >= 0 {
			return uint8(k)
		}
		used[n] = c
		n++
		return uint8(n - 1)
	}
	for i, k := range w.cells {
		w.cells[i] = number(old[k])
		if old[k].Kind.has(removable) {
			number(old[k].opened())
		}
	}
	w.palette = w.palette[:0]
	for _, c := range used[:n] {
		w.palette = append(w.palette, paintOf(c))
	}
	return n < MaxDistinct
}

// Fill places c in every cell of the rectangle with the corners a and b, including them.
func (w *World) Fill(a, b Pos, c Cell) {
	a, b = Pos{min(a.X, b.X), min(a.Y, b.Y)}, Pos{max(a.X, b.X), max(a.Y, b.Y)}
	w.index(b)
	if w.Place(a, c); a == b {
		return
	}
	k := w.cells[w.index(a)]
	columns := ^uint64(0) >> (MaxSide - 1 - (b.X - a.X)) << a.X
	first := w.cells[a.Y*w.width+a.X:][:b.X-a.X+1]
	for x := range first {
		first[x] = k
	}
	for y := a.Y + 1; y <= b.Y; y++ {
		if row := w.cells[y*w.width+a.X:]; len(first) == 1 {
			row[0] = k
		} else {
			copy(row, first)
		}
	}
	differ := uint16(0) // the planes to which some cells belong, and some do not
	for n := range w.palette {
		differ |= w.palette[n].planes ^ w.palette[k].planes
	}
	for ; differ != 0; differ &= differ - 1 {
		i := bits.TrailingZeros16(differ)
		on := columns & -uint64(w.palette[k].planes>>i&1)
		rows, changed := w.planes[i][a.Y:b.Y+1], uint64(0)
		for y, old := range rows {
			now := old&^columns | on
			rows[y], changed = now, changed|(now^old)
		}
		w.stale = w.stale || changed != 0
	}
}

// Where returns the cells of kind k.
func (w *World) Where(k Kind) Board {
	var b Board
	for n := range w.palette {
		if w.palette[n].cell.Kind != k {
			continue
		}
		for i := bytes.IndexByte(w.cells, uint8(n)); i >= 0; {
			b[i/w.width] |= 1 << uint(i%w.width)
			next := bytes.IndexByte(w.cells[i+1:], uint8(n))
			if next < 0 {
				break
			}
			i += next + 1
		}
	}
	return b
}

// Occurs says whether w has a cell of kind k.
func (w *World) Occurs(k Kind) bool {
	for n := range w.palette {
		if w.palette[n].cell.Kind == k && bytes.IndexByte(w.cells, uint8(n)) >= 0 {
			return true
		}
	}
	return false
}

// Ramps returns the cells with ramps.
func (w *World) Ramps() Board {
	var b Board
	copy(b[:w.height], w.planes[planeSlope][:w.height])
	return b
}

// HasLedge says whether there is an edge between raised and low ground without a ramp: between two cells that can be entered, one of
// height 1 or more and one of height 0.
func (w *World) HasLedge() bool {
	high, low := uint64(0), uint64(0) // of the row before
	for y := range w.height {
		raised := w.planes[planeLow][y] | w.planes[planeHigh][y]
		open := w.planes[planeEnter][y] &^ w.planes[planeSlope][y]
		up, down := open&raised, open&^raised
		if up&(down<<1|down>>1) != 0 || up&low != 0 || down&high != 0 {
			return true
		}
		high, low = up, down
	}
	return false
}

// SetActor puts the actor at p with a heading; p = Nowhere removes it. It panics if p is a position outside the world,
// a cell that cannot be entered or lava, or if the heading does not exist in the world's mode.
func (w *World) SetActor(p Pos, heading Dir) {
	a := Actor{p, heading}
	if wrong := w.checkActor(a); wrong != "" {
		panic("gridworld: " + wrong)
	}
	if w.Inside(p) && w.At(p).Kind.Lethal() {
		panic("gridworld: the actor is in lava")
	}
	w.actor = a
}

// Add adds a thing and returns its index. It panics if the thing is not valid in w (see Check).
func (w *World) Add(t Thing) int {
	if wrong := w.checkThing(t); wrong != "" {
		panic("gridworld: " + wrong)
	}
	w.things = append(w.things, t)
	w.events = slices.Grow(w.events[:0], eventRoom+len(w.things))
	return len(w.things) - 1
}

// Script adds cues. Cues of one tick are applied in the order in which they were added. It panics if a cue is not valid
// in w (see Check), or is for the present tick or an earlier one.
func (w *World) Script(cues ...Cue) {
	if len(cues) == 0 {
		return
	}
	for _, c := range cues {
		if wrong := w.checkCue(c); wrong != "" {
			panic("gridworld: " + wrong)
		}
		if c.Tick <= w.tick {
			panic("gridworld: a cue for a tick that has passed")
		}
	}
	w.cues = append(append(w.cueRoom(len(w.cues)+len(cues)), w.cues...), cues...)
	slices.SortStableFunc(w.cues, func(a, b Cue) int { return a.Tick - b.Tick })
}

// cueRoom returns memory for n cues. The cues of several worlds that are built one after another in w are in one piece of memory.
func (w *World) cueRoom(n int) []Cue {
	const together = 32
	if len(w.room) < n {
		w.room = make([]Cue, max(together, n))
	}
	room := w.room[:0:n]
	w.room = w.room[n:]
	return room
}

// Darken puts the lights out at the ticks of each window. It panics if a window is empty or begins before tick 0.
func (w *World) Darken(windows ...Window) { w.dark = merged(w.dark, windows) }

// Freeze makes the actor's actions ineffective at the ticks of each window. It panics like Darken.
func (w *World) Freeze(windows ...Window) { w.frozen = merged(w.frozen, windows) }

// merged adds windows to old and sorts them by time, so that equal schedules are equal lists.
func merged(old, windows []Window) []Window {
	for _, v := range windows {
		if wrong := checkWindow(v); wrong != "" {
			panic("gridworld: " + wrong)
		}
		old = append(old, v)
	}
	slices.SortFunc(old, func(a, b Window) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	return old
}
