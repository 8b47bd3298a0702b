package play

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// A Pipe joins the two sides of a conversation. One side, which runs the battery, sends lines by Tell and Ask, as it
// would to a program that acts for a subject. The person's side is a Conn, in the same process or behind a web server.
// A Pipe is safe for concurrent use.
type Pipe struct {
	left error // error that Ask returns after the person has left

	mu      sync.Mutex
	lines   [][]byte
	asked   int // number of lines up to and including the open question; 0 if no question is open
	answers chan []byte
	gone    chan struct{} // closed when the person has left
	fresh   chan struct{} // closed, and replaced by another channel, when there is a new line
}

// NewPipe returns a pipe. left is the error that Ask returns after the person has left.
func NewPipe(left error) *Pipe {
	return &Pipe{left: left, answers: make(chan []byte, 1), gone: make(chan struct{}), fresh: make(chan struct{})}
}

// Tell sends a line that needs no answer. The error is always nil.
func (p *Pipe) Tell(_ context.Context, text []byte) error {
	p.put(text, false)
	return nil
}

// Ask sends a line and waits for the answer. The error is that of the context, or the one given to NewPipe if the
// person has left.
func (p *Pipe) Ask(ctx context.Context, text []byte) ([]byte, error) {
	p.put(text, true)
	select {
	case a := <-p.answers:
		return a, nil
	case <-p.gone:
		return nil, p.left
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Left says whether the person has left.
func (p *Pipe) Left() bool {
	select {
	case <-p.gone:
		return true
	default:
		return false
	}
}

func (p *Pipe) put(text []byte, question bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, slices.Clone(text))
	p.asked = 0
	if question {
		p.asked = len(p.lines)
	}
	close(p.fresh)
	p.fresh = make(chan struct{})
}

// Lines implements Conn. The caller must not change the lines.
func (p *Pipe) Lines(n int) [][]byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lines[min(max(n, 0), len(p.lines)):len(p.lines):len(p.lines)]
}

// Wait waits until there are more than n lines, and returns the lines after the first n. It returns nil if the context
// ends first.
func (p *Pipe) Wait(ctx context.Context, n int) [][]byte {
	for {
		p.mu.Lock()
		fresh := p.fresh
		p.mu.Unlock()
		if lines := p.Lines(n); len(lines) > 0 {
			return lines
		}
		select {
		case <-fresh:
		case <-ctx.Done():
			return nil
		}
	}
}

// Reply implements Conn. It returns an error if line n is not the open question, so that only the first answer to a
// question counts.
func (p *Pipe) Reply(n int, r Reply) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.Leave {
		select {
		case <-p.gone:
		default:
			close(p.gone)
		}
		return nil
	}
	if p.asked == 0 || p.asked != n {
		return fmt.Errorf("play: line %d is not an open question", n)
	}
	p.asked = 0
	p.answers <- slices.Clone(r.Answer)
	return nil
}

var _ Conn = (*Pipe)(nil)
