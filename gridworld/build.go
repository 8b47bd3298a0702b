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
	planeDeep    // holes whose contents are seen from within only
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
func (g *ground) At(p Pos) Cell { return g.palette[g.cells[g.index(p)]].cell }

func (g *ground) index(p Pos) int {
	if !g.Inside(p) {
		panic("gridworld: position outside the world")
	}
	return p.Y*g.width + p.X
}

// Place makes c the cell at p. It panics if p is outside the world, c is not a valid cell, or w would have more than
// MaxDistinct different cells. It does not check whether the actor or a thing at p may be in c; Check does.
func (t *terrain) Place(p Pos, c Cell) {
	t.unshare()
	if !t.place(p, c) {
		panic("gridworld: more than 64 different cells in a world")
	}
}

// place does what Place does, but returns false if w would have too many different cells.
func (l *layout) place(p Pos, c Cell) bool {
	i := l.index(p)
	old := l.palette[l.cells[i]].planes
	l.cells[i] = 0 // if the old cell was the last of its sort, the palette gets room
	k, ok := l.paint(c)
	if !ok {
		return false
	}
	l.cells[i] = k
	changed := old ^ l.palette[k].planes
	l.stale = l.stale || changed != 0
	for ; changed != 0; changed &= changed - 1 {
		l.planes[bits.TrailingZeros16(changed)][p.Y] ^= 1 << uint(p.X)
	}
	return true
}

// cover places c at p and in the next cells to the east, n in all, which must be floor. It returns false if w would have too many
// different cells.
func (l *layout) cover(p Pos, n int, c Cell) bool {
	k, ok := l.paint(c)
	if ok {
		l.coverBy(p, n, k)
	}
	return ok
}

// coverBy is cover for a cell of the palette.
func (l *layout) coverBy(p Pos, n int, k uint8) {
	first := l.index(p)
	cells := l.cells[first:][:n]
	for i := range cells {
		cells[i] = k
	}
	l.shade(p.Y, ^uint64(0)>>(MaxSide-n)<<p.X, k)
}

// shade changes the planes of columns of row y, which were floor, to those of a cell of the palette.
func (l *layout) shade(y int, columns uint64, k uint8) {
	changed := l.palette[0].planes ^ l.palette[k].planes // floor is the first cell of the palette
	l.stale = l.stale || changed != 0
	for ; changed != 0; changed &= changed - 1 {
		l.planes[bits.TrailingZeros16(changed)][y] ^= columns
	}
}

// repeat makes row y, which must be floor, a copy of another row.
func (l *layout) repeat(y, like int) {
	copy(l.cells[y*l.width:][:l.width], l.cells[like*l.width:])
	for i := range l.planes {
		l.planes[i][y] = l.planes[i][like]
	}
}

// paint returns the palette index of c, and false if the palette is full. If c can vanish, as barriers and locks do,
// paint also adds the cell that it then becomes, so that opening a lock cannot fail.
func (g *ground) paint(c Cell) (uint8, bool) {
	for k := range g.palette {
		if g.palette[k].cell == c {
			return uint8(k), true
		}
	}
	if wrong := c.valid(); wrong != "" {
		panic("gridworld: invalid cell: " + wrong)
	}
	if c.Kind.has(removable) {
		if _, ok := g.paint(c.opened()); !ok {
			return 0, false
		}
	}
	if len(g.palette) == MaxDistinct && !g.compact() {
		return 0, false
	}
	g.palette = append(g.palette, paintOf(c))
	return uint8(len(g.palette) - 1), true
}

// compact removes cells that no longer occur from the palette, and says whether the palette then has room for one more.
// Floor is always kept, as the first cell.
func (g *ground) compact() bool {
	var old, used [MaxDistinct]Cell
	for k := range g.palette {
		old[k] = g.palette[k].cell
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
	for i, k := range g.cells {
		g.cells[i] = number(old[k])
		if old[k].Kind.has(removable) {
			number(old[k].opened())
		}
	}
	g.palette = g.palette[:0]
	for _, c := range used[:n] {
		g.palette = append(g.palette, paintOf(c))
	}
	return n < MaxDistinct
}

// Fill places c in every cell of the rectangle with the corners a and b, including them.
func (t *terrain) Fill(a, b Pos, c Cell) {
	a, b = Pos{min(a.X, b.X), min(a.Y, b.Y)}, Pos{max(a.X, b.X), max(a.Y, b.Y)}
	t.index(b)
	if t.Place(a, c); a == b {
		return
	}
	k := t.cells[t.index(a)]
	columns := ^uint64(0) >> (MaxSide - 1 - (b.X - a.X)) << a.X
	first := t.cells[a.Y*t.width+a.X:][:b.X-a.X+1]
	for x := range first {
		first[x] = k
	}
	for y := a.Y + 1; y <= b.Y; y++ {
		if row := t.cells[y*t.width+a.X:]; len(first) == 1 {
			row[0] = k
		} else {
			copy(row, first)
		}
	}
	differ := uint16(0) // the planes to which some cells belong, and some do not
	for n := range t.palette {
		differ |= t.palette[n].planes ^ t.palette[k].planes
	}
	for ; differ != 0; differ &= differ - 1 {
		i := bits.TrailingZeros16(differ)
		on := columns & -uint64(t.palette[k].planes>>i&1)
		rows, changed := t.planes[i][a.Y:b.Y+1], uint64(0)
		for y, old := range rows {
			now := old&^columns | on
			rows[y], changed = now, changed|(now^old)
		}
		t.stale = t.stale || changed != 0
	}
}

// Where returns the cells of kind k.
func (g *ground) Where(k Kind) Board {
	var b Board
	for n := range g.palette {
		if g.palette[n].cell.Kind != k {
			continue
		}
		for i := bytes.IndexByte(g.cells, uint8(n)); i >= 0; {
			b[i/g.width] |= 1 << uint(i%g.width)
			next := bytes.IndexByte(g.cells[i+1:], uint8(n))
			if next < 0 {
				break
			}
			i += next + 1
		}
	}
	return b
}

// Occurs says whether w has a cell of kind k.
func (g *ground) Occurs(k Kind) bool {
	for n := range g.palette {
		if g.palette[n].cell.Kind == k && bytes.IndexByte(g.cells, uint8(n)) >= 0 {
			return true
		}
	}
	return false
}

// Ramps returns the cells with ramps.
func (l *layout) Ramps() Board {
	var b Board
	copy(b[:l.height], l.planes[planeSlope][:l.height])
	return b
}

// HasLedge says whether there is an edge between raised and low ground without a ramp: between two cells that can be entered, one of
// height 1 or more and one of height 0.
func (l *layout) HasLedge() bool {
	high, low := uint64(0), uint64(0) // of the row before
	for y := range l.height {
		raised := l.planes[planeLow][y] | l.planes[planeHigh][y]
		open := l.planes[planeEnter][y] &^ l.planes[planeSlope][y]
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
	if wrong := a.wrong(w); wrong != "" {
		panic("gridworld: " + wrong)
	}
	if w.Inside(p) && w.At(p).Kind.Lethal() {
		panic("gridworld: the actor is in lava")
	}
	w.actor = a
}

// Add adds a thing and returns its index. It panics if the thing is not valid in w (see Check).
func (w *World) Add(t Thing) int {
	if wrong := t.wrong(w); wrong != "" {
		panic("gridworld: " + wrong)
	}
	w.things = append(w.things, t)
	w.events.grow(len(w.things))
	return len(w.things) - 1
}

// Script adds cues. Cues of one tick are applied in the order in which they were added. It panics if a cue is not valid
// in w (see Check), or is for the present tick or an earlier one.
func (w *World) Script(cues ...Cue) {
	if len(cues) == 0 {
		return
	}
	for _, c := range cues {
		if wrong := c.wrong(w); wrong != "" {
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
func (s *schedule) cueRoom(n int) []Cue {
	const together = 32
	if len(s.room) < n {
		s.room = make([]Cue, max(together, n))
	}
	room := s.room[:0:n]
	s.room = s.room[n:]
	return room
}

// Darken puts the lights out at the ticks of each window. It panics if a window is empty or begins before tick 0.
func (s *schedule) Darken(windows ...Window) { s.dark = merged(s.dark, windows) }

// Freeze makes the actor's actions ineffective at the ticks of each window. It panics like Darken.
func (s *schedule) Freeze(windows ...Window) { s.frozen = merged(s.frozen, windows) }

// merged adds windows to old and sorts them by time, so that equal schedules are equal lists.
func merged(old, windows []Window) []Window {
	for _, v := range windows {
		if wrong := v.wrong(); wrong != "" {
			panic("gridworld: " + wrong)
		}
		old = append(old, v)
	}
	slices.SortFunc(old, func(a, b Window) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	return old
}
