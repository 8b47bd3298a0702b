package canvas

// A View is what a window shows.
type View interface {
	// Update takes the input of one frame. It returns a revision, which changes whenever what Draw draws may change, and
	// whether the window should close.
	Update(in Input) (revision uint64, done bool)
	// Render returns the picture of that size.
	Draw(w, h float32) *Canvas
}

// An Input is what happened since the last frame.
type Input struct {
	// Keys that were pressed or repeated: the character that a key writes, or the name of a key that writes none: space,
	// enter, escape, backspace, tab, left, right, up, down, home, end, page up, page down, with "shift " or "control "
	// before the name while that key is held.
	Keys          []string
	X, Y          float32 // of the pointer
	Down          bool    // the button of the pointer is held
	Wheel         float32 // lines scrolled, positive upwards
	Seconds       float64 // since the last frame
	Width, Height float32 // of the picture
}
