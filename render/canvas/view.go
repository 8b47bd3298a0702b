// Package canvas is what a window and what it shows have in common. It knows no graphics.
package canvas

// A View is what a window shows.
type View interface {
	// Update lets the view take one frame's input. It returns a number that differs from the last one where what Draw
	// would draw may differ, and whether the window should close.
	Update(in Input) (revision uint64, done bool)
	// Draw returns the picture of that size.
	Draw(w, h float32) *Scene
}

// An Input is what happened since the frame before.
type Input struct {
	// Keys were pressed or repeated: each is the character that it writes, or the name of a key that writes none: space,
	// enter, escape, backspace, tab, left, right, up, down, home, end, page up, page down, with "shift " or "control "
	// before it where that was held.
	Keys          []string
	X, Y          float32 // of the pointer
	Down          bool    // its button is held
	Wheel         float32 // lines scrolled, up positive
	Seconds       float64 // that went by
	Width, Height float32 // of the picture
}
