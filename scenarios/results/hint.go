package results

import "fmt"

// A Hint is an error with what to type about it.
type Hint struct {
	error
	Text string
}

// Unwrap is the error without the hint.
func (h *Hint) Unwrap() error { return h.error }

// Hinted adds a hint to an error.
func Hinted(err error, format string, args ...any) error {
	return &Hint{err, fmt.Sprintf(format, args...)}
}
