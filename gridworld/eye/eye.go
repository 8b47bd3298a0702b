// Package eye draws a world as the actor in it sees it: a picture in first person, by casting one ray for each column of pixels
// (as Wolfenstein 3D did). All arithmetic is in whole numbers, so that every machine draws the same bytes.
//
// Ground and walls are drawn by geometry. Things are drawn where and only where World.View has them: what the world hides from the actor is not in the
// picture, and what it shows is, even where a perspective would hide it behind a low wall.
package eye

import (
	"cmp"
	"slices"

	"achilles/gridworld"
)

// HalfAngle is half the field of view of a picture, in degrees. Things at the edge are half in the picture.
const HalfAngle = 60

// DefaultSize is the usual length of a side, in pixels, as learners of pictures have it (Mnih et al. 2015).
const DefaultSize = 84

// MaxSize is the greatest length of a side, in pixels.
const MaxSize = 1024

// Fixed-point numbers have 16 binary digits after the point.
const (
	one     = 1 << 16
	tangent = 113512 // of HalfAngle: √3
	root    = 46341  // √½
	height  = one / 2
	eyes    = one * 5 / 8 // above the ground of the actor: higher than the top of a low wall, 1 height
	wall    = one * 3 / 2 // of what hides everything, above its ground
	flying  = one * 7 / 4 // of a thing in the air, above its ground
	nearest = one / 4     // distance of what is in the actor's own cell
)

// A Picture is a square picture.
type Picture struct {
	Size int    // pixels on a side, 1 … MaxSize
	Pix  []byte // Size × Size × 3: red, green, blue, row by row from the top

	view    gridworld.View
	horizon int
	scale   int64 // pixels per unit of slope
	veils   []veil
}

// A veil is a clear wall in the present column, which lets through what is behind it.
type veil struct{ from, to int }

// A rgb is a colour.
type rgb [3]uint8

// The colours of what has none of its own; the kinds of cells are by gridworld.Kind.
var (
	sky    = rgb{186, 212, 236}
	beyond = rgb{120, 128, 120}
	glass  = rgb{150, 200, 230}
	rim    = rgb{20, 20, 20}
	kinds  = [gridworld.Kinds]rgb{
		{206, 204, 196}, {112, 112, 112}, {206, 204, 196}, {150, 132, 112}, {122, 94, 160}, {176, 176, 158}, {190, 188, 140}, {190, 188, 140},
		{190, 188, 140}, {32, 26, 24}, {112, 96, 84}, {230, 92, 40}, {170, 120, 60}, {204, 172, 44}, {196, 222, 196},
	}
	things = [...]rgb{{40, 170, 60}, {170, 60, 170}, {220, 190, 30}}
)

// Eyes are those of the actor. The zero Eyes are perfect.
type Eyes struct {
	HalfAngle, Acuity int // as of a gridworld.Viewer
	Smallest          int // size of the smallest thing that is seen, in hundredths
}

// Draw makes p what the actor of w sees now, as far as it is in the field of the picture. The picture is black in the dark and without an actor. It
// panics if the size is out of range.
func (p *Picture) Draw(w *gridworld.World, e Eyes) {
	if p.Size < 1 || p.Size > MaxSize {
		panic("eye: the size of a picture is 1 to 1024 pixels")
	}
	n := p.Size * p.Size * 3
	p.Pix = slices.Grow(p.Pix[:0], n)[:n]
	clear(p.Pix)
	a := w.Actor()
	v := gridworld.Viewer{HalfAngle: HalfAngle, Acuity: e.Acuity}
	if e.HalfAngle > 0 {
		v.HalfAngle = min(e.HalfAngle, HalfAngle)
	}
	w.View(v, &p.view)
	p.view.Things = slices.DeleteFunc(p.view.Things, func(s gridworld.Sighting) bool { return s.Size < e.Smallest })
	if p.view.Dark || !w.Inside(a.Pos) {
		return
	}
	p.horizon = p.Size / 2
	p.scale = int64(p.Size) * one / 2 * one / tangent
	forward, right := direction(a.Heading), direction(a.Heading.Turn(2))
	at := groundOf(w.At(a.Pos)) + eyes
	for x := range p.Size {
		p.column(w, x, forward, right, at)
	}
	p.sprites(w, forward, right, at)
}

// A vector is in cells.
type vector struct{ x, y int64 }

// direction returns the vector of length 1 of a direction.
func direction(d gridworld.Dir) vector {
	p := gridworld.Pos{}.Add(d)
	length := int64(one)
	if d.Diagonal() {
		length = root
	}
	return vector{int64(p.X) * length, int64(p.Y) * length}
}

// groundOf returns the height of what one stands on, or of what one sees instead; ramps are drawn half as high as they rise.
func groundOf(c gridworld.Cell) int64 {
	h := int64(c.Height) * height
	if c.Kind.Sloped() {
		h += height / 2
	}
	return h
}

// topOf returns the height up to which a cell hides what is behind it.
func topOf(c gridworld.Cell) int64 {
	switch {
	case c.Kind.Opaque():
		return int64(c.Height)*height + wall
	case c.Kind == gridworld.LowWall || c.Kind == gridworld.Barrier || c.Kind == gridworld.Lock:
		return int64(c.Height+1) * height
	}
	return groundOf(c)
}

// row returns the row of pixels at which something at height z and distance t is, seen from height at.
func (p *Picture) row(z, at, t int64) int {
	return max(-1, min(p.Size, p.horizon-int((z-at)*p.scale/max(t, 1)/one)))
}

// column draws one column of pixels from the nearest cell to the farthest; what is drawn first stays.
func (p *Picture) column(w *gridworld.World, x int, forward, right vector, at int64) {
	side := int64(2*x+1-p.Size) * tangent / int64(p.Size)
	ray := vector{forward.x + right.x*side/one, forward.y + right.y*side/one}
	cell := w.Actor().Pos
	stepX, nextX, everyX := crossing(ray.x)
	stepY, nextY, everyY := crossing(ray.y)
	bottom, before, lateral := p.Size, topOf(w.At(cell)), false
	p.veils = p.veils[:0]
	for t := int64(0); bottom > 0; {
		c := w.At(cell)
		end := min(nextX, nextY)
		top, paint := topOf(c), colourOf(c, cell)
		if t > 0 {
			if top > before { // a face
				shade := int64(86)
				if lateral {
					shade = 70
				}
				bottom = p.fill(x, p.row(top, at, t), bottom, faded(paint, t, shade))
			}
			if c.Kind == gridworld.ClearWall {
				p.veils = append(p.veils, veil{p.row(top+wall, at, t), min(bottom, p.row(top, at, t))})
			}
		}
		if top < at { // what is on it is seen from above
			bottom = p.fill(x, p.row(top, at, end), bottom, faded(paint, (t+end)/2, 100))
		}
		before, t = top, end
		if lateral = nextX <= nextY; lateral {
			cell.X, nextX = cell.X+stepX, nextX+everyX
		} else {
			cell.Y, nextY = cell.Y+stepY, nextY+everyY
		}
		if !w.Inside(cell) {
			break
		}
	}
	bottom = p.fill(x, p.horizon, bottom, beyond)
	p.fill(x, 0, bottom, sky)
	for i := len(p.veils) - 1; i >= 0; i-- {
		for y := max(0, p.veils[i].from); y < p.veils[i].to; y++ {
			q := p.at(x, y)
			for k := range 3 {
				q[k] = uint8((2*int(q[k]) + int(glass[k])) / 3)
			}
		}
	}
}

// far is farther than anything.
const far = int64(1) << 40

// crossing returns the step of a ray from cell to cell along one axis, how far the first border is from the middle of a cell, and how far the
// next ones are from each other.
func crossing(d int64) (step int, first, every int64) {
	if d == 0 {
		return 0, far, far
	}
	if step = 1; d < 0 {
		step, d = -1, -d
	}
	every = one * one / d
	return step, every / 2, every
}

func (p *Picture) at(x, y int) []byte { return p.Pix[(y*p.Size+x)*3:][:3] }

// fill fills the rows from `from` to before `to` of a column, and returns the first row that is filled.
func (p *Picture) fill(x, from, to int, c rgb) int {
	from = max(0, from)
	for y := from; y < to; y++ {
		copy(p.at(x, y), c[:])
	}
	return min(from, to)
}

// colourOf returns the colour of a cell. Floor is a chessboard, which shows that one moves.
func colourOf(c gridworld.Cell, at gridworld.Pos) rgb {
	paint := kinds[c.Kind]
	if r, g, b, ok := c.Colour.RGB(); ok && c.Kind != gridworld.ClearWall {
		paint = rgb{r, g, b}
	}
	if (at.X+at.Y)%2 != 0 && c.Kind.Passable() {
		for i := range paint {
			paint[i] = uint8(int(paint[i]) * 92 / 100)
		}
	}
	return paint
}

// faded returns a colour in percent of its brightness, less at a distance.
func faded(c rgb, t, percent int64) rgb {
	const half = 40 * one // distance at which brightness is half
	for i := range c {
		c[i] = uint8(int64(c[i]) * percent / 100 * half / (half + t))
	}
	return c
}

// A sprite is a thing in the picture.
type sprite struct {
	gridworld.Sighting
	t, side int64 // distance ahead and to the right
}

// sprites draws the things that are seen, the farthest first.
func (p *Picture) sprites(w *gridworld.World, forward, right vector, at int64) {
	here := w.Actor().Pos
	var list []sprite
	for _, s := range p.view.Things {
		dx, dy := int64(s.Pos.X-here.X), int64(s.Pos.Y-here.Y)
		list = append(list, sprite{s, max(nearest, dx*forward.x+dy*forward.y), dx*right.x + dy*right.y})
	}
	slices.SortStableFunc(list, func(a, b sprite) int { return cmp.Or(cmp.Compare(b.t, a.t), a.Index-b.Index) })
	for i := range list {
		p.sprite(&list[i], groundOf(w.At(list[i].Pos)), at)
	}
}

// sprite draws a thing: a disc, a square for a shape, a diamond for a key. A unit of size is half a cell. It is at least three pixels large and in
// the picture.
func (p *Picture) sprite(s *sprite, ground, at int64) {
	half := int64(s.Size) * one / 400
	if s.State == gridworld.Air {
		ground += flying
	}
	n := p.Size
	radius := int(max(1, min(int64(n)/2, half*p.scale/s.t/one)))
	x := n/2 + int(s.side*p.scale/s.t/one)
	y := p.horizon - int((ground+half-at)*p.scale/s.t/one)
	x, y = max(0, min(n-1, x)), max(0, min(n-1, y))
	paint := things[s.Kind]
	if r, g, b, ok := s.Colour.RGB(); ok {
		paint = rgb{r, g, b}
	}
	for dy := -radius; dy <= radius; dy++ {
		for dx := -radius; dx <= radius; dx++ {
			edge, inside := within(s.Kind, dx, dy, radius)
			if q := (gridworld.Pos{X: x + dx, Y: y + dy}); inside && q.X >= 0 && q.X < n && q.Y >= 0 && q.Y < n {
				c := paint
				if edge {
					c = rim
				}
				copy(p.at(q.X, q.Y), c[:])
			}
		}
	}
}

// within reports whether a pixel is inside the outline of a thing, and at its edge.
func within(k gridworld.ThingKind, dx, dy, radius int) (edge, inside bool) {
	dx, dy = max(dx, -dx), max(dy, -dy)
	switch k {
	case gridworld.Shape:
		return max(dx, dy) == radius, true
	case gridworld.Key:
		return dx+dy == radius, dx+dy <= radius
	}
	d := dx*dx + dy*dy
	return d > (radius-1)*(radius-1), d <= radius*radius
}
