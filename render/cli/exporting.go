package cli

import (
	"context"
	"strings"

	"achilles/sim/store"

	"github.com/spf13/cobra"
)

// A destination is where a command writes, and whether it overwrites what is there.
type destination struct {
	out   string
	force bool
}

// file writes a file to the destination.
func (to destination) file(data []byte) error { return store.WriteFile(to.out, data, to.force) }

// writes adds to a command the flags --out and --force, and runs write if the first is given. what is a file, a folder or a directory; more
// is what else to say of it.
func (a *app) writes(c *cobra.Command, what, more string, write func(ctx context.Context, args []string, to destination) error) *cobra.Command {
	var to destination
	c.Flags().StringVar(&to.out, "out", "", what+" to write (required)"+more)
	c.Flags().BoolVar(&to.force, "force", false, "overwrite existing output")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if to.out == "" {
			return usagef("%s needs --out: the %s to write", strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" "), what)
		}
		return write(ctx, args, to)
	})
	return c
}
