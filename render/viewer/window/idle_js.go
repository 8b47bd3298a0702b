package window

// idle does nothing in a browser, which asks for no frames of a page that is not visible. Elsewhere it slows a window in
// which nothing happens.
func idle(int) {}
