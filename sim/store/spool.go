package store

import (
	"os"
	"sort"
	"sync"
)

// A Spool keeps pieces of data until they are read: in memory as long as they are few, and then in a temporary file, or in memory too
// if no file can be written. Many goroutines may use it.
type Spool struct {
	most   int64
	mu     sync.Mutex
	size   int64    // of all pieces together
	file   *os.File // removed already: the system frees its space when it is closed or the program ends; nil: all is in memory
	chunks []chunk  // the last pieces, which are not in the file
	failed error    // why the file cannot be written; nil: it can, or need not
}

// A chunk has some pieces, one after another. Its memory is not written twice, because Get gives parts of it.
type chunk struct {
	from int64 // where the first piece is
	data []byte
}

// A Span says where in a Spool a piece is.
type Span struct {
	from int64
	n    int32
}

const (
	spoolBuffer = 1 << 16 // number of bytes that are written to the file of a Spool at once
	spoolChunk  = 1 << 14 // number of bytes of a chunk, unless a single piece has more
)

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
	last := s.chunkFor(len(piece))
	last.data = append(last.data, piece...)
	s.size += int64(len(piece))
	if n := s.size - s.chunks[0].from; s.failed == nil && n >= spoolBuffer && (s.file != nil || n > s.most) {
		s.failed = s.write()
	}
	return at
}

// chunkFor returns the last chunk, which has room for n bytes.
func (s *Spool) chunkFor(n int) *chunk {
	if k := len(s.chunks) - 1; k >= 0 {
		last := &s.chunks[k]
		switch used, room := len(last.data), cap(last.data); {
		case used+n <= room:
			return last
		case room < spoolChunk && used+n <= spoolChunk:
			last.data = append(make([]byte, 0, min(max(2*room, used+n), spoolChunk)), last.data...)
			return last
		}
	}
	room := spoolChunk
	if s.size == 0 {
		room /= 8 // it may remain the only one, with few pieces
	}
	s.chunks = append(s.chunks, chunk{s.size, make([]byte, 0, max(room, n))})
	return &s.chunks[len(s.chunks)-1]
}

// write writes the chunks to the file. After an error they are all still there.
func (s *Spool) write() (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "achilles-*"); err != nil {
			return err
		}
		_ = os.Remove(s.file.Name()) // a system that does not remove open files keeps it until it clears its temporary directory
	}
	for _, c := range s.chunks {
		if _, err = s.file.WriteAt(c.data, c.from); err != nil {
			return err
		}
	}
	clear(s.chunks)
	s.chunks = s.chunks[:0]
	return nil
}

// Get returns a piece, which must not be changed.
func (s *Spool) Get(at Span) ([]byte, error) {
	s.mu.Lock()
	file := s.file
	if n := len(s.chunks); n > 0 && at.from >= s.chunks[0].from {
		defer s.mu.Unlock()
		c := &s.chunks[sort.Search(n, func(k int) bool { return s.chunks[k].from > at.from })-1]
		return c.data[at.from-c.from:][:at.n:at.n], nil
	}
	s.mu.Unlock()
	piece := make([]byte, at.n)
	_, err := file.ReadAt(piece, at.from)
	return piece, err
}
