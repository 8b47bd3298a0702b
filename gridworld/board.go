package gridworld

import (
	"iter"
	"math/bits"
)

// MaxSide is the largest width and height of a world, in cells: a row fits into one 64-bit word.
const MaxSide = 64

// A Board is a set of cells: bit x of word y is cell (x, y). The zero Board is empty.
type Board [MaxSide]uint64

// BoardOf returns the set of the given cells. It panics if a cell is outside every world (coordinates 0 … 63).
func BoardOf(cells ...Pos) Board {
	var b Board
	for _, p := range cells {
		b.Set(p)
	}
	return b
}

// Has says whether p is in b. It is false for positions outside every world.
func (b *Board) Has(p Pos) bool {
	return uint(p.X) < MaxSide && uint(p.Y) < MaxSide && b[p.Y]>>uint(p.X)&1 != 0
}

// Set adds p. It panics if p is outside every world.
func (b *Board) Set(p Pos) { b[row(p)] |= 1 << uint(p.X) }

func row(p Pos) int {
	if uint(p.X) >= MaxSide || uint(p.Y) >= MaxSide {
		panic("gridworld: position outside every board")
	}
	return p.Y
}

// Len returns the number of cells in b.
func (b *Board) Len() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// Empty says whether b has no cell.
func (b *Board) Empty() bool {
	var any uint64
	for _, w := range b {
		any |= w
	}
	return any == 0
}

// Add adds every cell of c to b.
func (b *Board) Add(c *Board) {
	for y := range b {
		b[y] |= c[y]
	}
}

// Remove removes every cell of c from b.
func (b *Board) Remove(c *Board) {
	for y := range b {
		b[y] &^= c[y]
	}
}

// All yields the cells of b row by row from the south-west.
func (b *Board) All() iter.Seq[Pos] {
	return func(yield func(Pos) bool) {
		for y, w := range b {
			for ; w != 0; w &= w - 1 {
				if !yield(Pos{bits.TrailingZeros64(w), y}) {
					return
				}
			}
		}
	}
}
