package policy

import (
	"math/bits"

	"achilles/gridworld"
)

// Ends are the cells in which an actor ends an episode.
type Ends struct {
	cells     gridworld.Board
	low, high gridworld.Pos // the corners, south-west and north-east, of the least rectangle that has the cells
	one       bool          // there is one cell
}

// Set sets e to some cells.
func (e *Ends) Set(cells *gridworld.Board) {
	e.cells = *cells
	e.low, e.high = gridworld.Pos{X: gridworld.MaxSide, Y: gridworld.MaxSide}, gridworld.Pos{}
	columns := uint64(0)
	for y, row := range cells {
		if row != 0 {
			columns |= row
			e.low.Y, e.high.Y = min(e.low.Y, y), y
		}
	}
	e.low.X, e.high.X = bits.TrailingZeros64(columns), bits.Len64(columns)-1
	e.one = columns != 0 && e.low == e.high
}
