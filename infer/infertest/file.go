package infertest

import (
	"bytes"
	"io"
)

// Create opens a file in memory for writing. When it is closed, put receives it.
func Create(name string, put func(name string, data []byte) error) (io.WriteCloser, error) {
	return &file{name: name, put: put}, nil
}

// A file in memory.
type file struct {
	bytes.Buffer
	name string
	put  func(name string, data []byte) error
}

// Close hands the file on.
func (f *file) Close() error { return f.put(f.name, f.Bytes()) }
