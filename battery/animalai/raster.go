package animalai

import (
	"cmp"
	"math"
	"slices"

	"achilles/gridworld"
)

// A solid is what an object has in a cell.
type solid struct {
	*Object
	low, high float64
}

// footprint calls f for every cell of the grid that an object stands on, and reports whether its outline is that of these cells. One that is
// thinner than a cell has the cells of its middle line.
func (g *Grid) footprint(o *Object, f func(p gridworld.Pos)) (fits bool) {
	quarter := o.Turn / 90
	if whole := math.Round(quarter); math.Abs(quarter-whole) > 1.0/90 { // within one degree
		g.slanting(o, f)
		return false
	} else if int(whole)%2 != 0 {
		x0, x1, fitsX := g.span(o.Pos.X, o.Size.Z, g.Width)
		y0, y1, fitsY := g.span(o.Pos.Z, o.Size.X, g.Height)
		each(x0, x1, y0, y1, f)
		return fitsX && fitsY
	}
	x0, x1, fitsX := g.span(o.Pos.X, o.Size.X, g.Width)
	y0, y1, fitsY := g.span(o.Pos.Z, o.Size.Z, g.Height)
	each(x0, x1, y0, y1, f)
	return fitsX && fitsY
}

// span returns the columns or rows from a to before b of what has this middle and length, of n.
func (g *Grid) span(middle, length float64, n int) (a, b int, fits bool) {
	low, high := (middle-length/2)/g.Cell, (middle+length/2)/g.Cell
	l, h := math.Round(low), math.Round(high)
	fits = math.Abs(l-low) < 1e-6 && math.Abs(h-high) < 1e-6
	if l == h {
		l = math.Floor(middle / g.Cell)
		h, fits = l+1, false
	}
	return max(0, min(n, int(l))), max(0, min(n, int(h))), fits
}

func each(x0, x1, y0, y1 int, f func(p gridworld.Pos)) {
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			f(gridworld.Pos{X: x, Y: y})
		}
	}
}

// slanting calls f for the cells whose middle is in a rectangle at an angle, which is made so thick that the cells of a wall touch each other by
// their sides.
func (g *Grid) slanting(o *Object, f func(p gridworld.Pos)) {
	sin, cos := math.Sincos(o.Turn * math.Pi / 180)
	half := g.Cell / math.Sqrt2
	wide, long := max(o.Size.X/2, half), max(o.Size.Z/2, half)
	for y := range g.Height {
		for x := range g.Width {
			dx, dz := (float64(x)+.5)*g.Cell-o.Pos.X, (float64(y)+.5)*g.Cell-o.Pos.Z
			if math.Abs(dx*cos-dz*sin) <= wide && math.Abs(dx*sin+dz*cos) <= long {
				f(gridworld.Pos{X: x, Y: y})
			}
		}
	}
}

// A stack is what stands in a cell, as far as an agent is concerned.
type stack struct {
	ground  float64 // the top of what is opaque
	top     *Object // it; nil: the floor of the arena
	ramp    bool    // top is a ramp: from low to ground
	low     float64
	mark    *Object // what colours the ground; nil: nothing
	clear   bool    // something clear stands on it, or in its place
	lethal  bool
	reached bool
}

// stacked returns what solids make of a cell. An agent is a unit tall: below what is less than that above the ground it cannot go.
func stacked(solids []solid, lose func(o *Object, why string)) (s stack) {
	slices.SortStableFunc(solids, func(a, b solid) int { return cmp.Compare(a.low, b.low) })
	for _, x := range solids {
		switch x.Name {
		case "WallTransparent", "DeathZone":
			continue
		}
		switch {
		case x.high <= s.ground+1e-9: // within what is there
		case x.high-x.low <= flat:
			if x.low >= s.ground-flat {
				s.mark = x.Object
			}
		case x.low >= s.ground+1:
			lose(x.Object, "is above the ground, as a roof or a bridge: left out")
		case x.Name == "Ramp":
			s.ramp, s.low, s.ground, s.top = true, max(x.low, s.ground), x.high, x.Object
		default:
			s.ramp, s.ground, s.top = false, x.high, x.Object
		}
	}
	for _, x := range solids {
		switch {
		case x.Name == "WallTransparent" && x.high > s.ground+unit/2 && x.low < s.ground+1:
			s.clear = true
		case x.Name == "DeathZone" && x.high > s.ground && x.low < s.ground+1:
			s.lethal = true
		}
	}
	return s
}
