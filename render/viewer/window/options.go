// Package window shows a view in a window. It turns keys and the pointer into input for the view, and copies the view's picture to the
// screen. No other package imports ebiten. The build tag nowindow leaves the window out: a program without it needs no library of the
// system.
package window

import "errors"

// Options of a window.
type Options struct {
	Title         string
	Width, Height int // initial size of the window in pixels; 0: 1280 × 720
	// MinWidth and MinHeight are the least size of a picture in pixels. A smaller window shows it scaled down.
	MinWidth, MinHeight float32
}

// ErrNoDisplay says that there is no display on which a window can be opened.
var ErrNoDisplay = errors.New("there is no display to open a window on")
