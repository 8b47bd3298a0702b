// Command achilles makes batteries of cognitive tasks, lets synthetic agents with a known, sealed mind take them,
// recovers that mind blind from the responses and grades the recovery against the truth.
//
// The quick-start scenario, end to end:
//
//	achilles run
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"achilles/render/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := cli.Run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
