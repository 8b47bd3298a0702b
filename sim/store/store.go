// Package store puts directories on disk for the command line: whole or not at all, never over something else
// unless asked.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// ErrExists says that a directory is there already and that force was not given.
var ErrExists = errors.New("exists already")

// A Stage is a directory being written under a temporary name beside its place. It becomes visible, whole, by Commit.
type Stage struct{ dir, partial string }

// NewStage begins to write dir. What an earlier, killed process left under the temporary name is removed. It returns
// an error that wraps ErrExists where dir exists and force is false.
func NewStage(dir string, force bool) (*Stage, error) {
	parent, name := filepath.Split(filepath.Clean(dir))
	s := &Stage{dir: filepath.Clean(dir), partial: filepath.Join(parent, "."+name+".partial")}
	if err := recoverOld(s.dir); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(s.dir); err == nil && !force {
		return nil, fmt.Errorf("%s %w", dir, ErrExists)
	}
	if err := os.RemoveAll(s.partial); err != nil {
		return nil, cannot("remove", s.partial, err)
	}
	if err := os.MkdirAll(s.partial, 0o755); err != nil {
		return nil, cannot("create", s.dir, err)
	}
	return s, nil
}

// Put writes one file of the directory; name is slash-separated and stays inside.
func (s *Stage) Put(name string, data []byte) error {
	if !fs.ValidPath(name) {
		return fmt.Errorf("store: file name %q leaves the directory", name)
	}
	path := filepath.Join(s.partial, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return cannot("create", filepath.Dir(path), err)
	}
	return writeSynced(path, filepath.Join(s.dir, name), data)
}

// Get reads a file that was Put; nil where there is none.
func (s *Stage) Get(name string) ([]byte, error) { return readIfThere(filepath.Join(s.partial, name)) }

// Commit gives the directory its name. What was there under force is replaced in one step and then removed.
func (s *Stage) Commit() error {
	old := oldName(s.dir)
	if err := os.RemoveAll(old); err != nil {
		return cannot("replace", s.dir, err)
	}
	if err := os.Rename(s.dir, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cannot("replace", s.dir, err)
	}
	if err := os.Rename(s.partial, s.dir); err != nil {
		return cannot("write", s.dir, errors.Join(err, recoverOld(s.dir)))
	}
	if err := os.RemoveAll(old); err != nil {
		return cannot("remove", old, err)
	}
	return nil
}

// Abort removes what was written. After Commit it does nothing.
func (s *Stage) Abort() { _ = os.RemoveAll(s.partial) } // the next NewStage removes what cannot be removed now

// Write writes a whole directory.
func Write(dir string, files map[string][]byte, force bool) error {
	s, err := NewStage(dir, force)
	if err != nil {
		return err
	}
	defer s.Abort()
	names := make([]string, 0, len(files))
	for n := range files {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		if err := s.Put(n, files[n]); err != nil {
			return err
		}
	}
	return s.Commit()
}

// WriteFile writes one file whole or not at all, over what is there.
func WriteFile(path string, data []byte) error {
	partial := path + ".partial"
	if err := writeSynced(partial, path, data); err != nil {
		return err
	}
	if err := os.Rename(partial, path); err != nil {
		return cannot("write", path, err)
	}
	return nil
}

// Same reports whether dir has exactly these files with these bytes.
func Same(dir string, files map[string][]byte) bool {
	n := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		want, ok := files[filepath.ToSlash(rel)]
		if !ok {
			return errors.New("one too many")
		}
		got, err := os.ReadFile(path)
		if err == nil && string(got) != string(want) {
			err = errors.New("differs")
		}
		return err
	})
	return err == nil && n == len(files)
}

// Pieces is a directory of checkpoints.
type Pieces struct{ Dir string }

// Put writes a checkpoint whole or not at all.
func (p Pieces) Put(name string, data []byte) error {
	if err := os.MkdirAll(p.Dir, 0o755); err != nil {
		return cannot("create", p.Dir, err)
	}
	return WriteFile(filepath.Join(p.Dir, name), data)
}

// Get reads a checkpoint; nil where there is none.
func (p Pieces) Get(name string) ([]byte, error) { return readIfThere(filepath.Join(p.Dir, name)) }

func readIfThere(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// writeSynced writes path and waits until the bytes are on disk; shown is the name for errors. A file that could not
// be written whole is removed.
func writeSynced(path, shown string, data []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return cannot("write", shown, err)
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(path) // the first error is what the user needs
		return cannot("write", shown, err)
	}
	return nil
}

func oldName(dir string) string {
	parent, name := filepath.Split(dir)
	return filepath.Join(parent, "."+name+".old")
}

// recoverOld puts back a directory whose replacement was killed between its two renames.
func recoverOld(dir string) error {
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := os.Rename(oldName(dir), dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cannot("recover", dir, err)
	}
	return nil
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
