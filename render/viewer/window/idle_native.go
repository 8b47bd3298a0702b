//go:build !js

package window

import "time"

// idle waits for a twentieth of a second where nothing has happened for half a second, so that an idle window takes next to no
// processor time.
func idle(quiet int) {
	if quiet > 30 {
		time.Sleep(50 * time.Millisecond)
	}
}
