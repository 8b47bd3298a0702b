// Package window shows scenes in a window, or on the canvas of a browser: it turns keys and the pointer into input for
// a view, and copies the pixels that package raster drew. It is the only package that knows ebiten.
package window

import (
	"errors"
	"fmt"

	"github.com/hajimehoshi/ebiten/v2"

	"achilles/render/canvas"
)

// Options are those of a window.
type Options struct {
	Title         string
	Width, Height int // of the window in the beginning; 0: 1280 × 720
	// MinWidth and MinHeight are the least size of a picture. In a window that is smaller it is shown smaller.
	MinWidth, MinHeight float32
}

// ErrNoDisplay says that there is no display to open a window on.
var ErrNoDisplay = errors.New("there is no display to open a window on")

// Run shows a view until it is done or its window is closed. It must be called from the main goroutine, and opens a
// window once in a process. Where no window can be opened the error wraps ErrNoDisplay and says why.
func Run(v canvas.View, o Options) error { return run(v, o, nil) }

// run is Run with a witness, who is called after every frame with its number and the screen, and may end it all.
func run(v canvas.View, o Options, witness func(frame int, screen *ebiten.Image) bool) error {
	if err := display(); err != nil {
		return err
	}
	if o.Width == 0 || o.Height == 0 {
		o.Width, o.Height = 1280, 720
	}
	ebiten.SetWindowSize(o.Width, o.Height)
	ebiten.SetWindowTitle(o.Title)
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	ebiten.SetScreenClearedEveryFrame(false)
	ebiten.SetVsyncEnabled(true)
	w := &window{view: v, options: o, witness: witness}
	err := ebiten.RunGameWithOptions(w, &ebiten.RunGameOptions{DisableHiDPI: true, X11ClassName: "achilles", X11InstanceName: "achilles"})
	if err != nil && w.frames == 0 {
		return fmt.Errorf("%w: %v", ErrNoDisplay, err)
	}
	return err
}
