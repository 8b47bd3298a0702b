package results

import (
	"fmt"

	"achilles/sim/expr"
)

// A Hint is an error together with Text, a command that the user can type to fix it.
type Hint struct {
	error
	Text string
}

// Unwrap returns the error without the hint.
func (h *Hint) Unwrap() error { return h.error }

// Hinted adds a hint to err. The format and its arguments give the hint, in which results directories stand as in a command line.
func Hinted(err error, format string, args ...any) error {
	words := make([]any, len(args))
	for i, a := range args {
		words[i] = a
		if d, ok := a.(*Dir); ok {
			words[i] = expr.Quote(d.dir)
		}
	}
	return &Hint{err, fmt.Sprintf(format, words...)}
}
