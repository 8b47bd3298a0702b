package web

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"sync"
	"time"

	"achilles/render/canvas"
)

// An event is what a page sends of its input: keys that were pressed, where the pointer is, and how large the page is.
type event struct {
	Keys   []string `json:"keys"`
	X      float32  `json:"x"`
	Y      float32  `json:"y"` // in pixels of the page, as Width and Height are
	Down   bool     `json:"down"`
	Wheel  float32  `json:"wheel"`
	Width  float32  `json:"width"`
	Height float32  `json:"height"`
	Ratio  float32  `json:"ratio"` // pixels of the screen for each of the page
}

// A page may be at most mostSide pixels wide and high, and its picture have mostPixels pixels of the screen, as two screens of 4K.
const (
	mostSide   = 16384
	mostPixels = 1 << 24
	mostRatio  = 8
)

// valid returns the event with a size that can be drawn.
func (e event) valid() event {
	e.Width, e.Height, e.Ratio = min(max(e.Width, 1), mostSide), min(max(e.Height, 1), mostSide), min(max(e.Ratio, 0.25), mostRatio)
	for e.Width*e.Height*e.Ratio*e.Ratio > mostPixels {
		e.Ratio /= 2
	}
	return e
}

// A frame is what a page shows from now on: a part of the picture that has changed, as PNG behind it, and what is said of it.
type frame struct {
	Picture  int    `json:"picture"`  // number of this picture, which the page has from now on
	Revision uint64 `json:"revision"` // of the view
	Width    int    `json:"width"`    // of the whole picture, in pixels of the screen
	Height   int    `json:"height"`
	X        int    `json:"x"` // where the part goes
	Y        int    `json:"y"`
	Title    string `json:"title"`
	Words    string `json:"words"`
	Place    string `json:"place"`
	Done     bool   `json:"done"`

	part []byte // PNG; nil if no pixel has changed
}

// A session is a view that one page shows. Its time goes on only while the page asks for pictures.
type session struct {
	site *Site
	view canvas.View
	end  func()

	mu     sync.Mutex // of what follows
	events []event    // that the view has not had
	wake   chan struct{}
	asked  time.Time // when the page asked last

	asking   sync.Mutex // of what follows, while a picture is waited for
	last     event      // of the events that the view has had
	drawn    *canvas.Canvas
	updated  time.Time
	revision uint64
	done     bool
	closed   bool
	renderer canvas.Renderer
	shown    *image.RGBA // the picture that the page has
	picture  int         // its number
}

func newSession(site *Site, place string) *session {
	s := &session{site: site, wake: make(chan struct{}, 1), asked: time.Now(), updated: time.Now()}
	s.view, s.end = site.Open(place)
	return s
}

// put adds events for the view.
func (s *session) put(events []event) {
	s.mu.Lock()
	s.events = append(s.events, events...)
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *session) take() (events []event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	events, s.events, s.asked = s.events, nil, time.Now()
	return events
}

// lastAsked returns when the page asked last.
func (s *session) lastAsked() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// close ends the view, after a picture that is waited for.
func (s *session) close() {
	s.asking.Lock()
	defer s.asking.Unlock()
	if !s.closed {
		s.closed = true
		s.end()
	}
}

// A view is updated every tick, as in a window, or every rest after it has been quiet for so many ticks. Longer pauses between two updates count
// as longest: nobody has looked.
const (
	tick      = time.Second / 60
	rest      = 50 * time.Millisecond
	quietFrom = 30
	longest   = 100 * time.Millisecond
)

// next waits until the view has another picture than the one of number have, which the page shows. It returns nil if the context ends
// first.
func (s *session) next(ctx context.Context, have int) *frame {
	s.asking.Lock()
	defer s.asking.Unlock()
	for quiet := 0; !s.closed; quiet++ {
		changed := s.update()
		if s.last.Width > 0 && (changed || have != s.picture || s.done) {
			return s.draw(have)
		}
		wait := tick
		if quiet > quietFrom {
			wait = rest
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.wake:
			quiet = 0
		case <-time.After(wait):
		}
	}
	return nil
}

// update passes the events and the time to the view, and says whether its picture may have changed.
func (s *session) update() (changed bool) {
	events := s.take()
	if events == nil {
		e := s.last
		e.Keys, e.Wheel = nil, 0
		events = []event{e}
	}
	seconds := min(time.Since(s.updated), longest).Seconds()
	s.updated = time.Now()
	for _, e := range events {
		if e.Width == 0 || s.done {
			continue // before the page has said how large it is
		}
		e = e.valid()
		k := s.enlarged(e)
		in := canvas.Input{Keys: e.Keys, X: e.X * k, Y: e.Y * k, Down: e.Down, Wheel: e.Wheel, Seconds: seconds, Width: e.Width * k, Height: e.Height * k}
		seconds = 0
		revision, done := s.view.Update(in)
		if revision != s.revision || s.drawn == nil || e.Width != s.last.Width || e.Height != s.last.Height || e.Ratio != s.last.Ratio {
			s.drawn, changed = s.view.Draw(in.Width, in.Height), true // a click is where the last picture has its regions
		}
		s.revision, s.done, s.last = revision, done, e
	}
	return changed
}

// enlarged returns the number of pixels of the view for each of the page, so that it has its least size.
func (s *session) enlarged(e event) float32 {
	return max(1, s.site.MinWidth/e.Width, s.site.MinHeight/e.Height)
}

// draw returns the picture, or what of it differs from the one of number have.
func (s *session) draw(have int) *frame {
	picture := s.renderer.Render(s.drawn.Scaled(s.last.Ratio))
	f := &frame{Revision: s.revision, Width: picture.Rect.Dx(), Height: picture.Rect.Dy(), Title: s.site.Title, Done: s.done}
	if v, ok := s.view.(interface{ Words() string }); ok {
		f.Words = v.Words()
	}
	if v, ok := s.view.(interface{ Fragment() string }); ok {
		f.Place = v.Fragment()
	}
	part := picture.Rect
	if s.shown != nil && have == s.picture && s.shown.Rect == picture.Rect {
		part = differing(s.shown, picture)
	}
	s.shown = picture
	s.picture++
	f.Picture, f.X, f.Y = s.picture, part.Min.X, part.Min.Y
	if !part.Empty() {
		var b bytes.Buffer
		e := png.Encoder{CompressionLevel: png.BestSpeed}
		if err := e.Encode(&b, picture.SubImage(part)); err != nil {
			panic("web: a picture cannot be encoded")
		}
		f.part = b.Bytes()
	}
	return f
}

// differing returns the smallest rectangle that has all pixels in which two pictures of one size differ.
func differing(a, b *image.RGBA) (r image.Rectangle) {
	for y := range b.Rect.Dy() {
		p, q := a.Pix[y*a.Stride:][:a.Stride], b.Pix[y*b.Stride:][:b.Stride]
		if bytes.Equal(p, q) {
			continue
		}
		first, last := 0, len(p)-1
		for p[first] == q[first] {
			first++
		}
		for p[last] == q[last] {
			last--
		}
		r = r.Union(image.Rect(first/4, y, last/4+1, y+1))
	}
	return r
}
