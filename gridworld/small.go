package gridworld

// A level world of few cells fits into 128 bits, row after row with an empty column between them. Then a few operations
// move the whole front of a Field, which is several times as fast as row by row.

// packedBits is the number of bits; empty columns count too.
const packedBits = 128

// A packed is a set of cells of a world that fits into packedBits: bit y·stride + x is cell (x, y).
type packed struct{ lo, hi uint64 }

// packable returns the stride of a world of this size, and whether the world fits.
func packable(width, height int) (stride uint, ok bool) {
	return uint(width + 1), width < MaxSide/2 && (width+1)*height <= packedBits
}

// pack returns the first rows of b as a packed set.
func pack(b *Board, rows int, stride uint) packed {
	var p packed
	at := uint(0)
	for y := range rows {
		if r := b[y&63]; at < 64 {
			p.lo |= r << (at & 63)
			p.hi |= r >> 1 >> (63 - at&63)
		} else {
			p.hi |= r << (at & 63)
		}
		at += stride
	}
	return p
}

// unpack sets the first rows of b to the cells of p.
func (p packed) unpack(b *Board, rows int, stride uint) {
	for y := range rows {
		b[y] = p.lo & (1<<(stride-1) - 1)
		p = p.down(stride)
	}
}

func (p packed) or(q packed) packed  { return packed{p.lo | q.lo, p.hi | q.hi} }
func (p packed) and(q packed) packed { return packed{p.lo & q.lo, p.hi & q.hi} }
func (p packed) not(q packed) packed { return packed{p.lo &^ q.lo, p.hi &^ q.hi} }
func (p packed) empty() bool         { return p.lo|p.hi == 0 }

// up moves every bit n places up, n = 1 … 63; down moves them down.
func (p packed) up(n uint) packed {
	return packed{p.lo << (n & 63), p.hi<<(n&63) | p.lo>>((64-n)&63)}
}

func (p packed) down(n uint) packed {
	return packed{p.lo>>(n&63) | p.hi<<((64-n)&63), p.hi >> (n & 63)}
}

// has says whether bit i is set.
func (p packed) has(i uint) bool {
	if i < 64 {
		return p.lo>>(i&63)&1 != 0
	}
	return i < packedBits && p.hi>>(i&63)&1 != 0
}

// floodPacked spreads the goals until it has reached the bit `until` or every cell that it can reach.
func (f *Field) floodPacked(goals packed, until uint) {
	s, leave := f.moves.stride, f.moves.packed
	front, seen := goals, goals
	near, next, after := goals, packed{}, packed{} // cells at distance f.levels, f.levels+1 and f.levels+2, modulo 3
	var corner [4]packed                           // cells from which both ways round the corner are open, by diagonal direction, north-east first
	if f.moves.eight {
		n, e, south, w := leave.down(s), leave.down(1), leave.up(s), leave.up(1)
		corner = [4]packed{n.and(e), south.and(e), south.and(w), n.and(w)}
	}
	for !seen.has(until) {
		into := front.up(1).or(front.down(1)).or(front.up(s)).or(front.down(s))
		if f.moves.eight {
			into = into.or(front.down(s + 1).and(corner[0])).or(front.up(s - 1).and(corner[1])).
				or(front.up(s + 1).and(corner[2])).or(front.down(s - 1).and(corner[3]))
		}
		front = into.and(leave).not(seen)
		if front.empty() {
			break
		}
		seen = seen.or(front)
		near, next, after = next.or(front), after, near
		f.levels++
	}
	// near has the cells at distance f.levels modulo 3.
	k := f.levels % 3
	f.packed[k], f.packed[(k+1)%3], f.packed[(k+2)%3] = near, next, after
}
