package canvas

import (
	"image"
	"math"

	"golang.org/x/image/draw"
	"golang.org/x/image/vector"

	"achilles/render/palette"
)

// A Renderer turns canvases into pixels. It stores the glyphs that it has drawn and uses them for later canvases; its
// pictures do not depend on which glyphs are stored. Only one goroutine may use it at a time. The zero Renderer is
// ready to use.
type Renderer struct {
	shape  vector.Rasterizer
	part   []uint8 // coverage of a shape, for each pixel of its box
	sum    []uint8 // coverage of a line, summed over its segments
	glyphs map[glyphKey]glyph
	clips  []image.Rectangle
}

// Render returns a picture of the canvas on an opaque background.
func Render(c *Canvas) *image.RGBA {
	var r Renderer
	return r.Render(c)
}

// Render returns a picture of the canvas on an opaque background.
func (r *Renderer) Render(c *Canvas) *image.RGBA {
	return r.RenderOver(nil, c)
}

// RenderOver returns a picture of the canvas on an opaque background, in the pixels of old if that has its size.
func (r *Renderer) RenderOver(old *image.RGBA, c *Canvas) *image.RGBA {
	if size := image.Rect(0, 0, int(c.W), int(c.H)); old == nil || old.Rect != size {
		old = image.NewRGBA(size)
	}
	draw.Draw(old, old.Rect, image.NewUniform(palette.Paper), image.Point{}, draw.Src)
	r.Draw(old, c)
	return old
}

// Draw draws the canvas over the pixels of dst. The origin of the canvas is the top left corner of dst.
func (r *Renderer) Draw(dst *image.RGBA, c *Canvas) {
	r.clips = append(r.clips[:0], dst.Rect)
	for _, op := range c.Ops {
		r.op(dst, op)
	}
}

func (r *Renderer) op(dst *image.RGBA, op Op) {
	switch o := op.(type) {
	case FillRect:
		r.rect(dst, o)
	case Polyline:
		r.polyline(dst, o)
	case FillCircle:
		r.circle(dst, o)
	case FillPolygon:
		r.polygon(dst, o)
	case Text:
		r.text(dst, o)
	case Clip:
		r.clips = append(r.clips, r.clip().Intersect(image.Rect(round(o.X0), round(o.Y0), round(o.X1), round(o.Y1)).Add(dst.Rect.Min)))
	case Unclip:
		if len(r.clips) == 1 {
			panic("canvas: Unclip without a Clip")
		}
		r.clips = r.clips[:len(r.clips)-1]
	}
}

func (r *Renderer) clip() image.Rectangle { return r.clips[len(r.clips)-1] }

func round(x float32) int { return int(math.Floor(float64(x) + 0.5)) }

func whole(x float32) bool { return x == float32(math.Floor(float64(x))) }

// rect fills a rectangle. If the rectangle is opaque and its coordinates are whole numbers, rect does not compute which
// share of each pixel is covered, which is faster.
func (r *Renderer) rect(dst *image.RGBA, o FillRect) {
	if o.Empty() {
		return
	}
	origin := dst.Rect.Min
	b := image.Rect(floor(o.X0), floor(o.Y0), ceil(o.X1), ceil(o.Y1)).Add(origin).Intersect(r.clip())
	switch {
	case b.Empty():
	case o.Colour&0xff == 0xff && whole(o.X0) && whole(o.Y0) && whole(o.X1) && whole(o.Y1):
		draw.Draw(dst, b, image.NewUniform(o.Colour.NRGBA()), image.Point{}, draw.Src)
	default:
		x, y := float32(origin.X), float32(origin.Y)
		r.rectangle(dst, b, Rect{X0: fine(o.X0) + x, Y0: fine(o.Y0) + y, X1: fine(o.X1) + x, Y1: fine(o.Y1) + y}, o.Colour)
	}
}

func (r *Renderer) polygon(dst *image.RGBA, o FillPolygon) {
	p, ok := r.begin(dst, o.Points, 0)
	if !ok {
		return
	}
	p.polygon(o.Points)
	p.fill(dst, o.Colour)
}

func (r *Renderer) circle(dst *image.RGBA, o FillCircle) {
	outer, inner := o.Radius, float32(0)
	if o.Width > 0 {
		outer, inner = o.Radius+o.Width/2, o.Radius-o.Width/2
	}
	p, ok := r.begin(dst, []Point{o.Centre}, outer)
	if !ok || outer <= 0 {
		return
	}
	p.disc(o.Centre, outer, false)
	if inner > 0 {
		p.disc(o.Centre, inner, true)
	}
	p.fill(dst, o.Colour)
}

// A pen adds outlines to the rasteriser. The rasteriser works only on the bounding box of a shape, so that small shapes
// are cheap.
type pen struct {
	r    *Renderer
	z    *vector.Rasterizer
	box  image.Rectangle // pixels of dst
	x, y float32         // top left corner of the box on the canvas
}

// begin starts a shape that extends at most margin pixels beyond the points. ok is false if no part of it is visible.
func (r *Renderer) begin(dst *image.RGBA, points []Point, margin float32) (p pen, ok bool) {
	if len(points) == 0 {
		return pen{}, false
	}
	low, high := points[0], points[0]
	for _, q := range points {
		low = Point{X: min(low.X, q.X), Y: min(low.Y, q.Y)}
		high = Point{X: max(high.X, q.X), Y: max(high.Y, q.Y)}
	}
	origin := dst.Rect.Min
	b := image.Rect(floor(low.X-margin), floor(low.Y-margin), ceil(high.X+margin), ceil(high.Y+margin)).Add(origin).Intersect(r.clip())
	if b.Empty() {
		return pen{}, false
	}
	r.shape.Reset(b.Dx(), b.Dy())
	return pen{r, &r.shape, b, float32(b.Min.X - origin.X), float32(b.Min.Y - origin.Y)}, true
}

// farAway limits coordinates, in pixels, so that they fit an int. Shapes beyond it are invisible anyway.
const farAway = 1 << 20

func floor(x float32) int { return int(math.Floor(min(max(float64(x), -farAway), farAway))) }
func ceil(x float32) int  { return int(math.Ceil(min(max(float64(x), -farAway), farAway))) }

// at returns a point relative to the box, rounded to 1/256 pixel. A processor that computes a product and a sum in one
// operation (fused multiply-add) gets coordinates that differ in the last bits from those of other processors. The
// rasteriser truncates coordinates, which would make the difference visible.
func (p pen) at(q Point) (x, y float32) { return fine(q.X - p.x), fine(q.Y - p.y) }

func fine(x float32) float32 { return float32(math.Floor(float64(x)*256+0.5)) / 256 }

func (p pen) polygon(points []Point) {
	for i, q := range points {
		x, y := p.at(q)
		if i == 0 {
			p.z.MoveTo(x, y)
		} else {
			p.z.LineTo(x, y)
		}
	}
	p.z.ClosePath()
}

// kappa is the distance of the inner control points from the ends of the cubic Bézier curve that approximates a quarter
// of the unit circle, 4(√2 − 1)/3. The curve is less than 3e−4 away from the circle.
const kappa = 0.5522848

// disc adds a circle. The outline of the circle is clockwise, or counter-clockwise if reverse is true. A
// counter-clockwise circle is a hole in the shape that the clockwise outlines fill.
func (p pen) disc(c Point, radius float32, reverse bool) {
	x, y := p.at(c)
	h, k := fine(radius), fine(radius*kappa)
	if reverse {
		h, k = -h, -k
		p.z.MoveTo(x-h, y)
		p.z.CubeTo(x-h, y+k, x-k, y+h, x, y+h)
		p.z.CubeTo(x+k, y+h, x+h, y+k, x+h, y)
		p.z.CubeTo(x+h, y-k, x+k, y-h, x, y-h)
		p.z.CubeTo(x-k, y-h, x-h, y-k, x-h, y)
		p.z.ClosePath()
		return
	}
	p.z.MoveTo(x+h, y)
	p.z.CubeTo(x+h, y+k, x+k, y+h, x, y+h)
	p.z.CubeTo(x-k, y+h, x-h, y+k, x-h, y)
	p.z.CubeTo(x-h, y-k, x-k, y-h, x, y-h)
	p.z.CubeTo(x+k, y-h, x+h, y-k, x+h, y)
	p.z.ClosePath()
}
