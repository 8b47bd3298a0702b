package cli

import (
	"fmt"
)

// A usage is an error of the command line that was found only after the command line was parsed.
type usage struct{ error }

func (u *usage) Unwrap() error { return u.error }

func usagef(format string, args ...any) error { return &usage{fmt.Errorf(format, args...)} }
