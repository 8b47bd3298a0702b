package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"image"
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

// A frame is what a page shows from now on: where the picture has changed, and what is said of it.
type frame struct {
	Picture  int    `json:"picture"`  // number of this picture, which the page has from now on
	Revision uint64 `json:"revision"` // of the view
	Width    int    `json:"width"`    // of the whole picture, in pixels of the screen
	Height   int    `json:"height"`
	Side     int    `json:"side"`  // of a tile
	Tiles    []int  `json:"tiles"` // x and y of each tile that has changed
	Title    string `json:"title"`
	Words    string `json:"words"`
	Place    string `json:"place"`
	Done     bool   `json:"done"`
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
	spare    *image.RGBA // the one before, whose pixels are free
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
func (s *session) next(ctx context.Context, have int) []byte {
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

// draw returns the picture, or what of it differs from the one of number have, as it is sent: a line of JSON and the pixels of the
// tiles, compressed by gzip.
func (s *session) draw(have int) []byte {
	picture := s.renderer.RenderOver(s.spare, s.drawn.Scaled(s.last.Ratio))
	f := &frame{Revision: s.revision, Width: picture.Rect.Dx(), Height: picture.Rect.Dy(), Side: tileSide, Title: s.site.Title, Done: s.done}
	if v, ok := s.view.(interface{ Words() string }); ok {
		f.Words = v.Words()
	}
	if v, ok := s.view.(interface{ Fragment() string }); ok {
		f.Place = v.Fragment()
	}
	if have != s.picture {
		s.shown = nil
	}
	f.Tiles = differing(s.shown, picture)
	s.shown, s.spare = picture, s.shown
	s.picture++
	f.Picture = s.picture
	return encode(f, picture)
}

// tileSide is the number of pixels of a tile in each direction. With more, tiles have many pixels that did not change; with fewer there are
// many to put into place.
const tileSide = 64

// row returns the pixels of a row of a picture that are in the tile at x.
func row(p *image.RGBA, x, y int) []byte {
	return p.Pix[y*p.Stride+4*x : y*p.Stride+4*min(x+tileSide, p.Rect.Dx())]
}

// differing returns x and y of the tiles in which two pictures differ, row by row; of all tiles if a is nil or has another size.
func differing(a, b *image.RGBA) (tiles []int) {
	all := a == nil || a.Rect != b.Rect
	for y := 0; y < b.Rect.Dy(); y += tileSide {
		for x := 0; x < b.Rect.Dx(); x += tileSide {
			same := !all
			for v := y; same && v < min(y+tileSide, b.Rect.Dy()); v++ {
				same = bytes.Equal(row(a, x, v), row(b, x, v))
			}
			if !same {
				tiles = append(tiles, x, y)
			}
		}
	}
	return tiles
}

// encode returns a frame as it is sent, compressed by gzip: a line of JSON and, tile by tile, tileSide × tileSide pixels of 4 bytes.
func encode(f *frame, picture *image.RGBA) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	err = errors.Join(err, json.NewEncoder(z).Encode(f))
	var blank [4 * tileSide]byte
	for i := 0; i < len(f.Tiles); i += 2 {
		for y := f.Tiles[i+1]; y < f.Tiles[i+1]+tileSide; y++ {
			n := 0
			if y < picture.Rect.Dy() {
				n, _ = z.Write(row(picture, f.Tiles[i], y)) // a writer of gzip keeps its error until it is closed
			}
			_, _ = z.Write(blank[n:]) // beyond the edge
		}
	}
	if errors.Join(err, z.Close()) != nil {
		panic("web: a picture cannot be compressed")
	}
	return b.Bytes()
}
