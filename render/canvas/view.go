package canvas

// A View draws the contents of a window and reacts to input.
type View interface {
	// Update takes the input of one frame. revision changes whenever the result of Draw may change. done is true if
	// the window should close.
	Update(in Input) (revision uint64, done bool)
	// Draw returns a picture of w × h pixels.
	Draw(w, h float32) *Canvas
}

// An Input is the input since the last frame.
type Input struct {
	// Keys lists the keys that were pressed or repeated. A key is the character that it writes, or one of these names:
	// space, enter, escape, backspace, tab, left, right, up, down, home, end, page up, page down. "shift " or "control "
	// stands before a name if that key is held.
	Keys          []string
	X, Y          float32 // position of the pointer, in pixels
	Down          bool    // whether the pointer's button is held
	Wheel         float32 // lines scrolled, positive upwards
	Seconds       float64 // time since the last frame
	Width, Height float32 // size of the picture in pixels
}
