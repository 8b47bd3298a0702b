package store

import (
	"os"
	"sync"
)

// A Spool keeps pieces of data until they are read: in memory as long as they are few, and then in a temporary file, or in memory too
// if no file can be written. Many goroutines may use it.
type Spool struct {
	most   int64
	mu     sync.Mutex
	size   int64    // of all pieces together
	file   *os.File // removed already: the system frees its space when it is closed or the program ends; nil: all is in memory
	recent []byte   // the last bytes, which are not in the file
	failed error    // why the file cannot be written; nil: it can, or need not
}

// A Span says where in a Spool a piece is.
type Span struct {
	from int64
	n    int32
}

// spoolBuffer is the number of bytes that are written to the file of a Spool at once.
const spoolBuffer = 1 << 16

// NewSpool returns a Spool that keeps up to so many bytes in memory; of more, a buffer.
func NewSpool(most int64) *Spool { return &Spool{most: most} }

// Len returns the number of bytes of all pieces.
func (s *Spool) Len() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.size
}

// Err returns why pieces are in memory that should be in a file, and nil if there are none.
func (s *Spool) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// SpanAt returns the Span with the numbers of Place.
func SpanAt(from int64, n int) Span { return Span{from, int32(n)} }

// Place returns where a piece begins, and its length.
func (s Span) Place() (from int64, n int) { return s.from, int(s.n) }

// Put keeps a copy of a piece, and returns where it is.
func (s *Spool) Put(piece []byte) Span {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := Span{s.size, int32(len(piece))}
	s.size += int64(len(piece))
	s.recent = append(s.grown(len(piece)), piece...)
	if n := int64(len(s.recent)); s.failed == nil && n >= spoolBuffer && (s.file != nil || n > s.most) {
		s.failed = s.write()
	}
	return at
}

// grown returns the recent bytes with room for n more. They double as long as they stay in memory, where append would copy them more
// often.
func (s *Spool) grown(n int) []byte {
	if len(s.recent)+n <= cap(s.recent) || int64(len(s.recent)+n) > s.most {
		return s.recent
	}
	double := min(int64(max(2*cap(s.recent), len(s.recent)+n, 1<<12)), s.most+spoolBuffer)
	return append(make([]byte, 0, double), s.recent...)
}

// write writes the recent bytes to the file. After an error they are all still there.
func (s *Spool) write() (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "achilles-*"); err != nil {
			return err
		}
		_ = os.Remove(s.file.Name()) // a system that does not remove open files keeps it until it clears its temporary directory
	}
	if _, err = s.file.WriteAt(s.recent, s.size-int64(len(s.recent))); err == nil {
		s.recent = make([]byte, 0, 2*spoolBuffer) // not the old one, of which Get may have given pieces
	}
	return err
}

// Get returns a piece, which must not be changed.
func (s *Spool) Get(at Span) ([]byte, error) {
	s.mu.Lock()
	recent, file, begin := s.recent, s.file, s.size-int64(len(s.recent))
	s.mu.Unlock()
	if at.from >= begin {
		return recent[at.from-begin:][:at.n], nil
	}
	piece := make([]byte, at.n)
	_, err := file.ReadAt(piece, at.from)
	return piece, err
}
