package gridworld

import "slices"

// TurnPaths has the cheapest paths of one actor to the cells of a world in mode Turning, in ticks: a turn costs one, like a
// step. It is computed by a flood from the actor, as far as it is asked for. Each level of the flood has the states, cells with
// headings, that the actor can be in after so many ticks and no sooner. The paths are invalid once a cell of the world
// changes. The zero TurnPaths is ready for From.
type TurnPaths struct {
	moves  *moves
	from   Actor
	seen   [MaxSide][headings]uint64
	height int // number of rows of seen that are in use
	flood  levels

	traced bool   // the following are known
	goals  Board  // of the last path that was asked for
	best   levels // the states of all equally cheap paths to them, last level first
}

// levels are sets of states, some rows of each.
type levels struct {
	list []level
	rows [][headings]uint64
}

// A level has its states in the rows from low to high: row y is rows[at+y]. Two empty rows before and after these are there too.
type level struct{ at, low, high int }

// add adds a level, and returns its rows with the two before and after it, of which the caller must set the former.
func (l *levels) add(low, high int) [][headings]uint64 {
	at, n := len(l.rows), high-low+5
	if at+n > cap(l.rows) {
		l.rows = slices.Grow(l.rows, n)
	}
	l.rows = l.rows[:at+n]
	l.list = append(l.list, level{at + 2 - low, low, high})
	rows := l.rows[at:]
	rows[0], rows[1], rows[n-2], rows[n-1] = [headings]uint64{}, [headings]uint64{}, [headings]uint64{}, [headings]uint64{}
	return rows
}

// last returns the level that was added last.
func (l *levels) last() *level { return &l.list[len(l.list)-1] }

func (l *levels) clear() { l.list, l.rows = l.list[:0], l.rows[:0] }

// From begins the paths of an actor, which must be inside w. It panics in mode Eight.
func (f *TurnPaths) From(w *World, a Actor) {
	if w.rules.Move != Turning {
		panic("gridworld: TurnPaths of a world without turns")
	}
	f.moves, f.from = w.ready(), a
	clear(f.seen[:max(f.height, w.height)])
	f.height, f.traced = w.height, false
	f.flood.clear()
	rows := f.flood.add(a.Pos.Y, a.Pos.Y)
	rows[2] = [headings]uint64{}
	rows[2][a.Heading/2&3] = 1 << uint(a.Pos.X)
	f.seen[a.Pos.Y&63] = rows[2]
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
	k := len(f.flood.list)
	for y := low; y <= high; y++ {
		if r := &f.seen[y&63]; (r[0]|r[1]|r[2]|r[3])&goals[y&63] != 0 {
			k = 0 // one of the levels that are known has a goal
			break
		}
	}
	for ; k < len(f.flood.list) || f.spread(); k++ {
		l := f.flood.list[k]
		for y := max(l.low, low); y <= min(l.high, high); y++ {
			if r := &f.flood.rows[l.at+y]; (r[0]|r[1]|r[2]|r[3])&goals[y&63] != 0 {
				return k, true
			}
		}
	}
	return 0, false
}

// spread adds the next level. It returns false if there is none.
func (f *TurnPaths) spread() bool {
	last := *f.flood.last()
	from, to := max(last.low-1, 0), min(last.high+1, f.height-1)
	rows := f.flood.add(from, to)
	old := f.flood.rows[last.at+from-1:][:to-from+3] // the rows from-1 to to+1 of the last level
	south, old := old[0][0], old[1:]
	low, high := to+1, from-1
	m, seen := f.moves, f.seen[from:to+1]
	for i := range seen {
		y := (from + i) & 63
		here, north, seen := &old[i], &old[i+1], &seen[i]
		ahead := south & m.exit[North][(y-1)&63]
		back := north[2] & m.exit[South][(y+1)&63]
		sideways, along := (here[1]|here[3])&m.leave[y], (here[0]|here[2])&m.leave[y]
		n := (ahead | sideways) &^ seen[0]
		e := (here[1]&m.exit[East][y]<<1 | along) &^ seen[1]
		s := (back | sideways) &^ seen[2]
		w := (here[3]&m.exit[West][y]>>1 | along) &^ seen[3]
		south = here[0]
		rows[i+2] = [headings]uint64{n, e, s, w}
		if n|e|s|w == 0 {
			continue
		}
		seen[0], seen[1], seen[2], seen[3] = seen[0]|n, seen[1]|e, seen[2]|s, seen[3]|w
		low, high = min(low, from+i), from+i
	}
	if low > high {
		f.flood.list, f.flood.rows = f.flood.list[:len(f.flood.list)-1], f.flood.rows[:len(f.flood.rows)-len(rows)]
		return false
	}
	l := f.flood.last()
	l.low, l.high = low, high
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
	if !f.traced || f.goals != *goals {
		f.trace(ticks, goals)
	}
	turns := [2]Action{TurnLeft, TurnRight}
	if right {
		turns = [2]Action{TurnRight, TurnLeft}
	}
	at := f.from
	for k := ticks - 1; k >= 0; k-- {
		action := turns[1]
		if f.leads(at, Forward, k) {
			action = Forward
		} else if f.leads(at, turns[0], k) {
			action = turns[0]
		}
		at = at.after(action)
		dst = append(dst, action)
	}
	return dst, true
}

// trace sets f.best to the states of all cheapest paths to the goals, which the actor reaches after some ticks. From level
// to level they are the states from which an action leads into one of the next level.
func (f *TurnPaths) trace(ticks int, goals *Board) {
	f.traced, f.goals = true, *goals
	f.best.clear()
	l := f.flood.list[ticks]
	rows := f.best.add(l.low, l.high)[2:]
	for y := l.low; y <= l.high; y++ {
		for h, row := range f.flood.rows[l.at+y] {
			rows[y-l.low][h] = row & goals[y&63]
		}
	}
	for k := ticks - 1; k > 0; k-- {
		f.traceBack(f.flood.list[k])
	}
}

// traceBack adds the states of a level of the flood from which an action leads into one of the level that was added last.
func (f *TurnPaths) traceBack(l level) {
	next := *f.best.last()
	from, to := max(l.low, next.low-1), min(l.high, next.high+1)
	rows := f.best.add(from, to)[2:]
	old := f.best.rows[next.at+from-1:][:to-from+3] // the rows from-1 to to+1 of the next level
	low, high := to+1, from-1
	m := f.moves
	for y := from; y <= to; y++ {
		south, here, north, front := &old[y-from], &old[y-from+1], &old[y-from+2], &f.flood.rows[l.at+y]
		sideways, along := (here[1]|here[3])&m.leave[y&63], (here[0]|here[2])&m.leave[y&63]
		n := (north[0]&m.exit[North][y&63] | sideways) & front[0]
		e := (here[1]>>1&m.exit[East][y&63] | along) & front[1]
		s := (south[2]&m.exit[South][y&63] | sideways) & front[2]
		w := (here[3]<<1&m.exit[West][y&63] | along) & front[3]
		if rows[y-from] = [headings]uint64{n, e, s, w}; n|e|s|w != 0 {
			low, high = min(low, y), y
		}
	}
	added := f.best.last()
	added.low, added.high = low, high
}

// leads says whether an action leads from a state of a cheapest path into one of the next level, which is that of index k of f.best.
func (f *TurnPaths) leads(a Actor, action Action, k int) bool {
	if action == Forward && f.moves.exit[a.Heading&7][a.Pos.Y&63]>>(uint(a.Pos.X)&63)&1 == 0 {
		return false
	}
	a = a.after(action)
	return f.best.rows[f.best.list[k].at+a.Pos.Y][a.Heading/2&3]>>(uint(a.Pos.X)&63)&1 != 0
}

// after returns where an actor is after a step forward or a turn that nothing holds up.
func (a Actor) after(action Action) Actor {
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
