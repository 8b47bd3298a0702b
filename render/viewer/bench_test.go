package viewer_test

import (
	"image"
	"testing"

	"achilles/render/canvas"
)

// BenchmarkPress presses keys and draws the model at 1280 × 720 after each.
func BenchmarkPress(b *testing.B) {
	m := opened(60_000)
	dst := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	var r canvas.Renderer
	b.ReportAllocs()
	for b.Loop() {
		m = m.Press("right")
		r.Draw(dst, m.Draw(1280, 720))
	}
}

// BenchmarkSearch searches 60,000 episodes for a word, one character after the other.
func BenchmarkSearch(b *testing.B) {
	m := opened(60_000).Press("/")
	for b.Loop() {
		n := m
		for _, k := range []string{"g", "r", "i", "d"} {
			n = n.Press(k)
		}
	}
}
