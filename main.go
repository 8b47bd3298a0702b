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
	cli.Launch(os.Args[1:])
	cli.SaveMemory()
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		var cause error
		if <-signals == syscall.SIGTERM {
			cause = cli.ErrStopped
		}
		signal.Stop(signals) // a second signal ends the program at once
		cancel(cause)
	}()
	launcher, err := os.Executable()
	if err != nil {
		launcher = "" // nothing is confined then, and the command says so of programs
	}
	os.Exit(cli.Run(ctx, cli.Host{Launcher: launcher}, os.Args[1:], os.Stdout, os.Stderr))
}
