package study

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// maxBody is the largest size of what a browser sends at once, in bytes.
const maxBody = 1 << 22

// Addresses of a laboratory's server, relative to that of the site.
const (
	answersName  = "answers"
	progressName = "progress"
)

// ReadPage returns the configuration of a site.
func ReadPage(site fs.FS) (c Page, err error) {
	b, err := fs.ReadFile(site, PageName)
	if err == nil {
		err = json.Unmarshal(b, &c)
	}
	return c, err
}

// Handler serves a site to participants, and keeps their answers in a log. It shows a participant what that participant has done,
// and nothing of others.
func Handler(site fs.FS, c Page, log *Log) http.Handler {
	c.Endpoint, c.Progress = answersName, progressName
	m := http.NewServeMux()
	m.HandleFunc("GET /{file...}", func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("file")
		if name == "" {
			name = "index.html"
		}
		if name == PageName {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(c) // an error means that the page was closed
			return
		}
		if path.Clean(name) != name || !fs.ValidPath(name) {
			http.NotFound(w, r)
			return
		}
		if info, err := fs.Stat(site, name); err != nil || !info.Mode().IsRegular() {
			http.NotFound(w, r)
			return
		}
		if strings.HasSuffix(name, ".gz") {
			w.Header().Set("Content-Type", "application/gzip") // which the page unpacks
		}
		if name == "index.html" { // http.ServeFileFS would send it elsewhere
			b, err := fs.ReadFile(site, name)
			if err != nil {
				http.Error(w, "the site is gone", http.StatusInternalServerError)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(b) // an error means that the page was closed
			return
		}
		http.ServeFileFS(w, r, site, name)
	})
	m.HandleFunc("GET /"+progressName, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(log.Done(r.FormValue("participant"))) // an error means that the page was closed
	})
	m.HandleFunc("POST /"+answersName, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*") // for a site that stands elsewhere
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err == nil {
			err = log.Append(body)
		}
		var large *http.MaxBytesError
		switch {
		case errors.As(err, &large):
			http.Error(w, "too much at once", http.StatusRequestEntityTooLarge)
		case errors.Is(err, ErrRow):
			http.Error(w, err.Error(), http.StatusBadRequest)
		case err != nil:
			http.Error(w, "the answers could not be kept: send them again", http.StatusInternalServerError)
		}
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-cache")
		m.ServeHTTP(w, r)
	})
}
