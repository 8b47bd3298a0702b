package canvas_test

import (
	"testing"

	"achilles/render/canvas"
	"achilles/render/palette"
)

func TestHitTopmost(t *testing.T) {
	s := canvas.New(100, 100)
	s.Hit("list", canvas.At(0, 0, 100, 100))
	s.Hit("row", canvas.At(10, 10, 50, 20))
	for _, c := range []struct {
		x, y float32
		want string
	}{
		{10, 10, "row"}, {59.5, 29.5, "row"}, {60, 20, "list"}, {5, 5, "list"},
	} {
		if h, ok := s.At(c.x, c.y); !ok || h.ID != c.want {
			t.Errorf("at %g, %g there is %q, want %q", c.x, c.y, h.ID, c.want)
		}
	}
	if h, ok := s.At(100, 50); ok {
		t.Errorf("outside there is %q", h.ID)
	}
}

func TestRect(t *testing.T) {
	r := canvas.At(10, 20, 100, 50)
	top, rest := r.CutTop(20)
	if top != (canvas.Rect{10, 20, 110, 40}) || rest != (canvas.Rect{10, 40, 110, 70}) {
		t.Errorf("CutTop: %v, %v", top, rest)
	}
	if bottom, rest := r.CutBottom(60); bottom != r || !rest.Empty() {
		t.Errorf("CutBottom of more than there is: %v, %v", bottom, rest)
	}
	left, rest := r.CutLeft(30)
	right, middle := rest.CutRight(30)
	if left.W() != 30 || right.W() != 30 || middle != (canvas.Rect{40, 20, 80, 70}) {
		t.Errorf("CutLeft and CutRight: %v, %v, %v", left, middle, right)
	}
	if c := r.Columns(3, 5); len(c) != 3 || c[0].W() != 30 || c[2].X1 != 110 || c[1].X0 != 45 {
		t.Errorf("Columns: %v", c)
	}
	if f := r.Fit(1, 1); f != (canvas.Rect{35, 20, 85, 70}) {
		t.Errorf("Fit of a square: %v", f)
	}
	if m := r.Inset(5).Mid(); m != r.Mid() {
		t.Errorf("an inset moved the middle to %v", m)
	}
}

func TestClippedIsBalanced(t *testing.T) {
	s := canvas.New(10, 10)
	s.Clipped(s.Bounds(), func() {
		s.Clipped(canvas.At(0, 0, 5, 5), func() { s.Fill(s.Bounds(), palette.Ink) })
	})
	depth := 0
	for _, op := range s.Ops {
		switch op.(type) {
		case canvas.Clip:
			depth++
		case canvas.Unclip:
			depth--
		}
	}
	if depth != 0 || len(s.Ops) != 5 {
		t.Errorf("%d operations, clips open at the end: %d", len(s.Ops), depth)
	}
}
