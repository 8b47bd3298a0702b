package generate

import (
	"fmt"
	"os"
	"sync"
)

// A spool keeps pieces of data until they are read: the first `most` bytes in memory, and all others in a temporary file. Many
// goroutines may use it.
type spool struct {
	most   int64
	mu     sync.Mutex
	at     []span // by piece
	memory []byte
	size   int64    // of memory and file together
	file   *os.File // removed already: the system frees its space when it is closed or the program ends
}

// A span says where a piece is: the file goes on where the memory ends.
type span struct {
	from int64
	n    int
}

func newSpool(pieces int, most int64) *spool { return &spool{most: most, at: make([]span, pieces)} }

// put keeps a copy of piece k. An earlier piece k is lost.
func (s *spool) put(k int, piece []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := span{s.size, len(piece)}
	if s.size+int64(len(piece)) <= s.most {
		s.memory = append(s.memory, piece...)
	} else if err := s.write(piece); err != nil {
		return fmt.Errorf("episodes that wait for publication: %w", err)
	}
	s.at[k] = at
	s.size += int64(len(piece))
	return nil
}

func (s *spool) write(piece []byte) (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "achilles-*"); err != nil {
			return err
		}
		_ = os.Remove(s.file.Name()) // a system that does not remove open files keeps it until it clears its temporary directory
	}
	_, err = s.file.WriteAt(piece, s.size-int64(len(s.memory)))
	return err
}

// get returns piece k, which must not be changed.
func (s *spool) get(k int) ([]byte, error) {
	s.mu.Lock()
	at, memory := s.at[k], s.memory
	s.mu.Unlock()
	if at.from+int64(at.n) <= int64(len(memory)) {
		return memory[at.from:][:at.n], nil
	}
	piece := make([]byte, at.n)
	if _, err := s.file.ReadAt(piece, at.from-int64(len(memory))); err != nil {
		return nil, fmt.Errorf("episodes that wait for publication: %w", err)
	}
	return piece, nil
}
