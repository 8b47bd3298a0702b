package canvas

// A Rect is the rectangle X0 ≤ x < X1, Y0 ≤ y < Y1.
type Rect struct{ X0, Y0, X1, Y1 float32 }

// At returns the rectangle of w × h pixels whose top left corner is at x, y.
func At(x, y, w, h float32) Rect { return Rect{x, y, x + w, y + h} }

// W returns the width of r.
func (r Rect) W() float32 { return r.X1 - r.X0 }

// H returns the height of r.
func (r Rect) H() float32 { return r.Y1 - r.Y0 }

// Empty says whether r has no area.
func (r Rect) Empty() bool { return r.X1 <= r.X0 || r.Y1 <= r.Y0 }

// Contains says whether the point is in r.
func (r Rect) Contains(x, y float32) bool { return x >= r.X0 && x < r.X1 && y >= r.Y0 && y < r.Y1 }

// Mid returns the centre of r.
func (r Rect) Mid() Point { return Point{(r.X0 + r.X1) / 2, (r.Y0 + r.Y1) / 2} }

// Inset moves every side of r inwards, or outwards if by is negative.
func (r Rect) Inset(by float32) Rect { return Rect{r.X0 + by, r.Y0 + by, r.X1 - by, r.Y1 - by} }

// Intersect returns the part of r that is in q too. It may be empty.
func (r Rect) Intersect(q Rect) Rect {
	return Rect{max(r.X0, q.X0), max(r.Y0, q.Y0), min(r.X1, q.X1), min(r.Y1, q.Y1)}
}

// CutTop returns the top h pixels of r, and the rest of r. If r is at most h pixels high, top is all of r and rest is
// empty.
func (r Rect) CutTop(h float32) (top, rest Rect) {
	y := min(r.Y0+h, r.Y1)
	return Rect{r.X0, r.Y0, r.X1, y}, Rect{r.X0, y, r.X1, r.Y1}
}

// CutBottom returns the bottom h pixels of r and the rest.
func (r Rect) CutBottom(h float32) (bottom, rest Rect) {
	y := max(r.Y1-h, r.Y0)
	return Rect{r.X0, y, r.X1, r.Y1}, Rect{r.X0, r.Y0, r.X1, y}
}

// CutLeft returns the left w pixels of r and the rest.
func (r Rect) CutLeft(w float32) (left, rest Rect) {
	x := min(r.X0+w, r.X1)
	return Rect{r.X0, r.Y0, x, r.Y1}, Rect{x, r.Y0, r.X1, r.Y1}
}

// CutRight returns the right w pixels of r and the rest.
func (r Rect) CutRight(w float32) (right, rest Rect) {
	x := max(r.X1-w, r.X0)
	return Rect{x, r.Y0, r.X1, r.Y1}, Rect{r.X0, r.Y0, x, r.Y1}
}

// Columns splits r into n columns of equal width, gap pixels apart.
func (r Rect) Columns(n int, gap float32) []Rect {
	w := (r.W() - gap*float32(n-1)) / float32(n)
	columns := make([]Rect, n)
	for i := range columns {
		columns[i] = At(r.X0+float32(i)*(w+gap), r.Y0, w, r.H())
	}
	return columns
}

// Rows splits r into n rows of equal height, gap pixels apart.
func (r Rect) Rows(n int, gap float32) []Rect {
	h := (r.H() - gap*float32(n-1)) / float32(n)
	rows := make([]Rect, n)
	for i := range rows {
		rows[i] = At(r.X0, r.Y0+float32(i)*(h+gap), r.W(), h)
	}
	return rows
}

// Fit returns the largest rectangle in the middle of r whose sides are in the ratio w : h.
func (r Rect) Fit(w, h float32) Rect {
	k := min(r.W()/w, r.H()/h)
	m := r.Mid()
	return At(m.X-k*w/2, m.Y-k*h/2, k*w, k*h)
}
