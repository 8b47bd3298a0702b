package store

import (
	"io"
	"os"
)

// WriteAndClose writes to an open file and closes it. It returns the error that the package returns if it cannot write
// a file; shown is the path in the error.
func WriteAndClose(f *os.File, shown string, data []byte) error {
	if err := writeAndClose(f, data, func() bool { return true }); err != nil {
		return cannot("write", shown, err)
	}
	return nil
}

// Break makes it impossible to bring a file of a Draft to disk.
func Break(f io.WriteCloser) { f.(*synced).file.Close() }

// InMemory returns the number of bytes of a Spool that are in memory.
func InMemory(s *Spool) (n int) {
	for _, c := range s.chunks {
		n += len(c.data)
	}
	return n
}
