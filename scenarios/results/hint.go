package results

import "fmt"

// A Hint is an error together with Text, a command that the user can type to fix it.
type Hint struct {
	error
	Text string
}

// Unwrap returns the error without the hint.
func (h *Hint) Unwrap() error { return h.error }

// Hinted adds a hint to err. The format and its arguments give the hint.
func Hinted(err error, format string, args ...any) error {
	return &Hint{err, fmt.Sprintf(format, args...)}
}
