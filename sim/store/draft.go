package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Draft is a directory that is being written under a temporary name. Commit gives it its final name, so that it
// becomes visible as a whole.
type Draft struct {
	parent  *Dir
	name    string   // final name, in parent
	partial string   // temporary name, in parent
	old     string   // name of the directory that Commit replaces, until Commit removes it
	root    *os.Root // the directory partial
	own     *Dir     // parent, if the draft opened it and must close it; else nil
	syncs   syncs    // of the files that Create has opened
	private bool     // other users can read nothing of it
}

func (d *Dir) draft(name string) *Draft {
	return &Draft{parent: d, name: name, partial: "." + name + ".partial", old: "." + name + ".old", syncs: syncs{slots: make(chan struct{}, maxSyncs)}}
}

// Clean removes what a process that was killed while it wrote a directory has left of it under temporary names. If the process had
// taken away the directory that it was to replace, Clean restores it.
func (d *Dir) Clean(name string) error {
	w := d.draft(name)
	if err := w.recover(); err != nil {
		return err
	}
	return d.Remove(w.partial, w.old)
}

// Begin starts writing a directory in d. If an earlier process was killed while it wrote the directory, Begin first
// restores the old directory or removes what is incomplete. The error wraps ErrExists if the directory exists and force
// is false.
func (d *Dir) Begin(name string, force bool) (*Draft, error) { return d.begin(name, force, false) }

// BeginPrivate does as Begin. Only the user who writes the directory can read it.
func (d *Dir) BeginPrivate(name string, force bool) (*Draft, error) {
	return d.begin(name, force, true)
}

func (d *Dir) begin(name string, force, private bool) (*Draft, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if strings.Contains(name, "/") {
		return nil, fmt.Errorf("store: name %q: a directory is written beside others", name)
	}
	w := d.draft(name)
	w.private = private
	if err := w.recover(); err != nil {
		return nil, err
	}
	if d.Has(name) && !force {
		return nil, fmt.Errorf("%s %w", d.Path(name), ErrExists)
	}
	if err := d.Remove(w.partial); err != nil {
		return nil, err
	}
	if err := d.root.Mkdir(w.partial, w.mode(0o755)); err != nil {
		return nil, cannot("create", d.Path(name), err)
	}
	var err error
	if w.root, err = d.root.OpenRoot(w.partial); err != nil {
		return nil, cannot("create", d.Path(name), err)
	}
	return w, nil
}

// Put writes one file of the directory.
func (w *Draft) Put(name string, data []byte) error {
	shown, err := w.place(name)
	if err != nil {
		return err
	}
	return writeSynced(w.root, name, shown, data, w.mode(0o666), os.O_TRUNC)
}

// Create opens one file of the directory for writing. Its Close does not wait until the file is on disk: Commit does, and returns
// the error if that fails.
func (w *Draft) Create(name string) (io.WriteCloser, error) {
	shown, err := w.place(name)
	if err != nil {
		return nil, err
	}
	f, err := w.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, w.mode(0o666))
	if err != nil {
		return nil, cannot("write", shown, err)
	}
	return &synced{f, shown, &w.syncs}, nil
}

// place checks the name of a file, creates the folder of the file, and returns the path of the file for errors.
func (w *Draft) place(name string) (shown string, err error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	if folder := path.Dir(name); folder != "." {
		if err := w.root.MkdirAll(folder, w.mode(0o755)); err != nil {
			return "", cannot("create", w.parent.Path(path.Join(w.name, folder)), err)
		}
	}
	return w.parent.Path(path.Join(w.name, name)), nil
}

// mode returns the permissions of a file or folder of the directory, if those of others would be open.
func (w *Draft) mode(open os.FileMode) os.FileMode {
	if w.private {
		return open &^ 0o077
	}
	return open
}

// maxSyncs is the largest number of files of a Draft that wait at the same time until they are on disk.
const maxSyncs = 16

// syncs are the files that wait until they are on disk.
type syncs struct {
	sync.WaitGroup
	slots chan struct{}
	mu    sync.Mutex
	err   error // the first error
}

// A synced file is a file of a Draft that is open for writing.
type synced struct {
	file  *os.File
	shown string // path of the file, for errors
	syncs *syncs
}

// Write implements io.Writer.
func (s *synced) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	if err != nil {
		err = cannot("write", s.shown, err)
	}
	return n, err
}

// Close lets a goroutine wait until the file is on disk, and close it.
func (s *synced) Close() error {
	s.syncs.slots <- struct{}{}
	s.syncs.Go(func() {
		defer func() { <-s.syncs.slots }()
		if err := errors.Join(s.file.Sync(), s.file.Close()); err != nil {
			s.syncs.fail(cannot("write", s.shown, err))
		}
	})
	return nil
}

func (s *syncs) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}

// Same reports whether the directory that Commit would replace has exactly the files of the draft with their bytes. Files
// named in but may differ.
func (w *Draft) Same(but ...string) bool {
	old, err := w.parent.root.OpenRoot(w.name)
	if err != nil {
		return false
	}
	defer old.Close()
	n, err := w.compare(old, but)
	if err != nil {
		return false
	}
	err = fs.WalkDir(old.FS(), ".", func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			n--
		}
		return err
	})
	return err == nil && n == 0
}

// compare returns the number of files of the draft, and an error if one of them is not in old with the same bytes.
func (w *Draft) compare(old *os.Root, but []string) (n int, err error) {
	err = fs.WalkDir(w.root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		n++
		if slices.Contains(but, name) {
			_, err := old.Lstat(name)
			return err
		}
		return equalFiles(w.root, old, name)
	})
	return n, err
}

// equalFiles returns an error if a file differs between two directories. It holds little of the files in memory.
func equalFiles(a, b *os.Root, name string) error {
	x, err := a.Open(name)
	if err != nil {
		return err
	}
	defer x.Close()
	y, err := b.Open(name)
	if err != nil {
		return err
	}
	defer y.Close()
	var p, q [1 << 15]byte
	for {
		n, err := io.ReadFull(x, p[:])
		m, err2 := io.ReadFull(y, q[:])
		switch {
		case !bytes.Equal(p[:n], q[:m]):
			return errDiffers
		case err == io.EOF || err == io.ErrUnexpectedEOF: // then y has ended too, because it gave as few bytes
			return nil
		case err != nil || err2 != nil:
			return errors.Join(err, err2)
		}
	}
}

var errDiffers = errors.New("differs")

// Get reads a file that Put has written. It returns nil if there is none.
func (w *Draft) Get(name string) ([]byte, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	return ifThere(w.root.ReadFile(name))
}

// Sync waits until all files are on disk. No file may be written any more.
func (w *Draft) Sync() error {
	w.syncs.Wait()
	return w.syncs.err
}

// Place returns the path of the directory until it is committed.
func (w *Draft) Place() string { return w.parent.Path(w.partial) }

// Fill opens the directory at a path that Place has returned, perhaps in another process, to write files of it. Neither Commit nor Abort
// may be called; Close ends it.
func Fill(place string) (*Draft, error) {
	root, err := os.OpenRoot(place)
	if err != nil {
		return nil, cannot("open", place, err)
	}
	name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(place), "."), ".partial")
	w := (&Dir{path: filepath.Dir(place)}).draft(name)
	w.root = root
	return w, nil
}

// Close waits until all files are on disk.
func (w *Draft) Close() error { return errors.Join(w.Sync(), w.root.Close()) }

// FS returns the files that were written.
func (w *Draft) FS() fs.FS { return w.root.FS() }

// Settled is the time that Settle gives: the earliest that archives of all kinds can state.
var Settled = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

// Settle gives every file and folder the time Settled, and permissions that depend neither on the file nor on the user: all may read.
// It returns the paths of both. All files must have been written, and be on disk (Sync).
func (w *Draft) Settle() (paths []string, err error) {
	err = fs.WalkDir(w.root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if e.IsDir() {
			mode = 0o755
		} else if !e.Type().IsRegular() {
			return fmt.Errorf("%s: %w", w.parent.Path(path.Join(w.name, name)), errNoFile)
		}
		if name != "." {
			paths = append(paths, name)
		}
		return errors.Join(w.root.Chmod(name, mode), w.root.Chtimes(name, Settled, Settled))
	})
	return paths, err
}

// Commit waits until all files are on disk, and gives the directory its final name. If a directory of that name exists, Commit first
// moves it aside, and removes it in the end. No file may be written any more.
func (w *Draft) Commit() error {
	if err := w.Sync(); err != nil {
		return err
	}
	d := w.parent
	if here, err := w.root.Open("."); err == nil {
		stands := still(d.root, w.partial, here)
		_ = here.Close() // nothing was written
		if !stands {
			return fmt.Errorf("%s: %w", d.Path(w.name), ErrBusy)
		}
	}
	_ = w.root.Close() // some systems cannot rename an open directory
	if err := d.Remove(w.old); err != nil {
		return err
	}
	if err := d.root.Rename(w.name, w.old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cannot("replace", d.Path(w.name), err)
	}
	if err := d.root.Rename(w.partial, w.name); err != nil {
		return cannot("write", d.Path(w.name), errors.Join(err, w.recover()))
	}
	return d.Remove(w.old)
}

// Abort removes what was written. After Commit it only closes open directories.
func (w *Draft) Abort() {
	w.syncs.Wait()
	_ = w.root.Close()
	_ = w.parent.Remove(w.partial) // the next Begin removes what cannot be removed now
	if w.own != nil {
		w.own.Close()
	}
}

// fill writes all files and commits.
func (w *Draft) fill(files map[string][]byte) error {
	defer w.Abort()
	for _, name := range sortedNames(files) {
		if err := w.Put(name, files[name]); err != nil {
			return err
		}
	}
	return w.Commit()
}

// recover restores a directory if a process was killed between the two renames of its replacement.
func (w *Draft) recover() error {
	d := w.parent
	if d.Has(w.name) {
		return nil
	}
	if err := d.root.Rename(w.old, w.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cannot("recover", d.Path(w.name), err)
	}
	return nil
}
