// Package web shows a view in a browser on the same machine. The server has the view and draws it; the page shows its pictures, and sends
// what is pressed and pointed at. The server listens on a loopback address, and its paths begin with a random token, so that nobody else has
// access. The package also has the program that runs the worlds of a study in the browsers of its participants.
package web

import (
	"bytes"
	"context"
	"crypto/rand"
	_ "embed" // the page
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"achilles/render/canvas"
)

//go:embed page.html
var page []byte

//go:embed page.js
var script []byte

// A Site is what a server shows.
type Site struct {
	Title string
	// MinWidth and MinHeight are the least size of a picture in pixels. A smaller page shows it scaled down.
	MinWidth, MinHeight float32
	// Open opens the view of one page, at a place that is the fragment of the page's address, or empty. The page calls end when it is
	// closed. A view may have methods Words, for who cannot see it, and Fragment, its place.
	Open func(place string) (v canvas.View, end func())
}

// Serve serves a site on a loopback port until the context ends. It calls ready with the address as soon as the port
// is open.
func Serve(ctx context.Context, s *Site, ready func(address string)) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	token := rand.Text()
	all := &sessions{site: s, of: map[string]*session{}}
	defer all.close()
	server := &http.Server{Handler: all.handler(l.Addr().String(), token), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 1 << 14}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	ready("http://" + l.Addr().String() + "/" + token + "/")
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	if err := shut(server); err != nil {
		return err
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// shutdownTime is the longest time that a server waits for open requests when it ends.
const shutdownTime = 2 * time.Second

// shut ends a server after its open requests are finished, or after shutdownTime.
func shut(s *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	if err := s.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return s.Close()
}

// handler returns a handler that serves the site below its token. It refuses requests whose host name is another,
// because DNS rebinding attacks send such requests.
func (s *sessions) handler(host, token string) http.Handler {
	m := http.NewServeMux()
	root := "/" + token + "/"
	content := func(name, kind string, data []byte) {
		m.HandleFunc("GET "+root+name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
		})
	}
	content("{$}", "text/html; charset=utf-8", page)
	content("page.js", "text/javascript", script)
	m.HandleFunc("POST "+root+"open", s.open)
	m.HandleFunc("POST "+root+"input", s.input)
	m.HandleFunc("GET "+root+"frame", s.frame)
	_, port, _ := net.SplitHostPort(host) // cannot fail: host is the address of a listener
	hosts := []string{host, "localhost:" + port}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'")
		if !slices.Contains(hosts, r.Host) {
			http.Error(w, "not here", http.StatusForbidden)
			return
		}
		m.ServeHTTP(w, r)
	})
}

// A sessions has the open pages.
type sessions struct {
	site *Site

	mu sync.Mutex
	of map[string]*session
}

// mostPages is the largest number of pages that are open at once. Another one ends the one that asked for nothing for the longest time.
const mostPages = 16

func (s *sessions) open(w http.ResponseWriter, r *http.Request) {
	var first struct{ Place string }
	if !understood(w, r, &first) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.of) >= mostPages {
		oldest := ""
		for id, x := range s.of {
			if oldest == "" || x.lastAsked().Before(s.of[oldest].lastAsked()) {
				oldest = id
			}
		}
		go s.of[oldest].close()
		delete(s.of, oldest)
	}
	id := rand.Text()
	s.of[id] = newSession(s.site, first.Place)
	writeJSON(w, map[string]string{"page": id})
}

// page returns the page of a request, or answers that it is not open.
func (s *sessions) page(w http.ResponseWriter, r *http.Request) (*session, bool) {
	s.mu.Lock()
	x, ok := s.of[r.FormValue("page")]
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
	}
	return x, ok
}

func (s *sessions) input(w http.ResponseWriter, r *http.Request) {
	x, ok := s.page(w, r)
	var events []event
	if ok && understood(w, r, &events) {
		x.put(events)
	}
}

// pollTime is the longest time for which a request for a picture waits.
const pollTime = 20 * time.Second

// frame answers with what a page shows from now on (see encode). It waits until there is something new, for at
// most pollTime.
func (s *sessions) frame(w http.ResponseWriter, r *http.Request) {
	x, ok := s.page(w, r)
	if !ok {
		return
	}
	have, err := strconv.Atoi(r.FormValue("have"))
	if err != nil {
		http.Error(w, "not understood", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), pollTime)
	defer cancel()
	f := x.next(ctx, have)
	if f == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Encoding", "gzip") // all browsers take it
	_, _ = w.Write(f)                          // an error means that the page was closed
}

// close ends all pages.
func (s *sessions) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.of {
		x.close()
	}
	clear(s.of)
}

// maxBody is the largest size of what a page sends, in bytes.
const maxBody = 1 << 18

// understood decodes what a page has sent, or answers that it cannot.
func understood(w http.ResponseWriter, r *http.Request, x any) bool {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(x); err != nil {
		http.Error(w, "not understood", http.StatusBadRequest)
		return false
	}
	return true
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // an error means that the page was closed
}
