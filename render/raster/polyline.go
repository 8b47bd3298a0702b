package raster

import (
	"image"
	"math"

	"achilles/render/scene"
)

// polyline strokes every piece as a rectangle and every joint and end as a disc, all wound the same way: where they
// overlap the coverage is cut at 1, so a translucent line is even and has no holes at its joints.
func (r *Renderer) polyline(dst *image.RGBA, o scene.Polyline) {
	points := o.Points
	if o.Closed && len(points) > 0 {
		points = append(points[:len(points):len(points)], points[0])
	}
	p, ok := r.begin(dst, points, o.Width)
	if !ok || o.Width <= 0 {
		return
	}
	if o.Dash > 0 {
		p.dashes(points, o.Width, o.Dash)
	} else {
		p.stroke(points, o.Width)
	}
	p.fill(dst, o.Colour)
}

func (p pen) stroke(points []scene.Point, width float32) {
	for i, q := range points {
		if i > 0 {
			p.segment(points[i-1], q, width)
		}
		if width >= 1.5 && !straight(points, i) { // thinner ones show no joints
			p.disc(q, width/2, false)
		}
	}
}

// straight says whether the line goes straight on at point i, to less than a thousandth, where a disc would only blur
// its edges.
func straight(points []scene.Point, i int) bool {
	if i == 0 || i == len(points)-1 {
		return false
	}
	a, b, c := points[i-1], points[i], points[i+1]
	x, y, u, v := b.X-a.X, b.Y-a.Y, c.X-b.X, c.Y-b.Y
	ahead, aside := float64(x)*float64(u)+float64(y)*float64(v), float64(x)*float64(v)-float64(y)*float64(u)
	return ahead > 0 && math.Abs(aside) < 1e-3*ahead
}

// segment adds the rectangle of that width around the line from a to b.
func (p pen) segment(a, b scene.Point, width float32) {
	dx, dy := b.X-a.X, b.Y-a.Y
	length := hypot(dx, dy)
	if length == 0 {
		return
	}
	x, y := -dy/length*width/2, dx/length*width/2
	p.polygon([]scene.Point{a.Add(x, y), a.Add(-x, -y), b.Add(-x, -y), b.Add(x, y)})
}

// dashes strokes every second stretch of that length.
func (p pen) dashes(points []scene.Point, width, dash float32) {
	on, left := true, dash
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		length := hypot(b.X-a.X, b.Y-a.Y)
		for at := float32(0); at < length; {
			step := min(left, length-at)
			if on {
				p.segment(along(a, b, at/length), along(a, b, (at+step)/length), width)
			}
			at += step
			if left -= step; left <= 0 {
				on, left = !on, dash
			}
		}
	}
}

func along(a, b scene.Point, t float32) scene.Point {
	return scene.Point{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)}
}

func hypot(x, y float32) float32 {
	return float32(math.Sqrt(float64(x)*float64(x) + float64(y)*float64(y)))
}
