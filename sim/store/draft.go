package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
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
}

// Begin starts writing a directory in d. If an earlier process was killed while it wrote the directory, Begin first
// restores the old directory or removes what is incomplete. The error wraps ErrExists if the directory exists and force
// is false.
func (d *Dir) Begin(name string, force bool) (*Draft, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if strings.Contains(name, "/") {
		return nil, fmt.Errorf("store: name %q: a directory is written beside others", name)
	}
	w := &Draft{parent: d, name: name, partial: "." + name + ".partial", old: "." + name + ".old"}
	if err := w.recover(); err != nil {
		return nil, err
	}
	if d.Has(name) && !force {
		return nil, fmt.Errorf("%s %w", d.Path(name), ErrExists)
	}
	if err := d.Remove(w.partial); err != nil {
		return nil, err
	}
	if err := d.root.Mkdir(w.partial, 0o755); err != nil {
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
	if err := checkName(name); err != nil {
		return err
	}
	if folder := path.Dir(name); folder != "." {
		if err := w.root.MkdirAll(folder, 0o755); err != nil {
			return cannot("create", w.parent.Path(path.Join(w.name, folder)), err)
		}
	}
	return writeSynced(w.root, name, w.parent.Path(path.Join(w.name, name)), data)
}

// Get reads a file that Put has written. It returns nil if there is none.
func (w *Draft) Get(name string) ([]byte, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	return ifThere(w.root.ReadFile(name))
}

// Commit gives the directory its final name. If a directory of that name exists, Commit first moves it aside, and
// removes it in the end.
func (w *Draft) Commit() error {
	d := w.parent
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
