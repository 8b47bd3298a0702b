package infer

import (
	"fmt"
	"sync"

	"achilles/sim/part"
)

// storage keeps the results of the steps of a run, and finds those of earlier runs.
type storage struct {
	key    string // digest of everything that stored results depend on; results stored under another key are not reused
	pieces Sink
	known  *sync.Map            // what a piece is the result of → digest of the content that this run has stored or believed
	report func(problem string) // of what is stored and cannot be believed; may be nil
}

// keep stores content, the result of what of says.
func (s *storage) keep(of string, content []byte) error {
	p := part.NewPiece(s.key, of, content)
	s.known.Store(of, p.SHA256)
	return s.pieces.Put(part.PieceName(of), p.Encode())
}

// stored reads what keep has stored of a step, in this run or in an earlier one with the same key, and decodes it. It returns false if
// there is nothing, and if it cannot be believed, which it reports: the step is then done again. decode is told whether this
// run has stored or believed the same content before.
func (s *storage) stored(of string, decode func(content []byte, known bool) error) (bool, error) {
	b, err := s.pieces.Get(part.PieceName(of))
	if b == nil || err != nil {
		return false, err
	}
	p, err := part.ReadPiece(b)
	switch {
	case err != nil:
	case p.Key != s.key: // of other data or settings, or by another version of the program
		return false, nil
	case p.Of != of:
		err = fmt.Errorf("it is the result of %s", p.Of)
	default:
		sum, _ := s.known.Load(of)
		err = decode(p.Content, sum == p.SHA256)
	}
	if err == nil {
		s.known.Store(of, p.SHA256)
		return true, nil
	}
	if s.report != nil {
		s.report(fmt.Sprintf("the stored result of %s is computed again: %s: %v", of, part.PieceName(of), err))
	}
	return false, nil
}
