// Package remote has the types that a page and its server share: a file system for a directory behind the server, and
// the messages between the two.
package remote

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// A File describes a file of the results directory that the server has.
type File struct {
	Path string `json:"path"` // slash-separated
	Size int64  `json:"size"`
}

// An FS is a read-only file system whose files are on a server. It fetches a file as a whole when it is opened for the
// first time, and stores the content. The list of files is fixed, and the FS never asks the server for others. It is
// safe for concurrent use.
type FS struct {
	fetch func(path string) ([]byte, error)
	files map[string]*entry
	dirs  map[string][]fs.DirEntry // directory → its entries, sorted
}

type entry struct {
	File
	once sync.Once
	data []byte
	err  error
}

// New returns a file system with the given files. fetch returns the content of the file at a path.
func New(files []File, fetch func(path string) ([]byte, error)) *FS {
	f := &FS{fetch: fetch, files: map[string]*entry{}, dirs: map[string][]fs.DirEntry{".": nil}}
	for _, x := range files {
		if fs.ValidPath(x.Path) {
			f.files[x.Path] = &entry{File: x}
			f.enter(x.Path, info{name: path.Base(x.Path), size: x.Size})
		}
	}
	for _, list := range f.dirs {
		slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return f
}

// enter adds a file or a directory to the list of its parent directory. If the parent is new, it enters the parent in
// the same way.
func (f *FS) enter(name string, i info) {
	dir := path.Dir(name)
	_, known := f.dirs[dir]
	f.dirs[dir] = append(f.dirs[dir], fs.FileInfoToDirEntry(i))
	if !known && dir != "." {
		f.enter(dir, info{name: path.Base(dir), dir: true})
	}
}

// Open implements fs.FS.
func (f *FS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if list, ok := f.dirs[name]; ok {
		return &directory{info{name: path.Base(name), dir: true}, list}, nil
	}
	e, ok := f.files[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	e.once.Do(func() { e.data, e.err = f.fetch(name) })
	if e.err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: e.err}
	}
	return &file{bytes.NewReader(e.data), info{name: path.Base(name), size: int64(len(e.data))}}, nil
}

// A file is an open file. It also implements io.Seeker and io.ReaderAt.
type file struct {
	*bytes.Reader
	info info
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }

// A directory is an open directory.
type directory struct {
	info info
	left []fs.DirEntry
}

func (d *directory) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *directory) Close() error               { return nil }
func (d *directory) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.name, Err: fs.ErrInvalid}
}

// ReadDir implements fs.ReadDirFile.
func (d *directory) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(d.left)
	} else if len(d.left) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.left))
	list := d.left[:n]
	d.left = d.left[n:]
	return list, nil
}

// An info describes a file or a directory.
type info struct {
	name string
	size int64
	dir  bool
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.dir }
func (i info) Sys() any           { return nil }

func (i info) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}
