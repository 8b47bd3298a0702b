//go:build !linux

package process

import (
	"context"
	"errors"
	"io"
)

// Unconfined returns why programs on the seat are not confined: this system has no way to.
func (s *Seat) Unconfined(context.Context) error {
	return errors.New("only Linux can confine programs")
}

// Beyond returns "": programs are not confined.
func (s *Seat) Beyond(string) string { return "" }

func (s *Seat) start(ctx context.Context, o order, complaints io.Writer) (*Process, error) {
	return alone(ctx, o, complaints)
}

// Launch returns: nothing is launched on this system.
func Launch([]string) {}
