package results

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"time"

	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/store"
)

// A listed file system has the manifest of a part and the files that it lists, by their bytes alone: no file has a time, permissions
// or a place on the disk, and no folder can be read. Whoever reads a part through it sees what the digest of its manifest holds,
// and nothing else.
type listed struct {
	fs.FS
	paths map[string]bool
}

func newListed(fsys fs.FS, m *part.Manifest) listed {
	l := listed{fsys, map[string]bool{manifestFile: true}}
	for _, f := range m.All() {
		l.paths[f.Path] = true
	}
	return l
}

// Published opens the public part in a directory of its own, as Dir.Public does, but verifies only the manifest: readers verify what they
// read. The result is valid until close is called.
func Published(dir string) (public fs.FS, close func(), err error) {
	d, err := store.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	root, err := d.FS(".")
	if err == nil {
		var m *part.Manifest
		if m, err = part.ReadManifest(root, seal.PublicPart); err == nil {
			return newListed(root, m), d.Close, nil
		}
	}
	d.Close()
	return nil, nil, fmt.Errorf("%s: %w", dir, err)
}

// Open implements fs.FS. The error wraps fs.ErrNotExist for what the manifest does not list.
func (l listed) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if !l.paths[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	f, err := l.FS.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	at, ok := f.(io.ReaderAt)
	if err != nil || info.IsDir() || !ok {
		_ = f.Close() // nothing was written
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	return &content{io.NewSectionReader(at, 0, info.Size()), path.Base(name), f.Close}, nil
}

// A content is an open file of a listed file system, and what it says of itself.
type content struct {
	*io.SectionReader
	name  string
	close func() error
}

func (c *content) Close() error               { return c.close() }
func (c *content) Stat() (fs.FileInfo, error) { return c, nil }
func (c *content) Name() string               { return c.name }
func (c *content) Mode() fs.FileMode          { return 0o444 }
func (c *content) ModTime() time.Time         { return time.Time{} }
func (c *content) IsDir() bool                { return false }
func (c *content) Sys() any                   { return nil }

// settle gives a public part that is about to appear one time and the usual permissions, whenever and in whichever order its files
// were written. It returns an error unless the part has the files that its manifest lists, and nothing else.
func settle(w *store.Draft) error {
	there, err := w.Settle()
	if err != nil {
		return err
	}
	m, err := part.ReadManifest(w.FS(), seal.PublicPart)
	if err != nil {
		return err
	}
	wanted := map[string]bool{manifestFile: true}
	for _, f := range m.All() {
		for name := f.Path; name != "."; name = path.Dir(name) {
			wanted[name] = true
		}
	}
	for _, name := range there {
		if !wanted[name] {
			return fmt.Errorf("publish: %s/%s is in no manifest", seal.PublicPart, name)
		}
	}
	if len(there) < len(wanted) {
		return fmt.Errorf("publish: the manifest of the %s part lists files that are not there", seal.PublicPart)
	}
	return nil
}
