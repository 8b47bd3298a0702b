package animalai

import (
	"math"
	"slices"
	"strconv"

	"achilles/gridworld"
)

var ways = [...]gridworld.Dir{gridworld.North, gridworld.East, gridworld.South, gridworld.West}

// rise returns the direction in which a ramp goes up: to the south, if it is not turned.
func rise(o *Object) gridworld.Dir {
	return gridworld.South.Turn(2 * int(math.Round(o.Turn/90)))
}

// side returns the height of the side of a cell, and whether one can cross it.
func (s *stack) side(d gridworld.Dir) (height float64, open bool) {
	if s.clear {
		return 0, false
	}
	if !s.ramp {
		return s.ground, true
	}
	switch up := rise(s.top); d {
	case up:
		return s.ground, true
	case up.Opposite():
		return s.low, true
	}
	return 0, false
}

// sill is what an agent gets over, in units.
const sill = 0.1

// steps reports whether an agent can step from a to its neighbour b in direction d.
func steps(a, b *stack, d gridworld.Dir) bool {
	if a.ramp && b.ramp && a.top == b.top {
		return true
	}
	from, ok := a.side(d)
	to, open := b.side(d.Opposite())
	return ok && open && to <= from+sill
}

// neighbours gives the cells beside i and the direction of each.
func (b *builder) neighbours(i int) func(yield func(d gridworld.Dir, k int) bool) {
	return func(yield func(d gridworld.Dir, k int) bool) {
		p := b.at(i)
		for _, d := range ways {
			if q := p.Add(d); b.made.Inside(q) && !yield(d, b.index(q)) {
				return
			}
		}
	}
}

// flood marks the cells in which an agent can come to be.
func (b *builder) flood(start gridworld.Pos) {
	b.cells[b.index(start)].reached = true
	for list := []int{b.index(start)}; len(list) > 0; {
		i := list[len(list)-1]
		list = list[:len(list)-1]
		if b.cells[i].lethal {
			continue
		}
		for d, k := range b.neighbours(i) {
			if !b.cells[k].reached && steps(&b.cells[i], &b.cells[k], d) {
				b.cells[k].reached = true
				list = append(list, k)
			}
		}
	}
}

// pits returns the depth of every cell that an agent can enter and not leave; 0 for the others.
func (b *builder) pits(start gridworld.Pos) []float64 {
	depth := make([]float64, len(b.cells))
	for i := range b.cells {
		s := &b.cells[i]
		if !s.reached || s.clear || s.ramp || s.lethal || b.at(i) == start {
			continue
		}
		least, out := math.Inf(1), false
		for d, k := range b.neighbours(i) {
			n := &b.cells[k]
			out = out || steps(s, n, d)
			if n.reached && !n.lethal && steps(n, s, d.Opposite()) {
				least = min(least, n.ground-s.ground)
			}
		}
		if !out && !math.IsInf(least, 1) && least >= deep/2 {
			depth[i] = least
		}
	}
	return depth
}

// scale finds which heights of the ground are which heights of the world.
func (b *builder) scale(pits []float64) {
	var levels []float64
	for i := range b.cells {
		if s := &b.cells[i]; s.reached && pits[i] == 0 {
			levels = append(levels, s.ground)
			if s.ramp {
				levels = append(levels, s.low)
			}
		}
	}
	slices.Sort(levels)
	levels = slices.CompactFunc(levels, func(x, y float64) bool { return math.Abs(y-x) < 1e-6 })
	b.base = levels[0]
	exact := true
	for _, x := range levels {
		h := (x - b.base) / unit
		exact = exact && math.Abs(h-math.Round(h)) < 1e-6 && h < gridworld.MaxHeight+.5
	}
	if exact {
		for h := range gridworld.MaxHeight + 1 {
			b.levels = append(b.levels, b.base+unit*float64(h))
		}
		return
	}
	levels = slices.CompactFunc(levels, func(x, y float64) bool { return math.Abs(y-x) <= sill })
	if len(levels) == 1 {
		b.levels = levels
		return
	}
	names := joined(levels, func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) })
	if len(levels) > gridworld.MaxHeight+1 {
		b.losses.add("heights", "of the ground ("+names+" units) are more than four: the highest become one")
	} else {
		b.losses.add("heights", "of the ground ("+names+" units) are numbered 0, 1 … in the world")
	}
	b.levels = levels[:min(len(levels), gridworld.MaxHeight+1)]
}

// heightOf returns the height of the world of what has its top at y; more than MaxHeight for what hides everything.
func (b *builder) heightOf(y float64, reached bool) int {
	for h, x := range b.levels {
		if y <= x+sill {
			return h
		}
	}
	if reached {
		return len(b.levels) - 1
	}
	if h := len(b.levels); h <= gridworld.MaxHeight && y <= b.levels[h-1]+1 { // as tall as an agent at most
		return h
	}
	return gridworld.MaxHeight + 1
}

// rim returns the height of the world at y, if it is one, and else 0.
func (b *builder) rim(y float64) int {
	h := (y - b.base) / unit
	if n := math.Round(h); math.Abs(h-n) < 1e-6 && n > 0 && n <= gridworld.MaxHeight {
		return int(n)
	}
	return 0
}

// cell returns the cell of the world that stack i becomes.
func (b *builder) cell(i int, pit float64) gridworld.Cell {
	s := &b.cells[i]
	paint := func(k gridworld.Kind, height int) gridworld.Cell {
		c := gridworld.Cell{Kind: k, Height: uint8(height)}
		if s.top != nil {
			c.Colour = inWorld(k, s.top)
		}
		return c
	}
	marked := func(k gridworld.Kind, height int) gridworld.Cell {
		c := paint(k, height)
		if c.Colour = gridworld.None; s.mark != nil {
			c.Colour = inWorld(gridworld.Floor, s.mark)
		}
		return c
	}
	if !s.reached && !s.clear && !s.ramp && b.base-s.ground >= deep/2 {
		pit = b.base - s.ground
	}
	switch {
	case pit >= deep:
		return marked(gridworld.Hole, b.rim(s.ground+deep))
	case pit > 0:
		return marked(gridworld.ShallowHole, b.rim(s.ground+deep/2))
	case s.lethal && !s.clear:
		return gridworld.Cell{Kind: gridworld.Lava, Height: uint8(min(gridworld.MaxHeight, b.heightOf(s.ground, s.reached)))}
	}
	h := b.heightOf(s.ground, s.reached)
	switch {
	case h > gridworld.MaxHeight:
		if c := paint(gridworld.Wall, b.rim(s.ground-tall)); c.Colour == gridworld.None {
			return c
		}
		return paint(gridworld.Occluder, b.rim(s.ground-tall))
	case s.clear && h == 0:
		return gridworld.Cell{Kind: gridworld.ClearWall}
	case s.clear && s.top != nil && s.top.Coloured && paint(gridworld.ClearWall, 0).Colour == gridworld.None:
		return gridworld.Cell{Kind: gridworld.ClearWall, Height: uint8(h)}
	case s.clear:
		return paint(gridworld.LowWall, h-1)
	case s.ramp && h > 0:
		if low := b.heightOf(s.low, s.reached); low != h-1 {
			b.lose(s.top, "spans several heights of the ground: here it joins the upper two only")
		}
		c := paint(gridworld.Ramp, h-1)
		c.Facing = rise(s.top)
		return c
	case h == 0:
		return marked(gridworld.Floor, 0)
	}
	return paint(gridworld.Platform, h)
}

// mostPit is the largest number of cells of a pit.
const mostPit = 16

// widePits says that what lies in a pit of several cells is not hidden as it is in an arena.
func (b *builder) widePits(start gridworld.Pos, pits []float64) {
	done := make([]bool, len(b.cells))
	for i := range b.cells {
		if done[i] || !b.cells[i].reached || pits[i] > 0 || b.at(i) == start {
			continue
		}
		list, wall := []int{i}, true
		in := map[int]bool{i: true}
		for k := 0; k < len(list) && len(list) <= mostPit && wall; k++ {
			for d, n := range b.neighbours(list[k]) {
				switch s, o := &b.cells[list[k]], &b.cells[n]; {
				case in[n]:
				case steps(s, o, d):
					in[n] = true
					list = append(list, n)
				default:
					wall = wall && o.reached && o.ground >= s.ground+deep
				}
			}
		}
		for _, k := range list {
			done[k] = true
		}
		if wall && len(list) > 1 && len(list) <= mostPit {
			b.losses.add("pit", "is larger than one cell: its contents are visible from a distance")
		}
	}
}
