// Package process starts programs that exchange data with this one over standard input and output. Each has an empty
// directory, few variables and a process group of its own. On Linux it is also confined: it can read the system, its own files
// and what it was allowed, and nothing that it started outlives it. docs/reference/protocol.md has what holds where.
package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// waitDelay is the time to wait for the end of a program's output after the program has ended: a process that the
// program started may keep the output open.
const waitDelay = 2 * time.Second

// Network, in Seat.Allow, lets programs reach the network.
const Network = "network"

// A Seat says what the programs that are started on it may reach.
type Seat struct {
	Launcher string   // path of a program that begins with Launch; empty: programs are not confined
	Allow    []string // files and directories that a confined program may read and execute; or Network
	Never    string   // a directory, which need not exist, that no program may read; empty: none
	Own      []string // directories that a confined program may change
	Pass     []string // names of variables that programs get as they are here, besides those that all get
}

// A Process is a program that runs.
type Process struct {
	In     io.WriteCloser
	Out    io.ReadCloser
	cmd    *exec.Cmd
	leave  func() // ends what still runs
	dir    string // the program's own directory
	remove sync.Once
}

// Start starts a command with its arguments, in an empty directory of its own. Arguments that name a file are made absolute. What it
// writes to standard error goes to complaints. It is ended when the context ends. After Wait the caller must call End. The error
// says why it cannot be started, or what it must not be allowed to read.
func (s *Seat) Start(ctx context.Context, command []string, complaints io.Writer) (*Process, error) {
	o, err := s.order(command)
	if err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", command[0], err)
	}
	p, err := s.start(ctx, o, complaints)
	if err != nil {
		_ = os.RemoveAll(o.Dir) // nothing of use is in it
		return nil, fmt.Errorf("cannot start %s: %w", command[0], reason(err))
	}
	return p, nil
}

// reason returns an error without the path of the program, which the message has already.
func reason(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// An order is a program to start, and what it may reach.
type order struct {
	Dir     string   `json:"dir"`     // its own directory, which it may change
	Path    string   `json:"path"`    // absolute
	Args    []string `json:"args"`    // with its name
	Env     []string `json:"env"`     //
	Files   []string `json:"files"`   // what it may read and execute besides the system
	Own     []string `json:"own"`     // directories that it may change, too
	Network bool     `json:"network"` //
}

// order makes the directory of a command, and says what it may reach.
func (s *Seat) order(command []string) (o order, err error) {
	if o.Path, err = exec.LookPath(command[0]); err != nil {
		return o, lookReason(err)
	}
	if o.Path, err = filepath.Abs(o.Path); err != nil {
		return o, err
	}
	o.Args, o.Files = []string{command[0]}, []string{o.Path}
	for _, a := range command[1:] {
		if info, err := os.Stat(a); err == nil && info.Mode().IsRegular() {
			if a, err = filepath.Abs(a); err != nil {
				return o, err
			}
			o.Files = append(o.Files, a)
		}
		o.Args = append(o.Args, a)
	}
	for _, a := range s.Allow {
		if a == Network {
			o.Network = true
			continue
		}
		if a, err = filepath.Abs(a); err != nil {
			return o, err
		}
		o.Files = append(o.Files, a)
	}
	for _, dir := range s.Own {
		if dir, err = filepath.Abs(dir); err != nil {
			return o, err
		}
		o.Own = append(o.Own, dir)
	}
	if err := s.keepsAway(append(slices.Clip(o.Files), o.Own...)); err != nil {
		return o, err
	}
	if o.Dir, err = os.MkdirTemp("", "achilles-seat-"); err != nil {
		return o, err
	}
	o.Env = environment(o.Dir, s.Pass)
	return o, nil
}

func lookReason(err error) error {
	var e *exec.Error
	if errors.As(err, &e) {
		return reason(e.Err)
	}
	return err
}

// Check returns an error if Allow names something that is not there, or that has, or is in, the directory Never.
func (s *Seat) Check() error {
	for _, a := range s.Allow {
		if a == Network {
			continue
		}
		if _, err := os.Stat(a); err != nil {
			return fmt.Errorf("%s: %w", a, reason(err))
		}
		if err := s.keepsAway([]string{a}); err != nil {
			return err
		}
	}
	return nil
}

// keepsAway returns an error if a file or directory has, or is in, the directory Never. Links are followed.
func (s *Seat) keepsAway(files []string) error {
	if s.Never == "" {
		return nil
	}
	never, err := real(s.Never)
	if err != nil {
		return err
	}
	for _, f := range files {
		path, err := real(f)
		if err != nil {
			return err
		}
		if within(path, never) || within(never, path) {
			return fmt.Errorf("a program would read %s: the results directory %s is not for programs", f, s.Never)
		}
	}
	return nil
}

// real returns the absolute path of a file without links. What does not exist is taken as it is.
func real(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rest := ""
	for {
		if found, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(found, rest), nil
		}
		parent := filepath.Dir(path)
		if parent == path {
			return filepath.Join(path, rest), nil
		}
		path, rest = parent, filepath.Join(filepath.Base(path), rest)
	}
}

// within reports whether a path is a directory or in it.
func within(path, dir string) bool {
	r, err := filepath.Rel(dir, path)
	return err == nil && r != ".." && !strings.HasPrefix(r, ".."+string(filepath.Separator))
}

// environment returns the variables of a program whose directory is dir: where programs are found, the language, and the
// directory as home and for temporary files. pass names more.
func environment(dir string, pass []string) []string {
	env := []string{"HOME=" + dir, "TMPDIR=" + dir, "TEMP=" + dir, "TMP=" + dir, "PWD=" + dir}
	for _, name := range append([]string{"PATH", "LANG", "LC_ALL", "TZ"}, pass...) {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// run starts cmd, whose Cancel and leave end all that it has started.
func run(cmd *exec.Cmd, dir string, complaints io.Writer, leave func()) (*Process, error) {
	cmd.Stderr, cmd.WaitDelay = complaints, waitDelay
	cmd.Cancel = func() error {
		leave()
		return nil
	}
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	p := &Process{In: in, Out: out, cmd: cmd, leave: leave, dir: dir}
	return p, cmd.Start()
}

// alone starts a program that is not confined.
func alone(ctx context.Context, o order, complaints io.Writer) (*Process, error) {
	cmd := exec.CommandContext(ctx, o.Path, o.Args[1:]...)
	cmd.Args, cmd.Env, cmd.Dir = o.Args, o.Env, o.Dir
	separate(cmd)
	return run(cmd, o.Dir, complaints, func() { endGroup(cmd) })
}

// Wait waits for the end of the program. The error says how it ended, if not with success.
func (p *Process) Wait() error { return p.cmd.Wait() }

// End ends whatever the program has started and still runs, and removes its directory.
func (p *Process) End() {
	p.leave()
	p.remove.Do(func() { _ = os.RemoveAll(p.dir) }) // the system clears its temporary directory of what remains
}
