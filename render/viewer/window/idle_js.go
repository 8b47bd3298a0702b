package window

// idle does nothing: a browser itself asks for no frames of a page that is not visible.
func idle(int) {}
