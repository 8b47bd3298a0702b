//go:build !linux && !freebsd && !netbsd && !openbsd

package window

// display returns nil: on these systems, only opening a window shows whether there is a display.
func display() error { return nil }
