// Package store reads and writes directories of results. It writes a directory as a whole or not at all, and replaces
// another only if the caller says so. Names are separated by slashes. They are checked, and every directory is an
// os.Root, so that no name or symbolic link leads out of it.
package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ErrExists means that a file or directory exists already and force was false.
var ErrExists = errors.New("exists already")

// A Dir is an open directory. The names that its methods take are names of files and directories in it.
type Dir struct {
	path  string
	root  *os.Root
	parts []*os.Root // opened by FS; Close closes them
}

// Open opens an existing directory.
func Open(dir string) (*Dir, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, cannot("open", dir, err)
	}
	return &Dir{path: filepath.Clean(dir), root: root}, nil
}

// Make opens a directory, and creates it if it does not exist.
func Make(dir string) (*Dir, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, cannot("create", dir, err)
	}
	return Open(dir)
}

// Close closes d and every file system that FS returned.
func (d *Dir) Close() {
	for _, r := range append(d.parts, d.root) {
		_ = r.Close() // an error loses nothing, because nothing is written through r
	}
}

// Path returns the path of a name in d, for messages.
func (d *Dir) Path(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

// Has says whether d contains a name.
func (d *Dir) Has(name string) bool {
	_, err := d.root.Lstat(name)
	return err == nil
}

// FS returns the files of a directory in d, or of d itself for ".". The result is valid until Close.
func (d *Dir) FS(name string) (fs.FS, error) {
	r, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	d.parts = append(d.parts, r)
	return plain{r.FS()}, nil
}

// A plain file system opens only files and directories. It refuses everything else, because opening a named pipe waits
// for a writer.
type plain struct{ fs.FS }

// Open implements fs.FS.
func (p plain) Open(name string) (fs.File, error) {
	info, err := fs.Stat(p.FS, name)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: errNoFile}
	}
	if err != nil {
		return nil, err
	}
	return p.FS.Open(name)
}

var errNoFile = errors.New("is neither a file nor a directory")

// ReadFile reads a file. The error wraps fs.ErrNotExist if there is none.
func (d *Dir) ReadFile(name string) ([]byte, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	info, err := d.root.Stat(name)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: errNoFile}
	}
	if err != nil {
		return nil, err
	}
	return d.root.ReadFile(name)
}

// WriteFile writes a file as a whole or not at all, and replaces an existing one.
func (d *Dir) WriteFile(name string, data []byte) error { return d.write(name, data, 0o666) }

// WritePrivate does as WriteFile. Only the user who writes the file can read it.
func (d *Dir) WritePrivate(name string, data []byte) error { return d.write(name, data, 0o600) }

func (d *Dir) write(name string, data []byte, mode os.FileMode) error {
	if err := checkName(name); err != nil {
		return err
	}
	partial := name + ".partial"
	if err := d.root.Remove(partial); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a process that was killed
		return cannot("write", d.Path(name), err)
	}
	if err := writeSynced(d.root, partial, d.Path(name), data, mode, os.O_EXCL); err != nil {
		return err
	}
	if err := d.root.Rename(partial, name); err != nil {
		return cannot("write", d.Path(name), err)
	}
	return nil
}

// Remove removes files and directories with their contents. A name that does not exist is no error.
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

// Write writes a directory in d as a whole. The error wraps ErrExists if the directory exists and force is false.
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
			err = errDiffers
		}
		return err
	})
	return err == nil && n == len(files)
}

// Files returns the paths of all files in a file system, sorted.
func Files(fsys fs.FS) (paths []string, err error) {
	err = fs.WalkDir(fsys, ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			paths = append(paths, path)
		}
		return err
	})
	slices.Sort(paths)
	return paths, err
}

// Pieces returns a folder in d for checkpoints. The first Put creates it.
func (d *Dir) Pieces(name string) *Pieces { return &Pieces{dir: d, name: name} }

// Pieces is a folder of checkpoints, which only the user who writes it can read. Several goroutines may use it.
type Pieces struct {
	dir  *Dir
	name string
}

// Put writes a checkpoint as a whole or not at all.
func (p *Pieces) Put(name string, data []byte) error {
	if err := p.check(name); err != nil {
		return err
	}
	if err := p.Make(); err != nil {
		return err
	}
	return p.dir.WriteFile(path.Join(p.name, name), data)
}

// Make makes the folder if it does not exist.
func (p *Pieces) Make() error {
	if err := p.dir.root.MkdirAll(p.name, 0o700); err != nil {
		return cannot("create", p.dir.Path(p.name), err)
	}
	return nil
}

// Get reads a checkpoint. It returns nil if there is none.
func (p *Pieces) Get(name string) ([]byte, error) {
	if err := p.check(name); err != nil {
		return nil, err
	}
	return ifThere(p.dir.ReadFile(path.Join(p.name, name)))
}

// Forget removes the checkpoints of which kept is false.
func (p *Pieces) Forget(kept func(name string) bool) error {
	f, err := p.dir.root.Open(p.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return cannot("open", p.dir.Path(p.name), err)
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return cannot("read", p.dir.Path(p.name), err)
	}
	for _, name := range names {
		if kept(name) {
			continue
		}
		if err := p.dir.root.Remove(path.Join(p.name, name)); err != nil {
			return cannot("remove", p.dir.Path(p.name), err)
		}
	}
	return nil
}

// check refuses names that are not names of a file in the folder, and a folder that is a symbolic link.
func (p *Pieces) check(name string) error {
	if strings.Contains(name, "/") {
		return fmt.Errorf("store: checkpoint %q: a checkpoint has no folder of its own", name)
	}
	if info, err := p.dir.root.Lstat(p.name); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is not a folder", p.dir.Path(p.name))
	}
	return checkName(name)
}

// Begin starts writing the directory at a path; see Dir.Begin.
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

// Write writes the directory at a path as a whole. The error wraps ErrExists if the directory exists and force is
// false.
func Write(dir string, files map[string][]byte, force bool) error {
	w, err := Begin(dir, force)
	if err != nil {
		return err
	}
	return w.fill(files)
}

// still reports whether a name is that of a file or directory which this process has made, and has open. Where locks do not bind, another
// process may have removed it and made its own, which must not get the final name half written.
func still(root *os.Root, name string, made interface{ Stat() (fs.FileInfo, error) }) bool {
	was, err := made.Stat()
	now, err2 := root.Lstat(name)
	return err == nil && err2 == nil && os.SameFile(was, now)
}

// ReadFile reads the file at a path. The file belongs to a user and need not be in a directory of results. If it has
// more than limit bytes ReadFile returns an error, after reading at most limit+1 bytes.
func ReadFile(file string, limit int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%s: more than %d bytes", file, limit)
	}
	return data, err
}

// WriteFile writes the file at a path as a whole or not at all. The error wraps ErrExists if the file exists and force
// is false.
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

// checkName refuses names that lead out of a directory. Backslashes and colons are separators on some systems.
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

// writeSynced writes a file and waits until it is on disk; shown is its path for errors. It removes a file that it
// could not write completely. flag says what happens if it exists: os.O_TRUNC or os.O_EXCL. The error wraps ErrBusy if another process has
// made it, or removed this one.
func writeSynced(root *os.Root, name, shown string, data []byte, mode os.FileMode, flag int) error {
	f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|flag, mode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: %w", shown, ErrBusy)
	}
	if err != nil {
		return cannot("write", shown, err)
	}
	err = writeAndClose(f, data, func() bool { return still(root, name, f) })
	if errors.Is(err, ErrBusy) {
		return fmt.Errorf("%s: %w", shown, err)
	}
	if err != nil {
		_ = root.Remove(name) // the first error is what the user needs
		return cannot("write", shown, err)
	}
	return nil
}

// writeAndClose returns ErrBusy if the file is not the one of its name any more.
func writeAndClose(f *os.File, data []byte, still func() bool) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err == nil && !still() {
		err = ErrBusy
	}
	return errors.Join(err, f.Close())
}

// cannot returns an error of one line: what cannot be done, the path, and the system's reason, which would otherwise
// repeat the path.
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

// sortedNames returns the names of the files, sorted: the order in which they are written.
func sortedNames(files map[string][]byte) []string {
	names := make([]string, 0, len(files))
	for n := range files {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
