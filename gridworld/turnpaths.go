package gridworld

import (
	"math/bits"
	"slices"
)

// TurnPaths has the cheapest paths of one actor to the cells of a world in mode Turning, in ticks: a turn costs one, like a
// step. It is computed by a flood from the actor, as far as it is asked for. Each level of the flood has the states, cells with
// headings, that the actor can be in after so many ticks or sooner. The paths are invalid once a cell of the world
// changes. The zero TurnPaths is ready for From.
type TurnPaths struct {
	moves *moves
	from  Actor
	flood levels
	whole bool // another level would have no more states than the last one

	traced bool   // the following are known
	goals  Board  // of the last path that was asked for
	best   levels // the states of all equally cheap paths to them, last level first
}

// levels are sets of states, some rows of each.
type levels struct {
	list []level
	rows [][headings]uint64
	end  int // index of the first row that is free
}

// A level has its states in the rows from low to high: row y is rows[at+y]. Two empty rows before and after these are there too.
type level struct{ at, low, high int }

// reachOfRow is the number of rows from row 0 of a level to row 63, and one before and after these. So many are there for every level,
// so that rows are found without checking each; most belong to other levels.
const reachOfRow = MaxSide + 2

func (l *levels) clear() { l.list, l.end = l.list[:0], reachOfRow }

// begin returns what `at` is of a level to be added that begins at row y or later. Its rows must be set then.
func (l *levels) begin(y int) (at int) {
	if l.end+reachOfRow+2 > len(l.rows) {
		rows := make([][headings]uint64, max(2*len(l.rows), 4*reachOfRow))
		copy(rows, l.rows)
		l.rows = rows
	}
	return l.end - y
}

// add adds a level.
func (l *levels) add(at, low, high int) {
	l.list = append(l.list, level{at, low, high})
	after := l.rows[at+high+1:][:2] // those before are there after the last level
	after[0], after[1] = [headings]uint64{}, [headings]uint64{}
	l.end = at + high + 3
}

// last returns the level that was added last.
func (l *levels) last() level { return l.list[len(l.list)-1] }

// of returns the rows of a level, row 0 first.
func (l *levels) of(at int) *[MaxSide][headings]uint64 {
	return (*[MaxSide][headings]uint64)(l.rows[at:])
}

// around returns the rows of a level, row −1 first.
func (l *levels) around(at int) *[reachOfRow][headings]uint64 {
	return (*[reachOfRow][headings]uint64)(l.rows[at-1:])
}

// From begins the paths of an actor, which must be inside w. It panics in mode Eight.
func (f *TurnPaths) From(w *World, a Actor) {
	if w.rules.Move != Turning {
		panic("gridworld: TurnPaths of a world without turns")
	}
	f.moves, f.from, f.whole, f.traced = w.ready(), a, false, false
	f.flood.clear()
	at, here := f.flood.begin(a.Pos.Y), [headings]uint64{}
	here[a.Heading/2&3] = 1 << uint(a.Pos.X)
	f.flood.rows[at+a.Pos.Y] = here
	f.flood.add(at, a.Pos.Y, a.Pos.Y)
}

// To returns the number of ticks that the actor needs to the nearest of some cells; ok is false if it can reach none.
func (f *TurnPaths) To(goals *Board) (ticks int, ok bool) {
	low, high, columns := MaxSide, -1, uint64(0)
	for y, row := range goals[:f.moves.rows] {
		if row != 0 {
			low, high, columns = min(low, y), y, columns|row
		}
	}
	if columns == 0 {
		return 0, false
	}
	k := f.least(low, high, columns)
	if !f.has(f.flood.last(), goals, low, high) {
		k = max(k, len(f.flood.list))
	}
	for ; ; k++ {
		for k >= len(f.flood.list) {
			if !f.spread() {
				return 0, false
			}
		}
		if f.has(f.flood.list[k], goals, low, high) {
			return k, true
		}
	}
}

// has says whether a level has one of some cells, which are in the rows from low to high.
func (f *TurnPaths) has(l level, goals *Board, low, high int) bool {
	for y := max(l.low, low); y <= min(l.high, high); y++ {
		if r := &f.flood.rows[l.at+y]; (r[0]|r[1]|r[2]|r[3])&goals[y&63] != 0 {
			return true
		}
	}
	return false
}

// least returns a number of steps that the actor needs at least into one of some rows and one of some columns.
func (f *TurnPaths) least(low, high int, columns uint64) int {
	x, y := f.from.Pos.X, f.from.Pos.Y
	aside := MaxSide
	if east := columns >> uint(x); east != 0 {
		aside = bits.TrailingZeros64(east)
	}
	if west := columns << uint(MaxSide-1-x); west != 0 {
		aside = min(aside, bits.LeadingZeros64(west))
	}
	return aside + max(low-y, y-high, 0)
}

// levelsUnlike is the number of levels after which the last two are compared: a flood that is whole may get as many in vain.
const levelsUnlike = 8

// spread adds the next level. It returns false if it would have no more states, and may not notice that at once.
func (f *TurnPaths) spread() bool {
	if f.whole {
		return false
	}
	last := f.flood.last()
	low, high := last.low, last.high
	at := f.flood.begin(low - 1)
	m, old, fresh := f.moves, f.flood.around(last.at), f.flood.around(at)
	ahead := m.spread(fresh, old, low, high)
	if s := old[low+1][2] & m.exit[South][low&63]; s != 0 {
		fresh[low] = [headings]uint64{South / 2: s}
		low--
	}
	if ahead != 0 {
		high++
		fresh[high+1] = [headings]uint64{North / 2: ahead}
	}
	if len(f.flood.list)%levelsUnlike == 0 && low == last.low && high == last.high &&
		slices.Equal(f.flood.rows[at+low:at+high+1], f.flood.rows[last.at+low:last.at+high+1]) {
		f.whole = true
		return false
	}
	f.flood.add(at, low, high)
	return true
}

// spread sets the rows of a level from one to another from the level before, and returns the states of the row to the north of these
// to which steps lead. Row −1 is the first one.
func (m *moves) spread(fresh, old *[reachOfRow][headings]uint64, low, high int) (ahead uint64) {
	for y := low; y <= high; y++ {
		y := y & 63
		here := &old[y+1]
		sideways, along := (here[1]|here[3])&m.leave[y], (here[0]|here[2])&m.leave[y]
		fresh[y+1] = [headings]uint64{
			here[0] | ahead | sideways,
			here[1] | here[1]&m.exit[East][y]<<1 | along,
			here[2] | old[y+2][2]&m.exit[South][(y+1)&63] | sideways,
			here[3] | here[3]&m.exit[West][y]>>1 | along,
		}
		ahead = here[0] & m.exit[North][y]
	}
	return ahead
}

// Path appends to dst the actions of a cheapest path to the nearest of some cells, and returns the result; ok is false if the
// actor can reach none. Where several actions are as good, it takes the step forward before a turn, and the turn to the left
// before that to the right or, if right is true, after it.
func (f *TurnPaths) Path(dst []Action, goals *Board, right bool) (path []Action, ok bool) {
	ticks, ok := f.To(goals)
	if !ok {
		return dst, false
	}
	if !f.traced || f.goals != *goals {
		f.trace(ticks, goals)
	}
	turns, first := [2]Action{TurnLeft, TurnRight}, headings-1 // first: what the preferred turn adds to a heading
	if right {
		turns, first = [2]Action{TurnRight, TurnLeft}, 1
	}
	y, bit, h := f.from.Pos.Y, uint64(1)<<uint(f.from.Pos.X), int(f.from.Heading/2&3)
	for k := ticks - 1; k >= 0; k-- {
		next := f.best.rows[f.best.list[k].at+y-1:][:3] // the rows from y-1 to y+1 of the states after the action
		v := deltas[2*h&7]
		ahead := bits.RotateLeft64(bit, int(v.x))
		switch {
		case f.moves.exit[2*h&7][y&63]&bit != 0 && next[1+v.y][h&3]&ahead != 0:
			y, bit = y+int(v.y), ahead
			dst = append(dst, Forward)
		case next[1][(h+first)&3]&bit != 0:
			h = (h + first) & 3
			dst = append(dst, turns[0])
		default:
			h = (h - first) & 3
			dst = append(dst, turns[1])
		}
	}
	return dst, true
}

// trace sets f.best to the states of all cheapest paths to the goals, which the actor reaches after some ticks. From level
// to level they are the states from which an action leads into one of the next level.
func (f *TurnPaths) trace(ticks int, goals *Board) {
	f.traced, f.goals = true, *goals
	f.best.clear()
	l := f.flood.list[ticks]
	at := f.best.begin(l.low)
	old, rows := f.flood.of(l.at), f.best.of(at)
	for y := l.low; y <= l.high; y++ {
		for h, row := range old[y&63] {
			rows[y&63][h] = row & goals[y&63]
		}
	}
	f.best.add(at, l.low, l.high)
	for k := ticks - 1; k > 0; k-- {
		f.traceBack(f.flood.list[k])
	}
}

// traceBack adds the states of a level of the flood from which an action leads into one of the level that was added last.
func (f *TurnPaths) traceBack(l level) {
	next := f.best.last()
	from, to := max(l.low, next.low-1), min(l.high, next.high+1)
	at := f.best.begin(from)
	m, old, fronts, rows := f.moves, f.best.around(next.at), f.flood.of(l.at), f.best.of(at)
	low, high := to+1, from-1
	for y := from; y <= to; y++ {
		y := y & 63
		here, front := &old[y+1], &fronts[y]
		sideways, along := (here[1]|here[3])&m.leave[y], (here[0]|here[2])&m.leave[y]
		n := (old[y+2][0]&m.exit[North][y] | sideways) & front[0]
		e := (here[1]>>1&m.exit[East][y] | along) & front[1]
		s := (old[y][2]&m.exit[South][y] | sideways) & front[2]
		w := (here[3]<<1&m.exit[West][y] | along) & front[3]
		if rows[y] = [headings]uint64{n, e, s, w}; n|e|s|w != 0 {
			low, high = min(low, y), y
		}
	}
	f.best.add(at, low, high)
}

// After returns where an actor is after a step forward or a turn that nothing holds up.
func (a Actor) After(action Action) Actor {
	switch action {
	case TurnLeft:
		a.Heading = a.Heading.Turn(-2)
	case TurnRight:
		a.Heading = a.Heading.Turn(2)
	case Forward:
		a.Pos = a.Pos.Add(a.Heading)
	}
	return a
}
