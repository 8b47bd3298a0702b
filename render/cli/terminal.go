package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"achilles/render/play"
	"achilles/render/tabular"
)

// playAtTerminal shows the items as text and reads keys from the standard input. If the standard input is a terminal,
// it reads single keys; otherwise it reads characters, for example of a script.
func playAtTerminal(ctx context.Context, a *app, pipe *play.Pipe) error {
	t := &terminal{out: a.stderr, width: a.width(), pipe: pipe}
	if fd := int(os.Stdin.Fd()); term.IsTerminal(fd) {
		old, err := term.MakeRaw(fd)
		if err != nil {
			return fmt.Errorf("the terminal: %w", err)
		}
		defer func() { _ = term.Restore(fd, old) }() // an error cannot be handled here
		moments := time.NewTicker(momentTime)
		defer moments.Stop()
		t.live, t.moments = true, moments.C
	}
	keys := make(chan string)
	go readKeys(ctx, os.Stdin, keys)
	return t.run(ctx, keys)
}

// momentTime is how often the model is told that time has passed.
const momentTime = 50 * time.Millisecond

// A terminal shows the person's side of a play as text.
type terminal struct {
	out     io.Writer
	width   int  // of a line, in characters
	live    bool // whether a person looks: then a new picture replaces the old one, and an actor that is held waits in real time
	pipe    *play.Pipe
	model   play.Model
	moments <-chan time.Time // moments at which time goes on, if a person looks
	moment  time.Time        // the last of them
	heard   int
	drawn   uint64
}

// run runs until the person leaves, the input ends, or all items are over.
func (t *terminal) run(ctx context.Context, keys <-chan string) error {
	for !t.model.Ended() {
		for _, l := range t.pipe.Lines(t.heard) {
			t.heard++
			t.model = t.model.Receive(l)
		}
		t.draw()
		if t.model.Ended() {
			return nil
		}
		var r play.Reply
		switch {
		case t.model.Holds() && !t.live:
			t.model, r = t.model.Advance(play.HeldTick)
		case t.model.Holds() || t.model.Waits():
			r = t.look(ctx, keys)
		default:
			t.pipe.Wait(ctx, t.heard)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if r.Leave || r.Answer != nil {
			_ = t.pipe.Reply(t.heard, r) // the only error is that the question was already answered
		}
		if r.Leave {
			return nil
		}
	}
	return nil
}

// look waits for a key or the next moment, and handles it. A script takes a second for each key. At the end of the input the
// person leaves.
func (t *terminal) look(ctx context.Context, keys <-chan string) (r play.Reply) {
	select {
	case k, more := <-keys:
		if !more {
			return play.Reply{Leave: true}
		}
		if !t.live {
			t.model, _ = t.model.Advance(1) // an actor that is held does not come here
		}
		t.model, r = t.model.Press(k)
	case now := <-t.moments:
		passed := momentTime
		if !t.moment.IsZero() {
			passed = now.Sub(t.moment)
		}
		t.moment = now
		t.model, r = t.model.Advance(passed.Seconds())
	case <-ctx.Done():
	}
	return r
}

// draw writes the picture if it has changed.
func (t *terminal) draw() {
	if t.model.Rev == t.drawn {
		return
	}
	t.drawn = t.model.Rev
	text := t.model.Text(func(s string) string { return string(tabular.Fit(s, t.width, 2)) })
	if t.live {
		text = "\x1b[2J\x1b[H" + strings.ReplaceAll(text, "\n", "\r\n") // a raw terminal needs \r to go back to the left
	}
	fmt.Fprint(t.out, text)
}

// arrows gives the names of the arrow keys by the last byte of their escape sequences.
var arrows = map[byte]string{'A': "up", 'B': "down", 'C': "right", 'D': "left"}

// readKeys reads keys and sends their names, until the input or the context ends.
func readKeys(ctx context.Context, in io.Reader, keys chan<- string) {
	defer close(keys)
	r := bufio.NewReader(in)
	for {
		k, err := readKey(r)
		if err != nil {
			return
		}
		if k == "" {
			continue
		}
		select {
		case keys <- k:
		case <-ctx.Done():
			return
		}
	}
}

var errInterrupted = errors.New("interrupted")

// readKey reads one key. The name is empty if the key has no meaning.
func readKey(r *bufio.Reader) (string, error) {
	c, _, err := r.ReadRune()
	if err != nil {
		return "", err
	}
	switch c {
	case 3: // control C, which a raw terminal does not turn into a signal
		return "", errInterrupted
	case ' ':
		return "space", nil
	case '\r':
		return "enter", nil
	case '\n':
		return "", nil
	case 127, 8:
		return "backspace", nil
	case 27:
		if r.Buffered() >= 2 {
			if next, err := r.Peek(2); err == nil && next[0] == '[' {
				_, err = r.Discard(2)
				return arrows[next[1]], err
			}
		}
		return "escape", nil
	}
	return string(c), nil
}
