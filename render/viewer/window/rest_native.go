//go:build !js

package window

import "time"

// rest waits where nothing has happened for half a second, so that a viewer at which nobody looks takes next to no
// time. A key is then answered within a twentieth of a second.
func rest(quiet int) {
	if quiet > 30 {
		time.Sleep(50 * time.Millisecond)
	}
}
