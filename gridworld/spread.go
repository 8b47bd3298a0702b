package gridworld

// spread moves the front one step away from the goals, and records in f.best the steps that lead into the old front. In rows
// `from` to `to`, the new front has the cells, not seen before, from which a legal step leads into the old one. It returns the first and
// last row of the new front; lo > hi if that is empty. It overwrites the front row by row from the south, and
// so keeps the old row to the south in a variable.
func (f *Field) spread(from, to int) (lo, hi int) {
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
