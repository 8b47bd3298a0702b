package play

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// A Relay joins whoever asks to a seat that looks after itself: lines go one way, answers the other. The asking side is
// a player's peer; the seat's side may be in the same process or behind a web server. It is safe for concurrent use.
type Relay struct {
	left error // what Ask returns when the person has left

	mu      sync.Mutex
	lines   [][]byte
	asked   int // number of lines at the last question; 0: none is open
	answers chan []byte
	gone    chan struct{} // closed when the person has left
	fresh   chan struct{} // closed, and made anew, when there is a line
}

// NewRelay returns a relay whose Ask gives left when the person has left.
func NewRelay(left error) *Relay {
	return &Relay{left: left, answers: make(chan []byte, 1), gone: make(chan struct{}), fresh: make(chan struct{})}
}

// Tell passes a line on that wants no answer.
func (r *Relay) Tell(_ context.Context, text []byte) error {
	r.put(text, false)
	return nil
}

// Ask passes a line on and waits for the answer.
func (r *Relay) Ask(ctx context.Context, text []byte) ([]byte, error) {
	r.put(text, true)
	select {
	case a := <-r.answers:
		return a, nil
	case <-r.gone:
		return nil, r.left
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (r *Relay) put(text []byte, question bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, slices.Clone(text))
	r.asked = 0
	if question {
		r.asked = len(r.lines)
	}
	close(r.fresh)
	r.fresh = make(chan struct{})
}

// Lines returns the lines after the first n, none where there are no more. Nobody changes them.
func (r *Relay) Lines(n int) [][]byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lines[min(max(n, 0), len(r.lines)):len(r.lines):len(r.lines)]
}

// Wait waits until there are more than n lines, or the context ends.
func (r *Relay) Wait(ctx context.Context, n int) [][]byte {
	for {
		r.mu.Lock()
		fresh := r.fresh
		r.mu.Unlock()
		if lines := r.Lines(n); len(lines) > 0 {
			return lines
		}
		select {
		case <-fresh:
		case <-ctx.Done():
			return nil
		}
	}
}

// Answer answers the question that was asked last, by a seat that has heard n lines. It refuses an answer to nothing,
// or to a question that is not the last any more: of two answers the first counts.
func (r *Relay) Answer(n int, text []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked == 0 || r.asked != n {
		return fmt.Errorf("seat: line %d is not a question that is open", n)
	}
	r.asked = 0
	r.answers <- slices.Clone(text)
	return nil
}

// Leave says that the person does not want to go on.
func (r *Relay) Leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-r.gone:
	default:
		close(r.gone)
	}
}
