package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gofrs/flock"
)

// ErrBusy says that a directory is locked.
var ErrBusy = errors.New("another achilles process is writing there")

// A Lock lets one process write in a place. The system releases it when the process ends, also when it is killed; the empty
// file that then stays locks nothing.
type Lock struct {
	file *flock.Flock // nil where nothing can be locked
	made string       // a directory that was made for the lock, to be removed where it stays empty
}

// LockDir locks a directory for what writes into it, and makes it where it is not there. The lock is a file in it that
// Release removes. The error wraps ErrBusy where another process has the lock.
func LockDir(dir string) (*Lock, error) {
	_, err := os.Lstat(dir)
	absent := errors.Is(err, fs.ErrNotExist)
	l, err := lock(dir, filepath.Join(dir, ".lock"))
	if err == nil && absent {
		l.made = dir
	}
	return l, err
}

// LockPlace locks the place of a directory that is written whole, by a file beside it. The error wraps ErrBusy where
// another process has the lock.
func LockPlace(dir string) (*Lock, error) {
	parent, name := filepath.Split(filepath.Clean(dir))
	return lock(dir, filepath.Join(parent, "."+name+".lock"))
}

// Release releases the lock. It removes the file first, while no other process can have locked it; a system that cannot
// remove an open file keeps it, empty.
func (l *Lock) Release() {
	if l.file == nil {
		return
	}
	_ = os.Remove(l.file.Path()) // what stays is harmless
	_ = l.file.Unlock()
	if l.made != "" {
		_ = os.Remove(l.made) // it stays where something is in it
	}
}

// lockTries bounds how often a file is opened just as another process gives it back and removes it.
const lockTries = 100

// lock locks a file; dir is the name for errors.
func lock(dir, path string) (*Lock, error) {
	for range lockTries {
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if errors.Is(err, fs.ErrExist) { // and is gone by now
			continue
		}
		if err != nil {
			return nil, cannot("create", filepath.Dir(path), err)
		}
		f := flock.New(path, flock.SetPermissions(0o644))
		ok, err := f.TryLock()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case unlockable(err):
			return &Lock{}, nil
		case err != nil:
			return nil, cannot("lock", dir, err)
		case !ok:
			return nil, fmt.Errorf("%s: %w", dir, ErrBusy)
		case stands(f):
			return &Lock{file: f}, nil
		}
		_ = f.Unlock() // of a file that is gone
	}
	return nil, fmt.Errorf("%s: %w", dir, ErrBusy)
}

// unlockable reports whether the error says that no lock is possible: on a file system without locks, and where writing is
// not permitted, so that the write itself will fail.
func unlockable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, errors.ErrUnsupported)
}

// stands reports whether the locked file still has its name: it may be removed between its opening and its locking.
func stands(f *flock.Flock) bool {
	locked, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.Path())
	return err == nil && os.SameFile(locked, named)
}
