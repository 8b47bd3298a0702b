package viewer_test

import (
	"image"
	"testing"

	"achilles/render/canvas"
)

// BenchmarkPress draws the model at 1280 × 720 after every key.
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

// BenchmarkSearch types a word over 60,000 episodes, a character at a time.
func BenchmarkSearch(b *testing.B) {
	m := opened(60_000).Press("/")
	for b.Loop() {
		n := m
		for _, k := range []string{"g", "r", "i", "d"} {
			n = n.Press(k)
		}
	}
}
