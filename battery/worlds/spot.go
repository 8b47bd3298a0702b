package worlds

import "math"

// A spot is a cell of a plan, relative to the start of the actor, which looks north: X to the east, Y to the north.
type spot struct{ X, Y int }

func xy(x, y int) spot { return spot{x, y} }

// plus returns the spot that is x cells to the east and y to the north of p.
func (p spot) plus(x, y int) spot { return spot{p.X + x, p.Y + y} }

// away returns the distance from the start without diagonals.
func (p spot) away() int { return max(p.X, -p.X) + max(p.Y, -p.Y) }

// side returns −1 for a spot on the left, 0 ahead, 1 on the right.
func (p spot) side() int { return sign(p.X) }

// line appends the cells of a straight line to a path, without its first cell if the path ends there.
func line(path []spot, from, to spot) []spot {
	step := xy(sign(to.X-from.X), sign(to.Y-from.Y))
	for p := from; ; p = p.plus(step.X, step.Y) {
		if len(path) == 0 || path[len(path)-1] != p {
			path = append(path, p)
		}
		if p == to {
			return path
		}
	}
}

// between returns the cell nearest to the point i/n of the way from one spot to another.
func between(from, to spot, i, n int) spot {
	return xy(from.X+nearest((to.X-from.X)*i, n), from.Y+nearest((to.Y-from.Y)*i, n))
}

// nearest returns a/b rounded to a whole number; b > 0.
func nearest(a, b int) int {
	if a < 0 {
		return -((-2*a + b) / (2 * b))
	}
	return (2*a + b) / (2 * b)
}

func sign(x int) int { return max(-1, min(1, x)) }

func whole(x float64) int { return int(math.Round(x)) }

func is(claim bool) int {
	if claim {
		return 1
	}
	return 0
}
