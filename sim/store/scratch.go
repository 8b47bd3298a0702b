package store

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// scratchMemory is the number of bytes that a buffer of a Scratch keeps in memory.
const scratchMemory = 1 << 20

// A Scratch makes buffers for data that wait until they can be written: the columns of a table, which end one after the other in its
// file. A buffer with much data is a temporary file. Many goroutines may use a Scratch, but one only a buffer of it.
type Scratch struct{}

// GetBuffer returns an empty buffer. An error of its temporary file is one of Read and Write.
func (Scratch) GetBuffer() io.ReadWriteSeeker { return &scratch{} }

// PutBuffer frees a buffer that GetBuffer has returned.
func (Scratch) PutBuffer(b io.ReadWriteSeeker) {
	if s := b.(*scratch); s.file != nil {
		_ = s.file.Close() // nobody reads what it had
	}
}

// A scratch is a buffer in memory, or in a file if it is large.
type scratch struct {
	memory []byte
	file   *os.File // removed already: the system frees its space when it is closed or the program ends; nil: all is in memory
	size   int64
	at     int64 // where the next byte is read or written
}

// Write implements io.Writer.
func (s *scratch) Write(p []byte) (n int, err error) {
	if s.file == nil && s.at+int64(len(p)) > scratchMemory {
		if err := s.move(); err != nil {
			return 0, fmt.Errorf("a table that waits to be written: %w", err)
		}
	}
	if s.file == nil {
		s.memory = append(s.memory[:s.at], p...)
		n = len(p)
	} else if n, err = s.file.WriteAt(p, s.at); err != nil {
		err = fmt.Errorf("a table that waits to be written: %w", err)
	}
	s.at += int64(n)
	s.size = s.at
	return n, err
}

// move moves the buffer from memory to a file.
func (s *scratch) move() (err error) {
	if s.file, err = os.CreateTemp("", "achilles-*"); err != nil {
		return err
	}
	_ = os.Remove(s.file.Name()) // a system that does not remove open files keeps it until it clears its temporary directory
	_, err = s.file.WriteAt(s.memory, 0)
	s.memory = nil
	return err
}

// Read implements io.Reader.
func (s *scratch) Read(p []byte) (n int, err error) {
	if s.at >= s.size {
		return 0, io.EOF
	}
	if s.file == nil {
		n = copy(p, s.memory[s.at:])
	} else if n, err = s.file.ReadAt(p[:min(int64(len(p)), s.size-s.at)], s.at); errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	s.at += int64(n)
	return n, err
}

// Seek implements io.Seeker, from the start only. What is written there replaces everything behind it.
func (s *scratch) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart || offset < 0 || offset > s.size {
		panic("store: a scratch buffer seeks within itself and from its start")
	}
	s.at = offset
	return offset, nil
}
