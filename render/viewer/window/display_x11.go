//go:build (linux || freebsd || netbsd || openbsd) && !nowindow

package window

import (
	"fmt"
	"os"
)

// display returns ErrNoDisplay if DISPLAY is not set. Run calls it first, because ebiten can be started only once in a
// process.
func display() error {
	if os.Getenv("DISPLAY") == "" {
		return fmt.Errorf("%w: DISPLAY is not set", ErrNoDisplay)
	}
	return nil
}
