package window

// idle does nothing in a browser, because a browser asks for no frames of a page that is not visible. On other systems,
// it slows a window in which nothing happens.
func idle(int) {}
