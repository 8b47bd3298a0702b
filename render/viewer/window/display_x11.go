//go:build linux || freebsd || netbsd || openbsd

package window

import (
	"fmt"
	"os"
)

// display says why no window can be opened, as far as that is known without trying: ebiten can be started only once in a
// process.
func display() error {
	if os.Getenv("DISPLAY") == "" {
		return fmt.Errorf("%w: DISPLAY is not set", ErrNoDisplay)
	}
	return nil
}
