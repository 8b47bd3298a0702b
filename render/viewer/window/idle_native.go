//go:build !nowindow && !js

package window

import "time"

// idle waits for a twentieth of a second if nothing has happened for half a second (30 updates), so that an idle
// window takes little processor time.
func idle(quiet int) {
	if quiet > 30 {
		time.Sleep(50 * time.Millisecond)
	}
}
