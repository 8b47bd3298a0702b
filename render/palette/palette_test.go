package palette_test

import (
	"image/color"
	"math"
	"testing"

	"achilles/render/palette"
)

func TestColour(t *testing.T) {
	if got, want := palette.Orange.NRGBA(), (color.NRGBA{0xe6, 0x9f, 0, 255}); got != want {
		t.Errorf("orange is %v, want %v", got, want)
	}
	if got := palette.RGB(0xd5, 0x5e, 0); got != palette.Vermillion {
		t.Errorf("RGB(d5, 5e, 0) = %v, want vermillion", got.Hex())
	}
	if got := palette.Black.Mix(palette.White, 0.5).Hex(); got != "#808080" {
		t.Errorf("half way from black to white is %s", got)
	}
	if got := palette.Blue.Fade(0.5).Hex(); got != "#0072b280" {
		t.Errorf("half of blue is %s", got)
	}
	if a, b, c, d := palette.Blue.Fade(0.5).RGBA(); a != 0 || b > d || c > d || d != 0x8080 {
		t.Errorf("RGBA of half blue is not premultiplied: %x %x %x %x", a, b, c, d)
	}
	if got := palette.Black.Contrast(palette.White); math.Abs(got-21) > 1e-9 {
		t.Errorf("contrast of black on white is %g, want 21", got)
	}
}

// TestTextIsReadable checks that texts have a contrast of at least 4.5 on all backgrounds, which the Web Content
// Accessibility Guidelines demand for small text.
func TestTextIsReadable(t *testing.T) {
	grounds := []palette.Colour{palette.Paper, palette.Panel, palette.Selected, palette.Hover}
	for _, text := range []palette.Colour{palette.Ink, palette.Muted, palette.Warning} {
		for _, ground := range grounds {
			if got := text.Contrast(ground); got < 4.5 {
				t.Errorf("%s on %s has contrast %.2f, want 4.5", text.Hex(), ground.Hex(), got)
			}
		}
	}
	for i := range 8 {
		c := palette.Category(i)
		if got := palette.On(c).Contrast(c); got < 4.5 {
			t.Errorf("text on %s has contrast %.2f, want 4.5", c.Hex(), got)
		}
	}
}

func TestRampIsEven(t *testing.T) {
	const steps = 64
	want := (palette.Ramp(1).Lightness() - palette.Ramp(0).Lightness()) / steps
	for i := range steps {
		a, b := palette.Ramp(float64(i)/steps), palette.Ramp(float64(i+1)/steps)
		if got := b.Lightness() - a.Lightness(); math.Abs(got-want) > want/2 {
			t.Errorf("step %d from %s to %s is %.4f light, want %.4f", i, a.Hex(), b.Hex(), got, want)
		}
	}
	if palette.Ramp(-1) != palette.Ramp(0) || palette.Ramp(2) != palette.Ramp(1) {
		t.Error("values outside [0, 1] are not cut")
	}
}

func TestCategoriesDiffer(t *testing.T) {
	seen := map[palette.Colour]bool{}
	for i := range 8 {
		seen[palette.Category(i)] = true
	}
	if len(seen) != 8 {
		t.Errorf("%d different categories, want 8", len(seen))
	}
	if palette.Category(8) != palette.Category(0) {
		t.Error("categories do not go round")
	}
}
