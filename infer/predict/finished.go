package predict

import (
	"encoding/binary"
	"fmt"
	"io"

	"achilles/sim/part"
)

// A Sink keeps grades of finished fits. Get returns nil for a name that was not put. Several goroutines use it.
type Sink interface {
	Put(name string, data []byte) error
	Get(name string) ([]byte, error)
}

// Finished are the fits that are done, in this run or in an earlier one that was stopped.
type Finished struct {
	Sink  Sink              // nil: nothing is kept
	Key   string            // digest of everything that all grades depend on: data, settings, seed
	Doubt func(text string) // is told of a kept grade that cannot be read, and is computed again; nil: nobody is
}

// once returns the kept grade of a fit, or does the fit and keeps its grade. of says all that the grade depends on besides
// f.Key. The error is that of do or of the sink.
func (f Finished) once(of string, do func() (Grade, error)) (Grade, error) {
	if f.Sink == nil {
		return do()
	}
	name := part.PieceName(of)
	b, err := f.Sink.Get(name)
	if err != nil {
		return Grade{}, err
	}
	if b != nil {
		p, err := part.ReadPiece(b)
		if err == nil && p.Key == f.Key && p.Of == of {
			var g Grade
			if g, err = readGrade(p.Content); err == nil {
				return g, nil
			}
		}
		if err != nil && f.Doubt != nil {
			f.Doubt(fmt.Sprintf("the kept result of %s is computed again: %s: %v", of, name, err))
		}
	}
	g, err := do()
	if err != nil {
		return g, err
	}
	return g, f.Sink.Put(name, part.NewPiece(f.Key, of, g.encode()).Encode())
}

// A stored is a Grade with numbers of fixed sizes.
type stored struct {
	N, Subjects int64
	Numbers     gradeNumbers
}

// encode returns the grade as bytes: the numbers that every grade has, then the losses of subjects.
func (g Grade) encode() []byte {
	content, err := binary.Append(nil, binary.LittleEndian, stored{int64(g.N), int64(g.Subjects), g.gradeNumbers})
	if err == nil {
		content, err = binary.Append(content, binary.LittleEndian, g.Each)
	}
	if err != nil {
		panic("predict: a grade that is not made of numbers")
	}
	return content
}

// readGrade returns the grade that encode made these bytes of.
func readGrade(content []byte) (Grade, error) {
	var s stored
	n, err := binary.Decode(content, binary.LittleEndian, &s)
	if err != nil {
		return Grade{}, err
	}
	g := Grade{N: int(s.N), Subjects: int(s.Subjects), gradeNumbers: s.Numbers}
	if rest := content[n:]; len(rest) > 0 {
		size := binary.Size(SubjectLoss{})
		if len(rest)%size != 0 {
			return Grade{}, io.ErrUnexpectedEOF
		}
		g.Each = make([]SubjectLoss, len(rest)/size)
		_, err = binary.Decode(rest, binary.LittleEndian, g.Each)
	}
	return g, err
}
