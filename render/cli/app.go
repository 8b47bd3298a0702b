package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"achilles/infer/layout"
	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/store"

	"github.com/spf13/cobra"
)

// A Host is how a command line can start other processes.
type Host struct {
	Launcher  string // path of a program that begins with Launch; empty: programs are not confined, and inference is in this process
	InProcess bool   // inference is in this process in any case
}

// An app is one execution of the program: what every command needs.
type app struct {
	Host
	unconfined func(context.Context) error // why processes cannot be confined; nil if they can
	*console
	started bool   // whether the command line was understood: later errors are failures, not wrong usage
	resumes string // hint for a command that, run again, goes on where it was interrupted; empty: it does not
	layouts *layout.Library
}

// saying returns the same execution with other places for what it says.
func (a *app) saying(stdout, stderr io.Writer) *app {
	other, c := *a, *a.console
	c.stdout, c.stderr, other.console = stdout, stderr, &c
	return &other
}

// plainFlag returns the error of a flag in plain words. For an unknown flag, it names a flag with a similar name. For a
// wrong value, it says what is wanted, instead of naming the Go function that parsed the value.
func plainFlag(c *cobra.Command, err error) error {
	said := err.Error()
	if name, unknown := strings.CutPrefix(said, "unknown flag: --"); unknown {
		var names []string
		for _, w := range strings.Fields(c.Flags().FlagUsages()) {
			if flag, ok := strings.CutPrefix(w, "--"); ok {
				names = append(names, flag)
			}
		}
		if near := expr.Nearest(name, names); near != nil {
			return fmt.Errorf("%w: did you mean --%s?", err, near[0])
		}
		return err
	}
	i := strings.Index(said, " flag: ")
	if i < 0 {
		return err
	}
	why := said[i+len(" flag: "):]
	if strings.HasSuffix(why, "value out of range") {
		return errors.New(said[:i] + " flag: the number is too large")
	}
	for _, w := range [][2]string{ // the beginning of the cause, and what is wanted
		{"strconv.ParseUint", "want a whole number from 0"},
		{"strconv.ParseInt", "want a whole number"},
		{"strconv.ParseFloat", "want a number"},
		{"strconv.ParseBool", "want true or false"},
		{"time: ", "want a duration such as 90s or 5m"},
	} {
		if strings.HasPrefix(why, w[0]) {
			return errors.New(said[:i] + " flag: " + w[1])
		}
	}
	return err
}

// plainArguments lets a command and those below it say in plain words that they were given too many or too few arguments.
func plainArguments(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			err := check(c, args)
			if err == nil || strings.HasPrefix(err.Error(), "unknown command") {
				return err
			}
			return fmt.Errorf("%s given: want achilles %s", num.Counted(len(args), "argument"), strings.TrimPrefix(c.UseLine(), c.Root().Name()+" "))
		}
	}
	for _, below := range c.Commands() {
		plainArguments(below)
	}
}

// plainTopics lets the command help say which command is meant, instead of printing the help of all.
func plainTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if help := c.Run; c.Name() == "help" && help != nil {
			c.Run, c.RunE = nil, func(c *cobra.Command, args []string) error {
				if _, _, err := root.Find(args); err != nil {
					return err
				}
				help(c, args)
				return nil
			}
		}
	}
}

// do returns f as a function that cobra can call. Errors before this call count as wrong usage, errors of f as
// failures.
func (a *app) do(f func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		a.takes = func(flag string) bool { return c.Flags().Lookup(flag) != nil }
		if a.started = true; c.Flags().Lookup(stopAfterFlag) != nil {
			a.resumes = goesOn
		}
		return f(c.Context(), args)
	}
}

// goesOn is the hint after commands that keep what they have finished.
const goesOn = "rerun the command to resume; an incomplete battery is regenerated"

// whileLocked calls f, which writes the directory dir. It locks dir against other processes until f returns.
func whileLocked(dir string, f func() error) error {
	l, err := store.LockPlace(dir)
	if err != nil {
		return err
	}
	defer l.Release()
	return f()
}

// maxInput is the largest size, in bytes, of a table or a file of answers that the user names.
const maxInput = 1 << 28

// stopAfterFlag is a flag of all commands that go on where they were interrupted.
const stopAfterFlag = "stop-after"
