// Package cli is the command line, with one file for each subcommand. The function main passes the arguments and the
// output streams to Run.
//
// Results go to stdout, all other messages to stderr. An error is one line. A hint, which is a command that mends the
// error, may follow it. The exit code is 0 for success, 1 for a failure, 2 for a wrong command line, 75 for a command that
// stopped because its time was over or the system wanted it to end, and 130 for an interrupted command.
package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"achilles/agents/external/process"
	"achilles/infer/layout"
	"achilles/render/tabular"
	"achilles/scenarios/results"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Launch does the work of a launcher of programs (process.Launch), or infers in a process apart, if args, the arguments of this
// process without its name, ask for it, and does not return then.
func Launch(args []string) {
	process.Launch(args)
	if len(args) == 1 && args[0] == inferArgument {
		inferApart(os.Stdin, os.Stdout)
		os.Exit(0)
	}
}

// Run executes one command line and returns the exit code.
func Run(ctx context.Context, host Host, args []string, stdout, stderr io.Writer) int {
	return run(ctx, host, args, stdout, stderr, progressEvery)
}

// interruptedCode is the exit code that shells give a program ended by SIGINT: 128 + the number of the signal.
const interruptedCode = 130

func run(ctx context.Context, host Host, args []string, stdout, stderr io.Writer, every time.Duration) int {
	out := &locked{w: stdout}
	a := &app{Host: host, unconfined: unconfined(host.Launcher), console: &console{stdout: out, stderr: &locked{w: stderr}, status: new(status)}, layouts: new(layout.Library)}
	if f, ok := stderr.(*os.File); ok {
		a.terminal = term.IsTerminal(int(f.Fd()))
	}
	if f, ok := stdout.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil {
			a.columns = max(n, narrowest)
		}
	}
	root := rootCommand(a)
	root.SetArgs(args)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	stop := a.tell(every)
	err := root.ExecuteContext(ctx)
	stop()
	stopped := errors.Is(err, ErrStopped) || err != nil && errors.Is(context.Cause(ctx), ErrStopped)
	interrupted, lost := stopped || err != nil && ctx.Err() != nil, out.failed()
	switch {
	case interrupted && a.resumes == "":
		err = errors.New("interrupted")
	case stopped:
		err = results.Hinted(errors.New("stopped"), "%s", a.resumes)
	case interrupted:
		err = results.Hinted(errors.New("interrupted"), "%s", a.resumes)
	case lost != nil:
		err = fmt.Errorf("the output could not be written: %w", lost)
	case err == nil:
		return 0
	}
	a.complain(err)
	var u *usage
	switch {
	case stopped:
		return stoppedCode
	case interrupted:
		return interruptedCode
	case lost == nil && (errors.As(err, &u) || !a.started):
		return 2
	}
	return 1
}

func rootCommand(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:     "achilles",
		Version: version(),
		Short:   "Make cognitive batteries, infer sealed agents' profiles blind, and score the recovery",
		Long: `Achilles makes batteries of cognitive tasks, administers them to synthetic agents with known, sealed profiles,
infers those profiles blind from the responses and scores the recovery against the truth.

Every stage reads a directory and writes one: generate makes public/ and sealed/, infer reads public/ only
and writes inferred/, score opens the seal and writes scores/. run does all of it.`,
		Example: `  achilles run
  achilles scenarios list
  achilles run op-burden --seed 1 --out results/op-burden`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(plainFlag)
	if n := a.told(); n > 0 {
		help := root.HelpFunc()
		root.SetHelpFunc(func(c *cobra.Command, args []string) {
			var b bytes.Buffer
			c.Long = paragraphs(c.Long)
			c.SetOut(&b)
			help(c, args)
			_, _ = a.stdout.Write(tabular.Fit(b.String(), n, 0)) // locked keeps the error
		})
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	for _, c := range []*cobra.Command{runCommand(a), generateCommand(a), inferCommand(a), mergeCommand(a), verifyCommand(a), submitCommand(a), scoreCommand(a), reportCommand(a), showCommand(a), compareCommand(a), designCommand(a), nextCommand(a), predictCommand(a), analyseCommand(a), importCommand(a), askCommand(a), irtCommand(a), exportCommand(a), scenariosCommand(a), layoutsCommand(a), selectCommand(a), agreementCommand(a), viewCommand(a), playCommand(a), studyCommand(a), envCommand(a), versionCommand(a)} {
		root.AddCommand(c)
	}
	plainArguments(root)
	plainTopics(root)
	return root
}

// paragraphs returns a text each of whose paragraphs is one line. Lines that are indented stay.
func paragraphs(text string) string {
	lines := strings.Split(text, "\n")
	out := lines[:1]
	for _, l := range lines[1:] {
		if last := out[len(out)-1]; l == "" || last == "" || strings.HasPrefix(l, " ") || strings.HasPrefix(last, " ") {
			out = append(out, l)
		} else {
			out[len(out)-1] = last + " " + l
		}
	}
	return strings.Join(out, "\n")
}
