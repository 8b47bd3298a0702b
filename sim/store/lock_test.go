package store_test

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"achilles/sim/longtest"
	"achilles/sim/store"
)

// lockEnv is an environment variable. If it is set, the test program locks the directory that it names and waits until
// it is killed.
const lockEnv = "ACHILLES_TEST_LOCK"

func TestMain(m *testing.M) {
	if dir := os.Getenv(lockEnv); dir != "" {
		if _, err := store.LockDir(dir); err != nil {
			os.Exit(1)
		}
		_, _ = os.Stdout.WriteString("locked\n")
		_, _ = os.Stdin.Read(make([]byte, 1)) // waits until the parent kills this process, or ends
		os.Exit(2)
	}
	os.Exit(m.Run())
}

func TestLock(t *testing.T) {
	for name, lock := range map[string]func(string) (*store.Lock, error){"in": store.LockDir, "beside": store.LockPlace} {
		parent := t.TempDir()
		dir := filepath.Join(parent, "new", "out")
		one, err := lock(dir)
		if err != nil {
			t.Fatal(name, err)
		}
		if _, err := lock(dir); !errors.Is(err, store.ErrBusy) {
			t.Errorf("%s: a second lock: %v, want ErrBusy", name, err)
		}
		one.Release()
		if left := entries(t, filepath.Join(parent, "new")); len(left) != 0 {
			t.Errorf("%s: left behind: %v", name, left)
		}
		two, err := lock(dir)
		if err != nil {
			t.Fatalf("%s: after the release: %v", name, err)
		}
		if err := store.Write(filepath.Join(dir, "part"), files, false); err != nil {
			t.Fatal(err)
		}
		two.Release()
		if left := entries(t, dir); len(left) != 1 || left[0] != "part" {
			t.Errorf("%s: left in the directory: %v", name, left)
		}
	}
	if _, err := store.LockDir("/dev/null/x"); err == nil || errors.Is(err, store.ErrBusy) {
		t.Errorf("below a file: %v", err)
	}
}

// TestLockReadOnly checks that LockDir returns no error for a directory where nobody may write, so that reading goes
// on.
func TestLockReadOnly(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Create(filepath.Join(dir, "x")); err == nil {
		f.Close()
		t.Skip("this user may write in a read-only directory")
	}
	l, err := store.LockDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	l.Release()
}

// TestLockOfKilled checks that a process that is killed leaves the file of its lock, but no lock.
func TestLockOfKilled(t *testing.T) {
	longtest.Only(t, "starts a process")
	dir := filepath.Join(t.TempDir(), "out")
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), lockEnv+"="+dir)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Fatalf("the other process says %q (%v)", line, err)
	}
	if _, err := store.LockDir(dir); !errors.Is(err, store.ErrBusy) {
		t.Errorf("while it runs: %v, want ErrBusy", err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // returns an error, because the process was killed
	if left := entries(t, dir); len(left) != 1 {
		t.Errorf("it left %v, want the lock's file", left)
	}
	l, err := store.LockDir(dir)
	if err != nil {
		t.Fatalf("after it was killed: %v", err)
	}
	l.Release()
}

// TestLockChangesHands checks that at most one goroutine has the lock at any time, although each release removes the
// lock's file and directory.
func TestLockChangesHands(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	var holders, taken atomic.Int32
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 2000 {
				l, err := store.LockDir(dir)
				if errors.Is(err, store.ErrBusy) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				taken.Add(1)
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d have the lock", n)
				}
				for range 100 {
					runtime.Gosched() // the other goroutines try to lock meanwhile
				}
				holders.Add(-1)
				l.Release()
			}
		})
	}
	wait.Wait()
	if taken.Load() < 10 {
		t.Errorf("taken %d times", taken.Load())
	}
}

// TestWithoutLocks lets two writers meet where no lock binds, as on file systems without locks: none publishes what the other has half
// written.
func TestWithoutLocks(t *testing.T) {
	dir := t.TempDir()
	open := func() *store.Dir {
		d, err := store.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(d.Close)
		return d
	}
	first, err := open().Begin("result", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Put("a", []byte("first")); err != nil {
		t.Fatal(err)
	}
	second, err := open().Begin("result", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Put("a", []byte("half")); err != nil {
		t.Fatal(err)
	}
	if err := first.Commit(); !errors.Is(err, store.ErrBusy) {
		t.Errorf("the first writer commits what the second has half written: %v", err)
	}
	if err := second.Put("b", nil); err != nil {
		t.Error(err)
	}
	if err := second.Commit(); err != nil {
		t.Errorf("the second writer: %v", err)
	}
	for name, want := range map[string]string{"a": "half", "b": ""} {
		if b, err := open().ReadFile("result/" + name); err != nil || string(b) != want {
			t.Errorf("%s has %q (%v)", name, b, err)
		}
	}
}
