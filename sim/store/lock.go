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

// ErrBusy means that another process has locked a directory.
var ErrBusy = errors.New("another achilles process is writing there")

// A Lock lets only one process write to a place. The system releases it when the process ends, even if the process is
// killed; the empty file that then remains locks nothing.
type Lock struct {
	file *flock.Flock // nil if the file system has no locks or allows no writing
	made string       // directory that was made for the lock; Release removes it if it is empty
}

// LockDir locks a directory for writing into it, and makes the directory if it does not exist. The lock is a file in
// the directory; Release removes the file. The error wraps ErrBusy if another process has the lock.
func LockDir(dir string) (*Lock, error) {
	_, err := os.Lstat(dir)
	absent := errors.Is(err, fs.ErrNotExist)
	l, err := lock(dir, filepath.Join(dir, ".lock"))
	if err == nil && absent {
		l.made = dir
	}
	return l, err
}

// LockPlace locks a directory that is written as a whole, by a lock file beside the directory. The error wraps ErrBusy
// if another process has the lock.
func LockPlace(dir string) (*Lock, error) {
	parent, name := filepath.Split(filepath.Clean(dir))
	return lock(dir, filepath.Join(parent, "."+name+".lock"))
}

// Release releases the lock. It removes the lock's file before it gives up the lock. On systems that cannot remove an
// open file, the empty file remains.
func (l *Lock) Release() {
	if l.file == nil {
		return
	}
	_ = os.Remove(l.file.Path()) // a file that remains is harmless
	_ = l.file.Unlock()
	if l.made != "" {
		_ = os.Remove(l.made) // a directory that is not empty remains
	}
}

// lockTries is how often lock tries at most. It must try again if another process has just released and removed the
// file.
const lockTries = 100

// lock locks a file; dir is the name for errors.
func lock(dir, path string) (*Lock, error) {
	for range lockTries {
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if errors.Is(err, fs.ErrExist) { // another process has removed the directory
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
		_ = f.Unlock() // the locked file no longer has its name
	}
	return nil, fmt.Errorf("%s: %w", dir, ErrBusy)
}

// unlockable reports whether the error means that no lock is possible: the file system has no locks, or writing is not
// permitted. In the second case the write itself will fail.
func unlockable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, errors.ErrUnsupported)
}

// stands reports whether the locked file still has its name: another process may have removed it before it was locked.
func stands(f *flock.Flock) bool {
	locked, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.Path())
	return err == nil && os.SameFile(locked, named)
}
