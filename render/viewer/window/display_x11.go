//go:build linux || freebsd || netbsd || openbsd

package window

import (
	"fmt"
	"os"
)

// display says why no window can be opened, where that shows beforehand: ebiten can be asked once in a process only.
func display() error {
	if os.Getenv("DISPLAY") == "" {
		return fmt.Errorf("%w: DISPLAY is not set", ErrNoDisplay)
	}
	return nil
}
