package picture_test

import (
	"testing"

	"achilles/render/canvas"
	"achilles/render/picture"
)

// TestOthers draws the other subjects of an episode only if they are asked for, and each of them.
func TestOthers(t *testing.T) {
	e := open(t, "embodied", "", "")
	if len(e.Others) < 2 {
		t.Fatalf("%d other subjects took the item", len(e.Others))
	}
	draw := func(n int, show bool) *canvas.Canvas {
		some := *e
		some.Others = e.Others[:n]
		c := canvas.New(400, 300)
		picture.Moment{Episode: &some, Tick: e.Last, Show: picture.Overlays{picture.Others: show}}.Draw(c, c.Bounds())
		return c
	}
	none := len(canvas.SVG(draw(0, true)))
	if hidden := len(canvas.SVG(draw(len(e.Others), false))); hidden != none {
		t.Errorf("hidden, they make %d shapes of %d", hidden, none)
	}
	for n := range e.Others {
		if a, b := len(canvas.SVG(draw(n, true))), len(canvas.SVG(draw(n+1, true))); b <= a {
			t.Errorf("subject %d of the others makes no shape", n)
		}
	}
	for _, o := range e.Others {
		if o.Subject == e.Subject || len(o.Path) == 0 || o.Outcome == "" {
			t.Errorf("another subject %+v", o)
		}
	}
}
