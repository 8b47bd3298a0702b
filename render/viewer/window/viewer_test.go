//go:build !nowindow && !js

package window_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"achilles/render/canvas"
	"achilles/render/palette"
	"achilles/render/viewer/window"
	"achilles/sim/longtest"
)

// seen has the pixels that the window showed. A window needs the main goroutine and can be opened only once in a
// process. TestMain therefore opens it and fills in seen, and the tests check seen.
var seen struct {
	err    error
	frames int
	width  int
	height int
	first  []byte // pixels of the screen after revision 1
	second []byte // pixels of the screen after revision 2
	later  []byte // pixels of the screen some frames later, when nothing had changed
}

// counter is a view that changes once, after 20 updates, and counts its calls.
type counter struct{ updates, draws int }

func (c *counter) Update(canvas.Input) (uint64, bool) {
	c.updates++
	if c.updates < 20 {
		return 1, false
	}
	return 2, false
}

func (c *counter) Draw(w, h float32) *canvas.Canvas {
	c.draws++
	return card(w, h, c.draws)
}

// card returns a canvas with several shapes, half-transparent ones among them, and n lines of text.
func card(w, h float32, n int) *canvas.Canvas {
	s := canvas.New(w, h)
	s.Fill(canvas.At(10, 10, w/2, h/2), palette.SkyBlue)
	s.Disc(canvas.Point{X: w / 2, Y: h / 2}, h/4, palette.Orange.Fade(0.5))
	s.Line(5, palette.Blue.Fade(0.4), canvas.Point{X: 20, Y: 20}, canvas.Point{X: w - 20, Y: h - 20}, canvas.Point{X: w - 20, Y: 30})
	for i := range n {
		s.Write(canvas.Point{X: 40, Y: 60 + 30*float32(i)}, 20, palette.Ink, canvas.Left, "Where is it?")
	}
	return s
}

var shown counter

func TestMain(m *testing.M) {
	flag.Parse()
	if longtest.On() {
		seen.err = window.RunWatched(&shown, window.Options{Title: "test", Width: 640, Height: 400}, watch)
	}
	os.Exit(m.Run())
}

func watch(frame int, screen *ebiten.Image) bool {
	read := func() []byte {
		b := make([]byte, 4*screen.Bounds().Dx()*screen.Bounds().Dy())
		screen.ReadPixels(b)
		return b
	}
	seen.frames, seen.width, seen.height = frame, screen.Bounds().Dx(), screen.Bounds().Dy()
	switch {
	case shown.draws == 1 && seen.first == nil:
		seen.first = read()
	case shown.draws == 2 && seen.second == nil:
		seen.second = read()
	case shown.updates > 60:
		seen.later = read()
		return true
	}
	return frame > 5000
}

// TestWindow checks that a window shows the renderer's pixels, draws only when the revision changes, and keeps the
// picture.
func TestWindow(t *testing.T) {
	longtest.Only(t, "opens a window")
	if errors.Is(seen.err, window.ErrNoDisplay) {
		t.Skip(seen.err)
	}
	if seen.err != nil || seen.width != 640 || seen.height != 400 {
		t.Fatalf("%d frames of %d × %d: %v", seen.frames, seen.width, seen.height, seen.err)
	}
	if shown.draws != 2 {
		t.Errorf("drawn %d times for two revisions", shown.draws)
	}
	for i, got := range [][]byte{seen.first, seen.second, seen.later} {
		if want := canvas.Render(card(640, 400, min(i+1, 2))).Pix; !bytes.Equal(got, want) {
			t.Errorf("picture %d: the window shows other pixels than the renderer draws", i)
		}
	}
}

// TestNoDisplay checks that, if there is no display, the error says so.
func TestNoDisplay(t *testing.T) {
	longtest.Only(t, "opens a window")
	if seen.err == nil {
		t.Skip("there is a display")
	}
	if !errors.Is(seen.err, window.ErrNoDisplay) {
		t.Errorf("the error is %v", seen.err)
	}
}
