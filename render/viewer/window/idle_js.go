package window

// idle does nothing: a browser requests no frames for a page that is not visible.
func idle(int) {}
