package canvas

// Scaled returns a canvas k times as large, with the same shapes and hit regions, all k times as large. If k is 1, it
// returns the receiver, without a copy.
func (on *Canvas) Scaled(k float32) *Canvas {
	if k == 1 {
		return on
	}
	out := New(on.W*k, on.H*k)
	for _, op := range on.Ops {
		out.Ops = append(out.Ops, scaled(op, k))
	}
	for _, h := range on.Hits {
		out.Hits = append(out.Hits, Hit{h.ID, h.Rect.scaled(k)})
	}
	return out
}

// scaled returns an operation that draws the shape of op k times as large.
func scaled(op Op, k float32) Op {
	switch o := op.(type) {
	case FillRect:
		o.Rect = o.Rect.scaled(k)
		return o
	case Polyline:
		o.Points, o.Width, o.Dash = scaledPoints(o.Points, k), o.Width*k, o.Dash*k
		return o
	case FillCircle:
		o.Centre, o.Radius, o.Width = o.Centre.scaled(k), o.Radius*k, o.Width*k
		return o
	case FillPolygon:
		o.Points = scaledPoints(o.Points, k)
		return o
	case Text:
		o.At, o.Size = o.At.scaled(k), o.Size*k
		return o
	case Clip:
		o.Rect = o.Rect.scaled(k)
		return o
	}
	return op
}

func (p Point) scaled(k float32) Point { return Point{p.X * k, p.Y * k} }

func (r Rect) scaled(k float32) Rect { return Rect{r.X0 * k, r.Y0 * k, r.X1 * k, r.Y1 * k} }

func scaledPoints(ps []Point, k float32) []Point {
	out := make([]Point, len(ps))
	for i, p := range ps {
		out[i] = p.scaled(k)
	}
	return out
}
