package external

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"achilles/agents/external/process"
)

// maxLine is the number of bytes that are read of a line that a program writes. Anything that follows in the line is
// ignored.
const maxLine = 1 << 20

// A program is a running process that answers messages.
type program struct {
	*process.Process
	stop    context.CancelFunc // kills the process
	answers chan []byte        // lines that the program wrote; closed at the end of its output
	closing chan struct{}      // closed by kill: nobody reads answers any more
	killed  sync.Once
	errors  tail
	fresh   bool // the program has not answered yet
	within  within
}

// A within returns a context that ends when a time is over, as context.WithTimeout does.
type within func(context.Context, time.Duration) (context.Context, context.CancelFunc)

// start starts a command on a seat. It keeps the end of what the command writes to standard error, to explain a crash.
func start(seat *process.Seat, command []string, w within) (*program, error) {
	ctx, stop := context.WithCancel(context.Background())
	p := &program{stop: stop, answers: make(chan []byte), closing: make(chan struct{}), fresh: true, within: w}
	var err error
	if p.Process, err = seat.Start(ctx, command, &p.errors); err != nil {
		stop()
		return nil, err
	}
	go p.listen(p.Out)
	return p, nil
}

// listen reads the output of the program and sends every line into the channel p.answers.
func (p *program) listen(out io.Reader) {
	defer close(p.answers)
	lines := bufio.NewReaderSize(out, 1<<12)
	for {
		line, err := readLine(lines)
		if err != nil {
			return
		}
		select {
		case p.answers <- line:
		case <-p.closing:
			return
		}
	}
}

// readLine returns the next line without spaces at its ends, or only the beginning of a line that is longer than maxLine.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line) < maxLine {
			line = append(line, part...)
		}
		switch {
		case err == nil:
			return bytes.TrimSpace(line), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// tell writes a message to the program. The time limit patience bounds how long the program may take to read it.
func (p *program) tell(ctx context.Context, patience time.Duration, message any) error {
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	late, cancel := p.within(ctx, patience)
	defer cancel()
	written := make(chan error, 1)
	go func() {
		_, err := p.In.Write(append(line, '\n'))
		written <- err
	}()
	select {
	case err := <-written:
		if err != nil {
			return p.crash()
		}
		return nil
	case <-late.Done():
		return p.lateness(ctx, patience, "take a message")
	}
}

// ask writes a message to the program and returns the answer. The program may take at most patience to read the message,
// and as long again to answer. If the program has written a line before it was asked, the error is a Failure.
func (p *program) ask(ctx context.Context, patience time.Duration, message any) ([]byte, error) {
	select {
	case line, ok := <-p.answers:
		if ok {
			return nil, &Failure{Nonsense, "it spoke before it was asked: " + clip(line)}
		}
	default:
	}
	if err := p.tell(ctx, patience, message); err != nil {
		return nil, err
	}
	late, cancel := p.within(ctx, patience)
	defer cancel()
	select {
	case line, ok := <-p.answers:
		if !ok {
			return nil, p.crash()
		}
		p.fresh = false
		return line, nil
	case <-late.Done():
		return nil, p.lateness(ctx, patience, "answer")
	}
}

func (p *program) lateness(ctx context.Context, patience time.Duration, what string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &Failure{TimedOut, fmt.Sprintf("it took more than %v to %s", patience, what)}
}

// crash ends a program whose pipes are closed, and returns the reason as a Failure.
func (p *program) crash() error {
	detail := "it ended"
	if err := p.end(time.Second); err != nil {
		detail = err.Error()
	}
	if said := clip(p.errors.last()); said != "" {
		detail += ": " + said
	}
	return &Failure{Crashed, detail}
}

// end closes the program's input, waits at most patience for its end, and then kills it. The error says how the program
// ended.
func (p *program) end(patience time.Duration) error {
	_ = p.In.Close() // an error means that it is closed already
	late, cancel := p.within(context.Background(), patience)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		for range p.answers { // whatever the program still writes is ignored
		}
	}()
	go func() { ended <- p.Wait() }()
	defer p.End()
	select {
	case err := <-ended:
		p.stop()
		return err
	case <-late.Done():
		p.stop()
		return <-ended
	}
}

// kill ends the program at once.
func (p *program) kill() {
	p.killed.Do(func() { close(p.closing) })
	p.stop()
	_ = p.In.Close()
	_ = p.Wait() // the program was killed, and an error says only that
	p.End()
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	data []byte
}

const tailBytes = 1 << 12

// Write appends b and keeps the last tailBytes bytes of all that was written.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, b...)
	if n := len(t.data); n > tailBytes {
		t.data = append(t.data[:0], t.data[n-tailBytes:]...)
	}
	return len(b), nil
}

// last returns the last line of the kept data that is not empty.
func (t *tail) last() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.data), []byte("\n"))
	return bytes.Clone(lines[len(lines)-1])
}
