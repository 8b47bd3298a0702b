package canvas

import (
	"image"
	"math"
)

// polyline strokes every segment as a rectangle, and every joint and end as a disc. All these shapes are wound in the
// same direction, and coverage is limited to 1 where they overlap. A translucent line is therefore even and has no
// holes at its joints.
func (r *Renderer) polyline(dst *image.RGBA, o Polyline) {
	points := o.Points
	if o.Closed && len(points) > 0 {
		points = append(points[:len(points):len(points)], points[0])
	}
	whole, ok := r.begin(dst, points, o.Width)
	if !ok || o.Width <= 0 {
		return
	}
	s := stroke{r: r, dst: dst, whole: whole, width: o.Width, butt: o.Butt && !o.Closed, apart: whole.box.Dx()*whole.box.Dy() > smallBox}
	if s.apart {
		r.sum = sized(r.sum, whole.box.Size())
		clear(r.sum)
	}
	if o.Dash > 0 {
		s.dashes(points, o.Dash)
	} else {
		s.line(points)
	}
	if s.apart {
		blend(dst, whole.box, r.sum, o.Colour)
		return
	}
	whole.fill(dst, o.Colour)
}

// smallBox is the largest area, in pixels, of the bounding box of a line that is rasterised as a whole. A larger box is
// mostly empty, so the segments of its line are rasterised one by one.
const smallBox = 64 * 64

// A stroke is a line that is being drawn. If apart is true, each segment is rasterised alone; otherwise the line is
// rasterised as a whole.
type stroke struct {
	r     *Renderer
	dst   *image.RGBA
	whole pen
	width float32
	butt  bool // no discs at both ends
	apart bool
}

// line strokes the segments between points, with a disc at every joint where the line turns and at both ends.
func (s *stroke) line(points []Point) {
	for i, q := range points {
		joint := s.width >= 1.5 && !straight(points, i) && !(s.butt && (i == 0 || i == len(points)-1)) // at the joints of thinner lines, a disc would not be visible
		if i == 0 {
			s.piece(q, q, joint)
		} else {
			s.piece(points[i-1], q, joint)
		}
	}
}

// piece adds the segment from a to b, and a disc at b if disc is true.
func (s *stroke) piece(a, b Point, disc bool) {
	p := s.whole
	if s.apart {
		var ok bool
		if p, ok = s.r.begin(s.dst, []Point{a, b}, s.width); !ok {
			return
		}
	}
	p.segment(a, b, s.width)
	if disc {
		p.disc(b, s.width/2, false)
	}
	if s.apart {
		s.add(p.box, p.coverage())
	}
}

// add adds the coverage of a segment to that of the line. cover is the segment's coverage of the pixels of box. The sum
// is limited to 255, which is full coverage.
func (s *stroke) add(box image.Rectangle, cover []uint8) {
	whole := s.whole.box
	at := box.Min.Sub(whole.Min)
	for y := range box.Dy() {
		from := cover[y*box.Dx() : (y+1)*box.Dx()]
		to := s.r.sum[(at.Y+y)*whole.Dx()+at.X:][:len(from)]
		for x, m := range from {
			if m != 0 {
				to[x] = uint8(min(uint(to[x])+uint(m), 0xff))
			}
		}
	}
}

// straight says whether the line turns by less than 1/1000 radian at point i. A disc at such a joint would only blur
// the edges.
func straight(points []Point, i int) bool {
	if i == 0 || i == len(points)-1 {
		return false
	}
	a, b, c := points[i-1], points[i], points[i+1]
	x, y, u, v := b.X-a.X, b.Y-a.Y, c.X-b.X, c.Y-b.Y
	ahead, aside := float64(x)*float64(u)+float64(y)*float64(v), float64(x)*float64(v)-float64(y)*float64(u)
	return ahead > 0 && math.Abs(aside) < 1e-3*ahead
}

// segment adds a rectangle along the line from a to b, width pixels wide.
func (p pen) segment(a, b Point, width float32) {
	dx, dy := b.X-a.X, b.Y-a.Y
	length := hypot(dx, dy)
	if length == 0 {
		return
	}
	x, y := -dy/length*width/2, dx/length*width/2
	p.polygon([]Point{a.Add(x, y), a.Add(-x, -y), b.Add(-x, -y), b.Add(x, y)})
}

// dashes strokes dashes along the line, with gaps of the same length.
func (s *stroke) dashes(points []Point, dash float32) {
	on, left := true, dash
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		length := hypot(b.X-a.X, b.Y-a.Y)
		for at := float32(0); at < length; {
			step := min(left, length-at)
			if on {
				s.piece(along(a, b, at/length), along(a, b, (at+step)/length), false)
			}
			at += step
			if left -= step; left <= 0 {
				on, left = !on, dash
			}
		}
	}
}

func along(a, b Point, t float32) Point {
	return Point{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)}
}

func hypot(x, y float32) float32 {
	return float32(math.Sqrt(float64(x)*float64(x) + float64(y)*float64(y)))
}
