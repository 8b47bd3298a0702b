package gridworld

// A Guide knows the best next steps from a cell: *Field and *CostField are guides.
type Guide interface {
	// Descents returns the directions of the best steps from p; none at the end of the way, or where there is none.
	Descents(p Pos) Dirs
}

var (
	_ Guide = (*Field)(nil)
	_ Guide = (*CostField)(nil)
)

// Path appends the cells of a best way from p to dst, p first. Of equally good steps it takes the first clockwise from
// North. Where there is no way the path is p alone.
func Path(dst []Pos, g Guide, p Pos) []Pos {
	dst = append(dst, p)
	for s := g.Descents(p); s != 0; s = g.Descents(p) {
		p = p.Add(s.First())
		dst = append(dst, p)
		bounded(dst)
	}
	return dst
}

// bounded panics on a path that is longer than any.
func bounded(path []Pos) {
	if len(path) > 2*MaxSide*MaxSide {
		panic("gridworld: a guide leads in circles; the world of a field has changed")
	}
}

// StraightPath is Path, but of equally good steps it takes the one that ends nearest to the straight line from p to
// target; of two on either side of it, the first clockwise from North.
func StraightPath(dst []Pos, g Guide, p, target Pos) []Pos {
	dst = append(dst, p)
	dx, dy := target.X-p.X, target.Y-p.Y
	for at := p; ; {
		best, off := at, -1
		for s := g.Descents(at); s != 0; s &= s - 1 {
			q := at.Add(s.First())
			if o := abs((q.X-p.X)*dy - (q.Y-p.Y)*dx); off < 0 || o < off {
				best, off = q, o
			}
		}
		if off < 0 {
			return dst
		}
		at = best
		dst = append(dst, at)
		bounded(dst)
	}
}
