package process

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// Unconfined returns why programs on the seat are not confined, and nil if they are. It lets the launcher try.
func (s *Seat) Unconfined(ctx context.Context) error {
	if s.Launcher == "" {
		return errors.New("there is nothing to confine them with")
	}
	said, err := exec.CommandContext(ctx, s.Launcher, tryArgument).Output()
	if err != nil {
		var e *exec.ExitError
		if errors.As(err, &e) && len(e.Stderr) > 0 {
			return errors.New(strings.TrimSpace(string(e.Stderr)))
		}
		return err
	}
	if !bytes.Equal(said, []byte(confined)) {
		return errors.New("the launcher is another program")
	}
	return nil
}

// Beyond returns the path of a command that is in none of the folders that every confined program may read, nor in what Allow names; ""
// for others, and if programs are not confined. Such a command may find no other file of its own.
func (s *Seat) Beyond(command string) string {
	path, err := exec.LookPath(command)
	if s.Launcher == "" || err != nil {
		return ""
	}
	if path, err = real(path); err != nil {
		return ""
	}
	for _, dir := range append(system, s.Allow...) {
		if dir, err := real(dir); err == nil && within(path, dir) {
			return ""
		}
	}
	return path
}

// The descriptors that the launcher gets: one to which it writes why the program cannot be started, and one that ends when the
// program is to end.
const (
	startFailed = 3
	stillWanted = 4
)

func (s *Seat) start(ctx context.Context, o order, complaints io.Writer) (*Process, error) {
	if err := unix.CloseRange(startFailed, ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil && !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EINVAL) {
		return nil, err // descriptors that this process got from its parent are for no program; a kernel without the call confines nothing
	}
	if s.Launcher == "" {
		return alone(ctx, o, complaints)
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil { // nobody reads the memory of this process
		return nil, err
	}
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	failed, failedIn, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer failed.Close()
	defer failedIn.Close()
	wantedIn, wanted, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer wantedIn.Close()
	cmd := exec.CommandContext(ctx, s.Launcher, watchArgument, string(text))
	cmd.Env, cmd.Dir, cmd.ExtraFiles = o.Env, o.Dir, []*os.File{failedIn, wantedIn}
	separate(cmd)
	leave := sync.OnceFunc(func() { _ = wanted.Close() })
	p, err := run(cmd, o.Dir, complaints, leave)
	if err != nil {
		leave()
		return nil, err
	}
	_ = failedIn.Close() // so that the end of the other copies is seen
	why, err := io.ReadAll(failed)
	if err == nil && len(why) > 0 {
		err = errors.New(string(why))
	}
	if err != nil {
		leave()
		_ = cmd.Wait()
		return nil, err
	}
	return p, nil
}

// The first arguments of a launcher: try confines the launcher itself and says so; watch starts a launcher with confine, and
// ends all that came of it when the program has ended or is to end; confine confines itself and becomes the program.
const (
	tryArgument     = "confinement-try"
	watchArgument   = "confinement-watch"
	confineArgument = "confinement-enter"
)

// confined is what the launcher writes when it has tried.
const confined = "confined\n"

// Launch does the work of a launcher, and does not return, if args, the arguments of this process without its name, are those of
// one. A program that is to be the launcher of a Seat calls it first.
func Launch(args []string) {
	switch {
	case len(args) == 1 && args[0] == tryArgument:
		if err := confine(&order{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Print(confined)
		os.Exit(0)
	case len(args) == 2 && args[0] == watchArgument:
		os.Exit(watch(args[1]))
	case len(args) == 2 && args[0] == confineArgument:
		unix.CloseOnExec(startFailed) // so that this process can say why it does not become the program
		err := enter(args[1])
		_, _ = os.NewFile(startFailed, "").WriteString(err.Error())
		os.Exit(1)
	}
}

// enter confines this process to an order, and makes it the program. It returns only with an error.
func enter(text string) error {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	if err := confine(&o); err != nil {
		return err
	}
	return unix.Exec(o.Path, o.Args, o.Env)
}
