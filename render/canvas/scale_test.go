package canvas_test

import (
	"image/color"
	"testing"

	"achilles/render/canvas"
	"achilles/render/palette"
)

// TestScaled checks that a canvas which is scaled by two has its shapes and hit regions at twice the coordinates, and
// that scaling by one returns the same canvas.
func TestScaled(t *testing.T) {
	c := canvas.New(40, 20)
	c.Clipped(canvas.At(0, 0, 30, 20), func() {
		c.Fill(canvas.At(2, 2, 8, 8), palette.Blue)
		c.Polygon(palette.Green, canvas.Point{X: 12, Y: 2}, canvas.Point{X: 20, Y: 2}, canvas.Point{X: 20, Y: 10}, canvas.Point{X: 12, Y: 10})
		c.Disc(canvas.Point{X: 25, Y: 8}, 4, palette.Orange)
		c.Line(4, palette.Black, canvas.Point{X: 2, Y: 15}, canvas.Point{X: 38, Y: 15})
	})
	c.Write(canvas.Point{X: 32, Y: 10}, 8, palette.Ink, canvas.Left, "x")
	c.Hit("box", canvas.At(2, 2, 8, 8))
	big := c.Scaled(2)
	small, large := canvas.Render(c), canvas.Render(big)
	if large.Bounds().Dx() != 80 || large.Bounds().Dy() != 40 {
		t.Fatalf("it is %v", large.Bounds())
	}
	for _, p := range [][2]int{{5, 5}, {15, 6}, {25, 8}, {10, 15}, {35, 15}, {1, 1}} {
		if a, b := color.Color(small.At(p[0], p[1])), color.Color(large.At(2*p[0], 2*p[1])); a != b {
			t.Errorf("at %v: %v, and scaled %v", p, a, b)
		}
	}
	if h, ok := big.At(18, 18); !ok || h.ID != "box" {
		t.Errorf("the hit region is %v (%v)", h, ok)
	}
	if c.Scaled(1) != c {
		t.Error("scaled by one it is another picture")
	}
}
