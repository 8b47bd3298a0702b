package animalai

import (
	"math"

	"achilles/gridworld"
)

// outside returns the cell p of something that lies at o.Pos or, if a wall there is wider in the grid than in the arena so that it would be
// inside, the nearest cell beside p that is free and on the same side of the wall.
func (b *builder) outside(o *Object, p gridworld.Pos) gridworld.Pos {
	if !b.inside(o, p) {
		return p
	}
	best, least := p, math.Inf(1)
	for y := p.Y - 1; y <= p.Y+1; y++ {
		for x := p.X - 1; x <= p.X+1; x++ {
			q := gridworld.Pos{X: x, Y: y}
			if !b.made.Inside(q) || b.inside(o, q) {
				continue
			}
			at := Vector{(float64(x) + .5) * b.grid.Cell, 0, (float64(y) + .5) * b.grid.Cell}
			d, behind := math.Hypot(at.X-o.Pos.X, at.Z-o.Pos.Z), false
			for _, s := range b.solids[b.index(p)] {
				behind = behind || s.crossed(o.Pos, at)
			}
			if !behind && d < least {
				best, least = q, d
			}
		}
	}
	if best != p {
		b.lose(o, "is so near a wall that its cell is taken: moved by one cell")
	}
	return best
}

// inside says whether what lies at the height of o would be inside something in cell p.
func (b *builder) inside(o *Object, p gridworld.Pos) bool {
	s, y := &b.cells[b.index(p)], o.Pos.Y
	if math.IsNaN(y) {
		y = 0
	}
	return s.clear || s.top != nil && !s.ramp && s.ground > y+sill
}

// crossed says whether the straight line from a to b meets a solid, seen from above (Liang and Barsky 1984).
func (s *solid) crossed(a, b Vector) bool {
	sin, cos := math.Sincos(s.Turn * math.Pi / 180)
	from, to := 0.0, 1.0
	for _, x := range [2][3]float64{
		{(a.X-s.Pos.X)*cos - (a.Z-s.Pos.Z)*sin, (b.X-s.Pos.X)*cos - (b.Z-s.Pos.Z)*sin, s.Size.X / 2},
		{(a.X-s.Pos.X)*sin + (a.Z-s.Pos.Z)*cos, (b.X-s.Pos.X)*sin + (b.Z-s.Pos.Z)*cos, s.Size.Z / 2},
	} {
		start, way, half := x[0], x[1]-x[0], x[2]
		if way == 0 {
			if math.Abs(start) > half {
				return false
			}
			continue
		}
		in, out := (-half-start)/way, (half-start)/way
		from, to = max(from, min(in, out)), min(to, max(in, out))
	}
	return from <= to
}
