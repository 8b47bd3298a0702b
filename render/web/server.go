// Package web serves the viewer to a browser on the same machine. It serves the program as WebAssembly, which it builds
// if needed, and the files that the program reads. The server listens on a loopback address, and its paths begin with a
// random token, so that nobody else has access.
package web

import (
	"bytes"
	"context"
	"crypto/rand"
	_ "embed" // the page
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"achilles/render/play"
	"achilles/render/web/remote"
)

//go:embed page.html
var page []byte

//go:embed boot.js
var boot []byte

// A Site is the content of a server.
type Site struct {
	remote.Start
	Program *Program
	Dir     fs.FS      // directory that has the Files; nil if a person plays
	Pipe    *play.Pipe // conversation with the person who plays; nil if a directory is shown
}

// Parts lists the files of a results directory that the viewer reads. Sealed files are among them only if unsealed is
// true.
func Parts(dir fs.FS, unsealed bool) ([]remote.File, error) {
	folders := []string{"public", "inferred", "scores"}
	if unsealed {
		folders = append(folders, "sealed")
	}
	var files []remote.File
	add := func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files = append(files, remote.File{Path: name, Size: info.Size()})
		}
		return err
	}
	for _, f := range folders {
		if err := fs.WalkDir(dir, f, add); err != nil {
			return nil, err
		}
	}
	if info, err := fs.Stat(dir, "ledger.json"); err == nil {
		files = append(files, remote.File{Path: "ledger.json", Size: info.Size()})
	}
	return files, nil
}

// Serve serves a site on a loopback port until the context ends. It calls ready with the address as soon as the port
// is open.
func Serve(ctx context.Context, s *Site, ready func(address string)) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	token := rand.Text()
	server := &http.Server{Handler: s.handler(l.Addr().String(), token), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 1 << 14}
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
func (s *Site) handler(host, token string) http.Handler {
	m := http.NewServeMux()
	root := "/" + token + "/"
	content := func(name, kind string, data []byte) {
		m.HandleFunc("GET "+root+name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
		})
	}
	content("{$}", "text/html; charset=utf-8", page)
	content("boot.js", "text/javascript", boot)
	content("wasm_exec.js", "text/javascript", s.Program.Glue)
	m.HandleFunc("GET "+root+"viewer.wasm", s.wasm)
	m.HandleFunc("GET "+root+remote.ConfigName, func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, s.Start) })
	m.HandleFunc("GET "+root+remote.DataPrefix+"{path...}", s.data)
	m.HandleFunc("GET "+root+remote.LinesName, s.lines)
	m.HandleFunc("POST "+root+remote.ReplyName, s.reply)
	_, port, _ := net.SplitHostPort(host) // cannot fail: host is the address of a listener
	hosts := []string{host, "localhost:" + port}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'")
		if !slices.Contains(hosts, r.Host) {
			http.Error(w, "not here", http.StatusForbidden)
			return
		}
		m.ServeHTTP(w, r)
	})
}

// wasm serves the gzipped program. Every browser that can run WebAssembly accepts gzip.
func (s *Site) wasm(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		http.Error(w, "ask for gzip", http.StatusNotAcceptable)
		return
	}
	w.Header().Set("Content-Type", "application/wasm")
	w.Header().Set("Content-Encoding", "gzip")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.Program.Wasm))
}

// data serves the files that the list Files has, and no others.
func (s *Site) data(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("path")
	if s.Dir == nil || path.Clean(name) != name || !slices.ContainsFunc(s.Files, func(f remote.File) bool { return f.Path == name }) {
		http.NotFound(w, r)
		return
	}
	data, err := read(s.Dir, name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// read reads a file that is no link, and is in no folder that is one: since the list was made, one may have been put in its place that leads to
// what is sealed.
func read(dir fs.FS, name string) ([]byte, error) {
	f, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	opened, err := f.Stat()
	if err != nil {
		return nil, err
	}
	for at := name; at != "."; at = path.Dir(at) {
		info, err := fs.Lstat(dir, at)
		if err != nil {
			return nil, err
		}
		if same := os.SameFile(opened, info); at == name && (!info.Mode().IsRegular() || opened.Sys() != nil && !same) || at != name && !info.IsDir() {
			return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("it was replaced by a link")}
		}
	}
	return io.ReadAll(f)
}

// pollTime is the longest time for which a request for lines waits.
const pollTime = 20 * time.Second

// lines serves the lines that the page has not received yet. It waits until there are some, for at most pollTime, and
// then serves an empty list.
func (s *Site) lines(w http.ResponseWriter, r *http.Request) {
	var after int
	if _, err := fmt.Sscan(r.FormValue("after"), &after); err != nil || s.Pipe == nil {
		http.NotFound(w, r)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), pollTime)
	defer cancel()
	lines := []string{}
	for _, l := range s.Pipe.Wait(ctx, after) {
		lines = append(lines, string(l))
	}
	writeJSON(w, lines)
}

// maxReply is the largest size of a reply, in bytes.
const maxReply = 1 << 12

func (s *Site) reply(w http.ResponseWriter, r *http.Request) {
	var x remote.Reply
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxReply)).Decode(&x); err != nil || s.Pipe == nil {
		http.Error(w, "not understood", http.StatusBadRequest)
		return
	}
	if err := s.Pipe.Reply(x.Received, play.Reply{Answer: []byte(x.Answer), Leave: x.Leave}); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
	}
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // an error means that the page was closed
}
