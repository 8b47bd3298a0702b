package cli

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progressEvery is the time between two lines of progress, which are printed if no bar is drawn.
const progressEvery = 10 * time.Second

// A status is the progress of the work that is being done.
type status struct {
	mu          sync.Mutex
	what        string    // name of the work; empty: none
	waiting     []*string // for whom the work waits, the longest first
	last        string    // name of the piece that was done last; empty: pieces have no names
	running     string    // name of the piece that has been running longest; empty: pieces have no names
	done, total int
	bar         *progressbar.ProgressBar // nil if none is drawn
}

// progress returns a function that reports the progress of a work. what is the name of the work. The work calls it with
// the number of pieces that are done and the number of all pieces. When all are done, another part of the work may begin.
func (c *console) progress(what string) func(done, total int) {
	begun := false
	return func(done, total int) {
		s := c.status
		s.mu.Lock()
		defer s.mu.Unlock()
		if done < total && (!begun || s.what == "") {
			begun = true
			s.begin(what, total, c.bars())
		}
		if s.what != what {
			return // other work has replaced this
		}
		if s.done, s.total = done, total; done == total {
			s.what, s.last, s.running = "", "", ""
		}
		s.draw()
	}
}

// bars returns the writer for progress bars; nil if stderr is not a terminal.
func (c *console) bars() io.Writer {
	if !c.terminal {
		return nil
	}
	return c.stderr
}

func (s *status) begin(what string, total int, bars io.Writer) {
	s.what, s.last, s.done, s.total, s.bar = what, "", 0, total, nil
	if bars != nil {
		s.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(bars),
			progressbar.OptionSetDescription(what),
			progressbar.OptionSetWidth(30),
			progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionClearOnFinish())
	}
}

// draw draws the bar, if there is one. An error of the bar must not stop the work.
func (s *status) draw() {
	if s.bar == nil {
		return
	}
	description := s.what
	if at := s.at(); at != "" {
		description += ": " + at
	}
	if who := s.whom(); who != "" {
		description += ": " + who
	}
	s.bar.Describe(description)
	_ = s.bar.Set(s.done)
}

// at names the piece that is running or, if none is known, the one that was done last; empty: neither is known.
func (s *status) at() string {
	switch {
	case s.running != "":
		return "running: " + s.running
	case s.last != "":
		return "last: " + s.last
	}
	return ""
}

// running sets the name of the piece that is running.
func (c *console) running(name string) {
	s := c.status
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = name
	s.draw()
}

// waiting adds somebody for whom the work waits, until over is called.
func (c *console) waiting(who string) (over func()) {
	s := c.status
	s.mu.Lock()
	defer s.mu.Unlock()
	mine := &who
	s.waiting = append(s.waiting, mine)
	s.draw()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.waiting = slices.DeleteFunc(s.waiting, func(x *string) bool { return x == mine })
	}
}

// whom says for whom the work has waited longest; empty: for nobody.
func (s *status) whom() string {
	if len(s.waiting) == 0 {
		return ""
	}
	return "waiting for " + *s.waiting[0]
}

// named reports as progress does, and names the piece that was done last.
func (c *console) named(what string) func(done, total int, last string) {
	report := c.progress(what)
	return func(done, total int, last string) {
		report(done, total)
		c.status.mu.Lock()
		defer c.status.mu.Unlock()
		if c.status.what == what {
			c.status.last = last
		}
	}
}

// String describes the status; it is empty if there is no work.
func (s *status) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.what == "" && len(s.waiting) == 0 && s.running == "" {
		return ""
	}
	text := "working"
	if s.what != "" {
		text = fmt.Sprintf("%s: %d of %d", s.what, s.done, s.total)
	}
	if at := s.at(); at != "" {
		text += ", " + at
	}
	if who := s.whom(); who != "" {
		text += ", " + who
	}
	return text
}

// tell prints the status at intervals of the duration `every`, until stop is called. It prints nothing if progress bars
// are drawn.
func (c *console) tell(every time.Duration) (stop func()) {
	if c.terminal {
		return func() {}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	ticks := time.NewTicker(every)
	go func() {
		defer close(ended)
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
				if text := c.status.String(); text != "" {
					c.note("%s", text)
				}
			case <-end:
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// A locked writer can be used by several goroutines. It keeps the first error.
type locked struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, err := l.w.Write(b)
	if l.err == nil {
		l.err = err
	}
	return n, err
}

// failed returns the first error of Write.
func (l *locked) failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}
