package gridworld

import (
	"math/bits"
	"slices"
)

// TurnPaths has the cheapest paths of one actor to the cells of a world in mode Turning, in ticks: a turn costs one, like a
// step. It is computed by a flood from the actor, as far as it is asked for. Each level of the flood has the states, cells with
// headings, that the actor can be in after so many ticks and no sooner. The paths are invalid once a cell of the world
// changes. The zero TurnPaths is ready for From.
type TurnPaths struct {
	moves  *moves
	from   Actor
	seen   [MaxSide][headings]uint64
	height int // number of rows of seen that are in use
	levels []level
	fronts [][headings]uint64 // rows of all levels

	states []turnState // of the last path that was asked for: the states of all equally cheap paths, last level first
	bounds []int       // [k]: where the states of the k-th level from the last one begin
}

// A level is the front of a flood: row y, from low to high, is fronts[at+y]. Two empty rows before and after it are there too.
type level struct{ at, low, high int }

// A turnState is a cell with a heading, 0 north to 3 west: x + 64·y + 4096·heading.
type turnState uint16

func stateOf(x, y, heading int) turnState { return turnState(x&63 | y&63<<6 | heading&3<<12) }

// parts returns the cell and the heading of s.
func (s turnState) parts() (x, y, heading int) {
	return int(s & 63), int(s >> 6 & 63), int(s >> 12 & 3)
}

// From begins the paths of an actor, which must be inside w. It panics in mode Eight.
func (f *TurnPaths) From(w *World, a Actor) {
	if w.rules.Move != Turning {
		panic("gridworld: TurnPaths of a world without turns")
	}
	f.moves, f.from = w.ready(), a
	clear(f.seen[:max(f.height, w.height)])
	f.height = w.height
	f.levels, f.fronts = f.levels[:0], f.fronts[:0]
	rows := f.begin(a.Pos.Y, a.Pos.Y)
	rows[2][a.Heading/2&3] = 1 << uint(a.Pos.X)
	f.seen[a.Pos.Y&63] = rows[2]
}

// begin adds an empty level, and returns its rows with the two before and after it.
func (f *TurnPaths) begin(low, high int) [][headings]uint64 {
	at, n := len(f.fronts), high-low+5
	f.fronts = slices.Grow(f.fronts, n)[:at+n]
	clear(f.fronts[at:])
	f.levels = append(f.levels, level{at + 2 - low, low, high})
	return f.fronts[at:]
}

// To returns the number of ticks that the actor needs to the nearest of some cells; ok is false if it can reach none.
func (f *TurnPaths) To(goals *Board) (ticks int, ok bool) {
	low, high := 0, f.height-1
	for low < high && goals[low&63] == 0 {
		low++
	}
	for low < high && goals[high&63] == 0 {
		high--
	}
	for k := 0; k < len(f.levels) || f.spread(); k++ {
		l := f.levels[k]
		for y := max(l.low, low); y <= min(l.high, high); y++ {
			if r := &f.fronts[l.at+y]; (r[0]|r[1]|r[2]|r[3])&goals[y&63] != 0 {
				return k, true
			}
		}
	}
	return 0, false
}

// spread adds the next level. It returns false if there is none.
func (f *TurnPaths) spread() bool {
	last := f.levels[len(f.levels)-1]
	from, to := max(last.low-1, 0), min(last.high+1, f.height-1)
	rows := f.begin(from, to)
	old := f.fronts[last.at+from-1:][:to-from+3] // the rows from-1 to to+1 of the last level
	low, high := to+1, from-1
	m := f.moves
	south := old[0]
	for i := range to - from + 1 {
		y := (from + i) & 63
		here, north, seen := &old[i+1], &old[i+2], &f.seen[y]
		ahead := south[0] & m.exit[North][(y-1)&63]
		back := north[2] & m.exit[South][(y+1)&63]
		sideways, along := (here[1]|here[3])&m.leave[y], (here[0]|here[2])&m.leave[y]
		n := (ahead | sideways) &^ seen[0]
		e := (here[1]&m.exit[East][y]<<1 | along) &^ seen[1]
		s := (back | sideways) &^ seen[2]
		w := (here[3]&m.exit[West][y]>>1 | along) &^ seen[3]
		south = *here
		if n|e|s|w == 0 {
			continue
		}
		rows[i+2] = [headings]uint64{n, e, s, w}
		seen[0], seen[1], seen[2], seen[3] = seen[0]|n, seen[1]|e, seen[2]|s, seen[3]|w
		low, high = min(low, from+i), from+i
	}
	k := len(f.levels) - 1
	if low > high {
		f.fronts, f.levels = f.fronts[:f.levels[k].at+from-2], f.levels[:k]
		return false
	}
	f.levels[k].low, f.levels[k].high = low, high
	return true
}

// Path appends to dst the actions of a cheapest path to the nearest of some cells, and returns the result; ok is false if the
// actor can reach none. Where several actions are as good, it takes the step forward before a turn, and the turn to the left
// before that to the right or, if right is true, after it.
func (f *TurnPaths) Path(dst []Action, goals *Board, right bool) (path []Action, ok bool) {
	ticks, ok := f.To(goals)
	if !ok {
		return dst, false
	}
	f.trace(ticks, goals)
	at := stateOf(f.from.Pos.X, f.from.Pos.Y, int(f.from.Heading/2))
	turns := [2]Action{TurnLeft, TurnRight}
	if right {
		turns = [2]Action{TurnRight, TurnLeft}
	}
	for k := ticks - 1; k >= 0; k-- {
		best := f.states[f.bounds[k]:f.bounds[k+1]]
		action := turns[1]
		if f.canStep(at) && slices.Contains(best, at.after(Forward)) {
			action = Forward
		} else if slices.Contains(best, at.after(turns[0])) {
			action = turns[0]
		}
		at = at.after(action)
		dst = append(dst, action)
	}
	return dst, true
}

// trace sets f.states to the states of all cheapest paths to the goals, which the actor reaches after some ticks. From level
// to level they are the states from which an action leads into one of the next level.
func (f *TurnPaths) trace(ticks int, goals *Board) {
	f.states, f.bounds = f.states[:0], append(f.bounds[:0], 0)
	l := f.levels[ticks]
	for y := l.low; y <= l.high; y++ {
		for h, row := range f.fronts[l.at+y] {
			for row &= goals[y&63]; row != 0; row &= row - 1 {
				f.states = append(f.states, stateOf(bits.TrailingZeros64(row), y, h))
			}
		}
	}
	for k := ticks - 1; k >= 0; k-- {
		first, last := f.bounds[ticks-1-k], len(f.states)
		f.bounds = append(f.bounds, last)
		for _, s := range f.states[first:last] {
			f.traceBack(f.levels[k].at, last, s)
		}
	}
	f.bounds = append(f.bounds, len(f.states))
}

// traceBack adds the states from which an action leads to s to f.states[last:], without repeating any. They are in the level
// whose row 0 would be f.fronts[at].
func (f *TurnPaths) traceBack(at, last int, s turnState) {
	x, y, h := s.parts()
	d := deltas[2*h&7]
	px, py := x-int(d.x), y-int(d.y)
	if f.fronts[at+py][h&3]&f.moves.exit[2*h&7][py&63]>>(uint(px)&63)&1 != 0 {
		f.add(last, stateOf(px, py, h))
	}
	row := &f.fronts[at+y]
	if (row[(h+1)&3]|row[(h+3)&3])&f.moves.leave[y&63]>>(uint(x)&63)&1 == 0 {
		return
	}
	for _, before := range [2]int{(h + 1) & 3, (h + 3) & 3} {
		if row[before]>>(uint(x)&63)&1 != 0 {
			f.add(last, stateOf(x, y, before))
		}
	}
}

// add adds s to f.states[last:] if it is not there.
func (f *TurnPaths) add(last int, s turnState) {
	if !slices.Contains(f.states[last:], s) {
		f.states = append(f.states, s)
	}
}

// canStep says whether a step forward from s is legal.
func (f *TurnPaths) canStep(s turnState) bool {
	x, y, h := s.parts()
	return f.moves.exit[2*h&7][y]>>uint(x)&1 != 0
}

// after returns the state after a step forward or a turn.
func (s turnState) after(a Action) turnState {
	x, y, h := s.parts()
	switch a {
	case TurnLeft:
		return stateOf(x, y, h+3)
	case TurnRight:
		return stateOf(x, y, h+1)
	}
	d := deltas[2*h&7]
	return stateOf(x+int(d.x), y+int(d.y), h)
}
