package window

// idle does nothing in a browser, because a browser asks for no frames of a page that is not visible. On other systems,
// idle waits a little before the next frame if nothing happens in the window.
func idle(int) {}
