//go:build nowindow || js

package window

import (
	"fmt"

	"achilles/render/canvas"
)

// Run returns ErrNoDisplay: this program has no window.
func Run(canvas.View, Options) error {
	return fmt.Errorf("%w: this program was built without windows", ErrNoDisplay)
}
