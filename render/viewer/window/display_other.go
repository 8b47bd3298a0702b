//go:build !linux && !freebsd && !netbsd && !openbsd

package window

// display returns nil: on these systems only opening a window shows whether one can be opened.
func display() error { return nil }
