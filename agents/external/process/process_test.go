//go:build unix

package process_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"testing"

	"achilles/agents/external/process"
)

// role is the environment variable that makes the test program a process of TestWholeGroup.
const role = "ACHILLES_TEST_ROLE"

// The files that these processes get from the test: one that they read until the test lets go of it, and one that they hold
// open, so that the test can tell when the last of them has ended.
const held, alive = 3, 4

func TestMain(m *testing.M) {
	switch how := os.Getenv(role); how {
	case "":
		os.Exit(m.Run())
	case "child":
		wait()
	default:
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), role+"=child")
		child.ExtraFiles = []*os.File{os.NewFile(held, "held"), os.NewFile(alive, "alive")}
		if err := child.Start(); err != nil {
			os.Exit(1)
		}
		os.Stdout.WriteString("started")
		if os.Stdout.Close(); how == "waits" {
			wait()
		}
	}
}

// wait waits as long as the test lives.
func wait() { _, _ = io.Copy(io.Discard, os.NewFile(held, "held")) }

// TestWholeGroup checks that the processes that a program has started end with it, both if the program is cancelled and if
// it ends by itself.
func TestWholeGroup(t *testing.T) {
	for _, how := range []string{"waits", "ends"} {
		heldHere, err := pipe(t)
		aliveHere, err2 := pipe(t)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		cmd := process.Command(ctx, []string{os.Args[0]})
		cmd.Env = append(os.Environ(), role+"="+how)
		cmd.ExtraFiles = []*os.File{heldHere.read, aliveHere.write}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		aliveHere.write.Close()
		if said, err := io.ReadAll(out); string(said) != "started" {
			t.Fatalf("%s: it said %q (%v)", how, said, err)
		}
		if how == "waits" {
			cancel()
		}
		_ = cmd.Wait() // the error of a program that was killed is expected
		process.End(cmd)
		if _, err := io.ReadAll(aliveHere.read); err != nil { // for ever, if a process lives on
			t.Error(err)
		}
	}
}

// The ends of a pipe.
type ends struct{ read, write *os.File }

func pipe(t *testing.T) (e ends, err error) {
	e.read, e.write, err = os.Pipe()
	t.Cleanup(func() {
		e.read.Close()
		e.write.Close()
	})
	return e, err
}
