package gridworld

import "strconv"

// A Pos is a cell of a world: column X from the west, row Y from the south.
type Pos struct{ X, Y int }

// Nowhere returns the position of an actor that is not in the world.
func Nowhere() Pos { return Pos{-1, -1} }

// Add returns the neighbour of p in direction d; it may lie outside the world.
func (p Pos) Add(d Dir) Pos {
	v := deltas[d&7]
	return Pos{p.X + int(v.x), p.Y + int(v.y)}
}

// Manhattan returns the number of orthogonal steps between p and q.
func (p Pos) Manhattan(q Pos) int { return abs(p.X-q.X) + abs(p.Y-q.Y) }

// Chebyshev returns the number of steps of a chess king between p and q.
func (p Pos) Chebyshev(q Pos) int { return max(abs(p.X-q.X), abs(p.Y-q.Y)) }

// String returns "x,y".
func (p Pos) String() string { return string(p.Append(nil)) }

// Append appends what String returns.
func (p Pos) Append(b []byte) []byte { return appendPos(b, p) }

func abs(x int) int { return max(x, -x) }

// A Dir is one of the eight directions, clockwise from North. The four orthogonal ones are even.
type Dir uint8

const (
	North Dir = iota
	NorthEast
	East
	SouthEast
	South
	SouthWest
	West
	NorthWest
)

// Directions is the number of directions.
const Directions = 8

var (
	deltas   = [Directions]struct{ x, y int8 }{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}
	dirNames = [Directions]string{"north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"}
)

// Turn returns d turned clockwise by a number of eighths of a turn; negative ones turn anticlockwise.
func (d Dir) Turn(eighths int) Dir { return Dir((int(d) + eighths) & 7) }

// Opposite returns the direction half a turn from d.
func (d Dir) Opposite() Dir { return (d + 4) & 7 }

// Diagonal says whether d lies between two orthogonal directions.
func (d Dir) Diagonal() bool { return d&1 != 0 }

// String returns the name of d in lower case, for instance "north-east".
func (d Dir) String() string { return nameOf(dirNames[:], int(d)) }

// Dirs is a set of directions: bit d is set when direction d is in it.
type Dirs uint8

// Has says whether d is in the set.
func (s Dirs) Has(d Dir) bool { return s>>(d&7)&1 != 0 }

// First returns the first direction of the set, clockwise from North. It is North when the set is empty.
func (s Dirs) First() Dir {
	for d := North; d < Directions; d++ {
		if s.Has(d) {
			return d
		}
	}
	return North
}

// nameOf returns names[i], or "#i" if there is no such name.
func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "#" + strconv.Itoa(i)
}
