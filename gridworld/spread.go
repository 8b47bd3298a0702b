package gridworld

// The following functions move the front of a Field one step away from the goals. In rows `from` to `to`, the new front
// has the cells, not seen before, from which a legal step leads into the old front. Each function returns the first and
// last row of the new front; lo > hi if the new front is empty. They overwrite the front row by row from the south, and
// so keep the old row to the south in a variable.

// spreadFour moves the front on level ground without diagonal steps.
func (f *Field) spreadFour(plane *Board, from, to int) (lo, hi int) {
	leave := &f.moves.leave
	lo, hi = MaxSide, -1
	south, here := uint64(0), f.front[from&63]
	for y := from; y <= to; y++ {
		north := uint64(0)
		if y < to {
			north = f.front[(y+1)&63]
		}
		n := (here<<1 | here>>1 | south | north) & leave[y&63] &^ f.seen[y&63]
		f.front[y&63] = n
		if n != 0 {
			f.seen[y&63] |= n
			plane[y&63] |= n
			hi = y
			lo = min(lo, y)
		}
		south, here = here, north
	}
	return lo, hi
}

// spreadEight moves the front on level ground with diagonal steps, for which both cells beside the corner must be open.
func (f *Field) spreadEight(plane *Board, from, to int) (lo, hi int) {
	leave := &f.moves.leave
	lo, hi = MaxSide, -1
	south, here := uint64(0), f.front[from&63]
	below := uint64(0)
	if from > 0 {
		below = leave[(from-1)&63]
	}
	for y := from; y <= to; y++ {
		north, above, open := uint64(0), uint64(0), leave[y&63]
		if y < to {
			north, above = f.front[(y+1)&63], leave[(y+1)&63]
		}
		east, west := open>>1, open<<1 // the cells whose neighbour to the east, to the west can be left
		n := here<<1 | here>>1 | south | north
		n |= (north>>1&east | north<<1&west) & above
		n |= (south>>1&east | south<<1&west) & below
		n &= open &^ f.seen[y&63]
		f.front[y&63] = n
		if n != 0 {
			f.seen[y&63] |= n
			plane[y&63] |= n
			hi = y
			lo = min(lo, y)
		}
		south, here, below = here, north, open
	}
	return lo, hi
}

// spreadUneven moves the front on any ground, and records in f.best the steps that lead into the
// old front.
func (f *Field) spreadUneven(from, to int) (lo, hi int) {
	exit, best := &f.moves.exit, &f.best
	lo, hi = MaxSide, -1
	south, here := uint64(0), f.front[from&63]
	for row := from; row <= to; row++ {
		y, north := row&63, uint64(0)
		if row < to {
			north = f.front[(y+1)&63]
		}
		n, e, s, w := north&exit[North][y], here>>1&exit[East][y], south&exit[South][y], here<<1&exit[West][y]
		fresh := (n | e | s | w) &^ f.seen[y]
		if f.moves.eight {
			fresh |= f.spreadDiagonal(y, north, south)
		}
		f.front[y] = fresh
		if fresh != 0 {
			f.seen[y] |= fresh
			best[North][y] |= n & fresh
			best[East][y] |= e & fresh
			best[South][y] |= s & fresh
			best[West][y] |= w & fresh
			hi = row
			lo = min(lo, row)
		}
		south, here = here, north
	}
	return lo, hi
}

// spreadDiagonal returns the cells of row y, not seen before, from which a legal diagonal step leads into the front,
// and records these steps in f.best. north and south are the front in the adjacent rows.
func (f *Field) spreadDiagonal(y int, north, south uint64) uint64 {
	exit, best, unseen := &f.moves.exit, &f.best, ^f.seen[y&63]
	ne, se := north>>1&exit[NorthEast][y&63]&unseen, south>>1&exit[SouthEast][y&63]&unseen
	sw, nw := south<<1&exit[SouthWest][y&63]&unseen, north<<1&exit[NorthWest][y&63]&unseen
	fresh := ne | se | sw | nw
	if fresh != 0 {
		best[NorthEast][y&63] |= ne
		best[SouthEast][y&63] |= se
		best[SouthWest][y&63] |= sw
		best[NorthWest][y&63] |= nw
	}
	return fresh
}
