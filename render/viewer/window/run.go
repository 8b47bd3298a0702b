// Package window shows a view in a window, or on the canvas element of a web page. It turns keys and the pointer into
// input for the view, and copies the view's picture to the screen. No other package imports ebiten.
package window

import (
	"errors"
	"fmt"

	"github.com/hajimehoshi/ebiten/v2"

	"achilles/render/canvas"
)

// Options of a window.
type Options struct {
	Title         string
	Width, Height int // initial size of the window in pixels; 0: 1280 × 720
	// MinWidth and MinHeight are the least size of a picture in pixels. A smaller window shows it scaled down.
	MinWidth, MinHeight float32
}

// ErrNoDisplay says that there is no display on which a window can be opened.
var ErrNoDisplay = errors.New("there is no display to open a window on")

// Run shows a view until it is done or its window is closed. It must be called from the main goroutine, and only once
// in a process. If no window can be opened, the error wraps ErrNoDisplay and says why.
func Run(v canvas.View, o Options) error { return run(v, o, nil) }

// run does the same as Run, and calls a function after every frame. If the function returns true, the run ends. The
// function may be nil.
func run(v canvas.View, o Options, onFrame func(frame int, screen *ebiten.Image) bool) error {
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
	w := &window{view: v, options: o, onFrame: onFrame}
	err := ebiten.RunGameWithOptions(w, &ebiten.RunGameOptions{DisableHiDPI: true, X11ClassName: "achilles", X11InstanceName: "achilles"})
	if err != nil && w.frames == 0 {
		return fmt.Errorf("%w: %v", ErrNoDisplay, err)
	}
	return err
}
