// Package store reads and writes directories of results. A directory is written whole or not at all, and replaces another
// only where the caller says so. Every name is slash-separated and checked, and every directory is an os.Root, so that
// neither a name nor a symbolic link leads out of it.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ErrExists says that something is there already and that force was not given.
var ErrExists = errors.New("exists already")

// A Dir is a directory whose parts have names.
type Dir struct {
	path  string
	root  *os.Root
	parts []*os.Root // opened by FS
}

// Open opens a directory that is there.
func Open(dir string) (*Dir, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, cannot("open", dir, err)
	}
	return &Dir{path: filepath.Clean(dir), root: root}, nil
}

// Make opens a directory, and makes it where it is not there.
func Make(dir string) (*Dir, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, cannot("create", dir, err)
	}
	return Open(dir)
}

// Close closes what is open below d. Nothing may be read through FS any more.
func (d *Dir) Close() {
	for _, r := range append(d.parts, d.root) {
		_ = r.Close() // nothing is written through it
	}
}

// Path returns the path of a part, for messages.
func (d *Dir) Path(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

// Has says whether there is a part of that name.
func (d *Dir) Has(name string) bool {
	_, err := d.root.Lstat(name)
	return err == nil
}

// FS opens a part that is a directory, or . for all of d. It is good until Close.
func (d *Dir) FS(name string) (fs.FS, error) {
	r, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	d.parts = append(d.parts, r)
	return r.FS(), nil
}

// ReadFile reads a file; the error wraps fs.ErrNotExist where there is none.
func (d *Dir) ReadFile(name string) ([]byte, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	return d.root.ReadFile(name)
}

// WriteFile writes a file whole or not at all, over what is there.
func (d *Dir) WriteFile(name string, data []byte) error {
	if err := checkName(name); err != nil {
		return err
	}
	partial := name + ".partial"
	if err := writeSynced(d.root, partial, d.Path(name), data); err != nil {
		return err
	}
	if err := d.root.Rename(partial, name); err != nil {
		return cannot("write", d.Path(name), err)
	}
	return nil
}

// Remove removes parts with all that is in them; what is not there is no error.
func (d *Dir) Remove(names ...string) error {
	for _, name := range names {
		if err := checkName(name); err != nil {
			return err
		}
		if err := d.root.RemoveAll(name); err != nil {
			return cannot("remove", d.Path(name), err)
		}
	}
	return nil
}

// Write writes a directory in d.
func (d *Dir) Write(name string, files map[string][]byte, force bool) error {
	w, err := d.Begin(name, force)
	if err != nil {
		return err
	}
	return w.fill(files)
}

// Same reports whether a directory in d has exactly these files with these bytes.
func (d *Dir) Same(name string, files map[string][]byte) bool {
	r, err := d.root.OpenRoot(name)
	if err != nil {
		return false
	}
	defer r.Close()
	n := 0
	err = fs.WalkDir(r.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		n++
		want, ok := files[name]
		if !ok {
			return errors.New("one too many")
		}
		got, err := r.ReadFile(name)
		if err == nil && string(got) != string(want) {
			err = errors.New("differs")
		}
		return err
	})
	return err == nil && n == len(files)
}

// Pieces is a folder in d for checkpoints. It is made when the first is put.
func (d *Dir) Pieces(name string) *Pieces { return &Pieces{dir: d, name: name} }

// Pieces is a folder of checkpoints, which lie side by side. It may be used by many goroutines.
type Pieces struct {
	dir  *Dir
	name string
}

// Put writes a checkpoint whole or not at all.
func (p *Pieces) Put(name string, data []byte) error {
	if err := p.check(name); err != nil {
		return err
	}
	if err := p.dir.root.MkdirAll(p.name, 0o755); err != nil {
		return cannot("create", p.dir.Path(p.name), err)
	}
	return p.dir.WriteFile(path.Join(p.name, name), data)
}

// Get reads a checkpoint; nil where there is none.
func (p *Pieces) Get(name string) ([]byte, error) {
	if err := p.check(name); err != nil {
		return nil, err
	}
	return ifThere(p.dir.ReadFile(path.Join(p.name, name)))
}

// check refuses names of anything but a file in the folder, and a folder that is a link to another one.
func (p *Pieces) check(name string) error {
	if strings.Contains(name, "/") {
		return fmt.Errorf("store: checkpoint %q: a checkpoint has no folder of its own", name)
	}
	if info, err := p.dir.root.Lstat(p.name); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is no folder", p.dir.Path(p.name))
	}
	return checkName(name)
}

// Begin begins to write the directory at a path.
func Begin(dir string, force bool) (*Draft, error) {
	parent, name := filepath.Split(filepath.Clean(dir))
	d, err := Make(filepath.Clean(parent))
	if err != nil {
		return nil, err
	}
	w, err := d.Begin(name, force)
	if err != nil {
		d.Close()
		return nil, err
	}
	w.own = d
	return w, nil
}

// Write writes the directory at a path.
func Write(dir string, files map[string][]byte, force bool) error {
	w, err := Begin(dir, force)
	if err != nil {
		return err
	}
	return w.fill(files)
}

// WriteFile writes the file at a path whole or not at all. The error wraps ErrExists where it is there and force is false.
func WriteFile(file string, data []byte, force bool) error {
	parent, name := filepath.Split(filepath.Clean(file))
	d, err := Open(filepath.Clean(parent))
	if err != nil {
		return err
	}
	defer d.Close()
	if d.Has(name) && !force {
		return fmt.Errorf("%s %w", file, ErrExists)
	}
	return d.WriteFile(name, data)
}

// checkName refuses what is no name of a file inside. Backslashes and colons separate on some systems.
func checkName(name string) error {
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\:") {
		return fmt.Errorf("store: name %q leads out of its directory", name)
	}
	return nil
}

func ifThere(b []byte, err error) ([]byte, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// writeSynced writes a file and waits until the bytes are on disk; shown is its path for errors. A file that could not be
// written whole is removed.
func writeSynced(root *os.Root, name, shown string, data []byte) error {
	f, err := root.Create(name)
	if err != nil {
		return cannot("write", shown, err)
	}
	if err := writeAndClose(f, data); err != nil {
		_ = root.Remove(name) // the first error is what the user needs
		return cannot("write", shown, err)
	}
	return nil
}

func writeAndClose(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// cannot is one line: what, where, and the system's reason without its own repetition of the path.
func cannot(what, path string, err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		err = pe.Err
	case errors.As(err, &le):
		err = le.Err
	}
	return fmt.Errorf("cannot %s %s: %w", what, path, err)
}

// sortedNames are the names of files in the order in which they are written.
func sortedNames(files map[string][]byte) []string {
	names := make([]string, 0, len(files))
	for n := range files {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
