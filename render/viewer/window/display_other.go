//go:build !linux && !freebsd && !netbsd && !openbsd && !nowindow

package window

// display returns nil. On these systems, only an attempt to open a window shows whether there is a display.
func display() error { return nil }
