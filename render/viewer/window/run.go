//go:build !nowindow && !js

package window

import (
	"fmt"

	"github.com/hajimehoshi/ebiten/v2"

	"achilles/render/canvas"
)

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
	err := ebiten.RunGameWithOptions(w, &ebiten.RunGameOptions{X11ClassName: "achilles", X11InstanceName: "achilles"})
	if err != nil && w.frames == 0 {
		return fmt.Errorf("%w: %v", ErrNoDisplay, err)
	}
	return err
}
